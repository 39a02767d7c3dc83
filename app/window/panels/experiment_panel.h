// Left: what a person sets, one row a key. What does not apply is disabled and says why.
#pragma once

#include "app/window/panels/panel.h"

namespace streamscope::window {

void experiment_panel(const Panel& panel, const Box& place);

}  // namespace streamscope::window
