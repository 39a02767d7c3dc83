// In the toolbar: how a GPU is watched, and what the watching costs.
#pragma once

#include "app/window/panels/panel.h"
#include "app/window/widgets/flow.h"

namespace streamscope::window {

void measuring_controls(const Panel& panel, Flow& flow);
void observer_meter(const Panel& panel, Flow& flow);

}  // namespace streamscope::window
