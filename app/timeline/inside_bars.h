// The bars of an opened kernel's inside (inside.h).
#pragma once

#include "app/timeline/bars.h"

namespace streamscope::timeline {

Colour colour(Phase phase);
Fill pattern_of(Phase phase);
// With a line at the moment that the ring is of.
void draw_inside(Picture& picture, const Scene& scene);

}  // namespace streamscope::timeline
