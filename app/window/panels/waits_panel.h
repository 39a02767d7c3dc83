// Below the timeline: what was waited for, in all.
#pragma once

#include "app/window/panels/panel.h"

namespace streamscope::window {

void waits_panel(const Panel& panel, const Box& place, int plot_width);  // of the timeline, for views to go to

}  // namespace streamscope::window
