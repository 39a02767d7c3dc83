// Where to begin, for whoever opens the window for the first time.
#pragma once

#include "app/window/panels/panel.h"

namespace streamscope::window {

// Over the lower edge of that place, until a click, Esc or the first change.
void first_hint(const Panel& panel, const Box& over);

}  // namespace streamscope::window
