// What live mode waits for, and what it leaves on the screen. Rows of the panel at the left.
#pragma once

#include "app/window/panels/panel.h"

namespace streamscope::window {

// `label_width`: from the left edge to the controls, in ImGui's pixels.
void live_controls(const Panel& panel, float label_width);

}  // namespace streamscope::window
