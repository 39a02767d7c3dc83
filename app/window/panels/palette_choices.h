// What the command palette finds.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "app/window/panels/actions.h"

namespace streamscope::window {

// An entry of the palette: an action, or one of the things that can be chosen now (a theme, a device, a shipped file).
struct Choice {
  std::string title, keys;
  std::vector<Command> commands;   // to emit; of an action: none
  const Action* action = nullptr;  // to perform
};
// Those whose title has the words' letters in this order, the closest first; all of them for no words.
std::vector<Choice> choices_for(const State& state, std::string_view words);

}  // namespace streamscope::window
