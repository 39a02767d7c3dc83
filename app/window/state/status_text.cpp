#include "app/window/state/status_text.h"

#include <utility>

namespace streamscope::window {

void say(State& state, std::string text, bool error) {
  state.said = std::move(text);
  state.said_error = error;
}

}  // namespace streamscope::window
