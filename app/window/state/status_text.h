// The text in the status bar. For update().
#pragma once

#include <string>

#include "app/window/state/state.h"

namespace streamscope::window {

void say(State& state, std::string text, bool error = false);

}  // namespace streamscope::window
