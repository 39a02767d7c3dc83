// What the row "Referee" says of the run in view: what it found, or where the second opinion stands. Pure.
#pragma once

#include <string>

#include "app/window/state/state.h"

namespace streamscope::window {

struct RefereeRow {
  std::string says;     // empty: the run in view is no measured one, and nothing is to be said
  std::string meaning;  // whole sentences for the tooltip
  bool contradicts = false;
};
RefereeRow referee_row(const State& state);

}  // namespace streamscope::window
