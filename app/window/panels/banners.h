// Below the toolbar: where an engine died, why, and where a kernel would freeze a display, whether it shall run. Each
// gives back the height it needs at that width.
#pragma once

#include "app/window/panels/panel.h"

namespace streamscope::window {

float lost_banner(const Panel& panel, const Box& place);         // only where the engine is lost
float long_kernel_banner(const Panel& panel, const Box& place);  // only where a program was refused for that

}  // namespace streamscope::window
