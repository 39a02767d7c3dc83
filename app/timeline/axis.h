// The time axis, and the intervals on it: what is measured, what is marked, the range that statistics are limited to.
#pragma once

#include <vector>

#include "app/timeline/layout_context.h"
#include "app/timeline/ticks.h"

namespace streamscope::timeline {

void draw_axis(Picture& picture, const Scene& scene, const std::vector<Tick>& ticks);
// Over the tracks.
void draw_marks(Picture& picture, const Scene& scene);
void draw_measure(Picture& picture, const Scene& scene);

}  // namespace streamscope::timeline
