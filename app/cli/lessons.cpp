// `streamscope lessons`: agreed, but of a later version.
#include "app/cli/command.h"

namespace streamscope::cli {

Command lessons_command() {
  return {.name = "lessons",
          .about = "",
          .options = {},
          .run = []() -> Result<int> {
            return fail(ErrorKind::bad_input, "streamscope lessons: error: not in this version, " STREAMSCOPE_VERSION
                                              "; commands are run, sweep, check, devices, calibrate, engine");
          },
          .hidden = true};
}

}  // namespace streamscope::cli
