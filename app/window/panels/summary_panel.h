// Right: what the run in view says, where it comes from, and all that is known about the selected operation.
#pragma once

#include "app/window/panels/panel.h"

namespace streamscope::window {

void summary_panel(const Panel& panel, const Box& place, int plot_width);  // of the timeline, for views to go to

}  // namespace streamscope::window
