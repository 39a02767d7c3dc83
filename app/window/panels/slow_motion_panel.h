// Below: a run at one instant, and what makes time pass there.
#pragma once

#include "app/window/panels/panel.h"

namespace streamscope::window {

// Also by keys.
void toggle_play(const Panel& panel);
void step_playhead(const Panel& panel, int direction);  // to the next event after it or before it

void slow_motion_panel(const Panel& panel, const Box& place);  // what every stream and engine does at one instant

}  // namespace streamscope::window
