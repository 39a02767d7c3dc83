// `streamscope lessons`: agreed, but of a later version.
#include "app/cli/commands.h"
#include "app/cli/terminal.h"
#include "engine/base/error.h"

namespace streamscope::cli {

Command lessons_command() {
  return {.name = "lessons",
          .about = "",
          .options = {},
          .run =
              [] {
                print_stderr(
                    "streamscope lessons: error: not in this version, {}; commands are run, sweep, check, devices, "
                    "calibrate, engine\n",
                    STREAMSCOPE_VERSION);
                return exit_code(ErrorKind::bad_input);
              },
          .hidden = true};
}

}  // namespace streamscope::cli
