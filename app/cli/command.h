// A command as data: what may be written behind it, and what it does. cli.cpp hands it to CLI11, and no other source of
// the program includes that library.
#pragma once

#include <functional>
#include <string>
#include <string_view>
#include <vector>

#include "app/cli/open_window.h"
#include "app/cli/option.h"
#include "app/help/entry.h"

namespace streamscope::cli {

struct Command {
  std::string_view name;  // empty: what is done where no command is named
  std::string_view about;
  std::vector<Option> options;
  std::string_view footer{};                 // of its --help
  std::function<Result<int>()> run;          // gives the process's exit code; an error is reported and gives its own
  bool hidden = false;                       // not in --help, and whatever stands behind it is passed over
  std::vector<std::string>* rest = nullptr;  // gets whatever stands behind the command, what looks like options too
};

// All commands, one file each.
Command window_command(const OpenWindow& open_window);  // where no command is named
Command run_command();
Command explain_command();
Command sweep_command();
Command check_command();
Command devices_command();
Command calibrate_command();
Command engine_command();
// `commands`: all, itself too; `keys`: of the keyboard; `overview`: what it prints where no word is asked for.
Command help_command(std::function<std::vector<Command>()> commands, help::Entries keys,
                     std::function<std::string()> overview);
Command lessons_command();
Command lesson_command(const OpenLesson& open_lesson);  // empty: built without a window

}  // namespace streamscope::cli
