// Help on the command line itself, from the tables of its commands.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "app/cli/command.h"
#include "app/help/help.h"

namespace streamscope::cli {

// "--png", "FILE": the name that an option goes by, without what CLI11 is told.
std::string_view plain_name(const Option& option);
// As it is written: "--png F", "--predict[=VALUE]", "FILE".
std::string written(const Option& option);

// What a command's option has besides its meaning. `standard`: where it is not given; empty: nothing then.
struct OptionFacts {
  std::string_view command, option, standard, unit, example;
};
// Null: there is none.
const OptionFacts* facts_of(const Command& command, const Option& option);

std::string_view example_of(const Command& command);  // empty: there is none
// Of an option of the command, which may have its facts from another one.
std::string example_of(const Command& command, const OptionFacts& facts);

// "  0  Done.", a line for each exit code.
std::string exit_codes();

// Commands that are not hidden, their options, exit codes and variables of the environment.
help::Entries command_line_entries(const std::vector<Command>& commands);

// A script that completes commands, options, their values and names; `shell`: bash or zsh, else empty.
std::string completion(const std::vector<Command>& commands, const help::Entries& entries, std::string_view shell);

}  // namespace streamscope::cli
