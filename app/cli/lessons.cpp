// `streamscope lessons`: agreed, but of a later version.
#include "app/cli/command.h"
#include "engine/base/translate.h"

namespace streamscope::cli {

Command lessons_command() {
  return {.name = "lessons",
          .about = "",
          .options = {},
          .run = []() -> Result<int> {
            return fail(ErrorKind::bad_input,
                        tr("streamscope lessons: error: not in this version, {}; commands are run, sweep, check, "
                           "devices, calibrate, engine, help",
                           STREAMSCOPE_VERSION));
          },
          .hidden = true};
}

}  // namespace streamscope::cli
