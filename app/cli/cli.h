// The command line. Each command is one file; the window is handed in by main, the only place that knows everything.
#pragma once

#include <functional>
#include <string>

#include "app/help/entry.h"
#include "engine/base/result.h"

namespace streamscope::cli {

// Opens the window on a file (empty: the default experiment) with an engine command (empty: this executable).
using OpenWindow = std::function<Result<void>(const std::string& file, const std::string& engine_command)>;

// Returns the exit code of docs/command-line.md. `open_window` may be empty: built without one; `keys`: of the window's
// keyboard, for `help`.
int command_line(int argc, char** argv, const OpenWindow& open_window, help::Entries (*keys)() = nullptr);

}  // namespace streamscope::cli
