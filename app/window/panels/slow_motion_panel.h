// Below: a run at one instant, and what makes time pass there.
#pragma once

#include "app/window/panels/panel.h"

namespace streamscope::window {

void slow_motion_panel(const Panel& panel, const Box& place);  // what every stream and engine does at one instant

}  // namespace streamscope::window
