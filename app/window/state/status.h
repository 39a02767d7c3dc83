// The text in the status bar.
#pragma once

#include <string>
#include <utility>

#include "engine/base/time.h"

namespace streamscope::window {

// A message goes by itself, so that none speaks of what was long ago. What went wrong stays longer, or until a run
// comes that did not.
inline constexpr Nanoseconds kSaidFor = 8'000'000'000, kErrorSaidFor = 60'000'000'000;

struct Status {
  std::string text;
  bool error = false;
  Nanoseconds until = kAbsent;  // host clock
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

inline void say(Status& status, std::string text, bool error = false) {
  const Nanoseconds until = text.empty() ? kAbsent : host_now() + (error ? kErrorSaidFor : kSaidFor);
  status = {std::move(text), error, until};
}

}  // namespace streamscope::window
