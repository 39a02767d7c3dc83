// A lesson at the left, in place of the controls: its words, what it asks, and the way from step to step.
#pragma once

#include "app/window/panels/panel.h"

namespace streamscope::window {

inline constexpr float kLessonWidth = 380;  // at the least, in points at text size 1

void lesson_panel(const Panel& panel, const Box& place);
// In place of the timeline, while what is asked about the run is not answered.
void lesson_curtain(const Panel& panel, const Box& place);

}  // namespace streamscope::window
