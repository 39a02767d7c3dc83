// Over the timeline: what the run in view is, and how what is set now differs from what it was made with.
#pragma once

#include "app/window/panels/panel.h"

namespace streamscope::window {

float run_head_height(const Panel& panel);  // 0: there is no run
void run_head(const Panel& panel, const Box& place);

}  // namespace streamscope::window
