// All commands, one file each.
#pragma once

#include "app/cli/cli.h"
#include "app/cli/command.h"

namespace streamscope::cli {

Command window_command(const OpenWindow& open_window);  // where no command is named
Command run_command();
Command sweep_command();
Command check_command();
Command devices_command();
Command calibrate_command();
Command engine_command();
Command lessons_command();  // of a later version, which it says

}  // namespace streamscope::cli
