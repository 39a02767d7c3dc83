// Slow motion from keys and buttons.
#pragma once

#include "app/window/panels/panel.h"

namespace streamscope::window {

void toggle_play(const Panel& panel);
void step_playhead(const Panel& panel, int direction);  // to the next event after it or before it

}  // namespace streamscope::window
