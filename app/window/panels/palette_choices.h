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
  std::string sentence = {};           // what a file shows
  std::vector<Command> commands = {};  // to emit; of an action: none
  const Action* action = nullptr;      // to perform
};
// Those with all of the words, in any case: in the title, a file's name, its keywords in any language or its sentence.
// What begins a word counts before what stands within one; of both kinds titles come first, then names, keywords and
// sentences; last those whose title has the letters in this order. All there are for no words.
std::vector<Choice> choices_for(const State& state, std::string_view words);

}  // namespace streamscope::window
