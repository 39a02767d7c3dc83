// The answers of polls, as marks in the host's row, and the other work between them.
#pragma once

#include "app/timeline/layout_context.h"
#include "app/timeline/scene.h"

namespace streamscope::timeline {

// Pixels at the foot of a poll's bar that both stand in; the words stand above.
int poll_foot(const LaneRow& row);
void draw_polls(Scene& scene, const LayoutContext& context);

}  // namespace streamscope::timeline
