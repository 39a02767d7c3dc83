#include "app/window/state/status.h"

#include <utility>

namespace streamscope::window {

void say(Status& status, std::string text, bool error) { status = {std::move(text), error}; }

}  // namespace streamscope::window
