// The names in a run, with how often each comes and how long all of it took.
#pragma once

#include "app/window/panels/panel.h"
#include "app/window/widgets/box.h"

namespace streamscope::window {

void totals_panel(const Panel& panel, const Box& place);

}  // namespace streamscope::window
