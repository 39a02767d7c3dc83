// The text in the status bar.
#pragma once

#include <string>
#include <utility>

namespace streamscope::window {

struct Status {
  std::string text;
  bool error = false;
};

namespace command {
struct Say {
  std::string text;
  bool error = false;
};
struct Copied {  // for the clipboard
  std::string text, said;
};
}  // namespace command

inline void say(Status& status, std::string text, bool error = false) { status = {std::move(text), error}; }

}  // namespace streamscope::window
