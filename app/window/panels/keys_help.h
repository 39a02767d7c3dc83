// The list of all keys, over everything else.
#pragma once

#include "app/window/panels/panel.h"

namespace streamscope::window {

void keys_help(const Panel& panel);

}  // namespace streamscope::window
