// The time axis, and the intervals on it: what is measured, what is marked, the range that statistics are limited to.
#pragma once

#include <vector>

#include "app/timeline/layout_context.h"
#include "app/timeline/ticks.h"

namespace streamscope::timeline {

void draw_axis(Scene& scene, const LayoutContext& context, const std::vector<Tick>& ticks);
// Over the tracks.
void draw_marks(Scene& scene, const LayoutContext& context);
void draw_measure(Scene& scene, const LayoutContext& context);

}  // namespace streamscope::timeline
