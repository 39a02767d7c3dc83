// What the command palette finds.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "app/window/panels/actions.h"

namespace streamscope::window {

// An entry of the palette: an action, one of the things that can be chosen now (a theme, a device, a shipped file), or
// an entry of the help.
struct Choice {
  std::string title, keys;
  std::string sentence = {};           // what it shows or means
  std::vector<Command> commands = {};  // to emit; of an action: none
  const Action* action = nullptr;      // to perform
};
// Those that fit the words, the best first (word_rank.h): files also by their names and keywords, in any language. For
// no words all there are, but for the help, which is long.
std::vector<Choice> choices_for(const State& state, std::string_view words);

}  // namespace streamscope::window
