// The command line. Each command is one file; the window is handed in by main, the only place that knows everything.
#pragma once

#include "app/cli/open_window.h"
#include "app/help/entry.h"

namespace streamscope::cli {

// Returns the exit code of docs/command-line.md. `open`: of the window; `keys`: of the window's
// keyboard, for `help`.
int command_line(int argc, char** argv, const OpenWindows& open, help::Entries (*keys)() = nullptr);

}  // namespace streamscope::cli
