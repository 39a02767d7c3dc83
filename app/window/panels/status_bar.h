// At the bottom: what was said last, and what the engine does.
#pragma once

#include "app/window/panels/panel.h"

namespace streamscope::window {

void status_bar(const Panel& panel, const Box& place);

}  // namespace streamscope::window
