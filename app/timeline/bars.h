// The bars of the lanes, with their labels and whiskers, and the outline of the selected one.
#pragma once

#include "app/timeline/layout_context.h"

namespace streamscope::timeline {

void draw_bars(Picture& picture, const Scene& scene);
// The second run's bars under those of the first, as a prediction's ghosts are.
void draw_overlaid(Picture& picture, const Scene& first, const Scene& second);
void draw_selection(Picture& picture, const Scene& scene);

}  // namespace streamscope::timeline
