// Below: the experiment over the values of one or two of its keys, as lines or as a heat map.
#pragma once

#include "app/window/panels/panel.h"

namespace streamscope::window {

void sweep_panel(const Panel& panel, const Box& place);

}  // namespace streamscope::window
