// What is wrong with a command line as it was typed, and what to write instead.
#pragma once

#include <string>
#include <vector>

#include "app/cli/command.h"

namespace streamscope::cli {

struct Misuse {
  enum class Kind {
    unexpected,      // `words`: options and arguments that the command does not take
    without_value,   // `option` needs one
    with_value,      // `option` takes none
    repeated,        // `option` takes one value
    empty,           // `option` was given a value of no letters, as an unset variable of a shell has it
    no_number,       // words[0] is what `option` was given instead of one
    not_given,       // `option` is required
    before_command,  // `option` is the window's, and a command was typed behind it
  };
  Kind kind;
  const Command* command;  // that was typed; the window's where none was
  const Option* option = nullptr;
  std::vector<std::string> words{};
};

// A line for each thing that is wrong, and one that says where to read on; no line end. `all`: the commands.
std::string explained(const Misuse& misuse, const std::vector<Command>& all);

}  // namespace streamscope::cli
