// Draws the counters below the tracks.
#pragma once

#include "app/timeline/layout_context.h"

namespace streamscope::timeline {

void draw_counters(Scene& scene, const LayoutContext& context);

}  // namespace streamscope::timeline
