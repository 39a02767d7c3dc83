// The lower panel: one of its tabs is open.
#pragma once

#include "app/window/panels/panel.h"

namespace streamscope::window {

// Gives back the height of the row of tabs.
float dock_tabs(const Panel& panel, const Box& place);

}  // namespace streamscope::window
