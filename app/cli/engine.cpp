// `streamscope engine`: the process that the window talks to.
#include <unistd.h>

#include "app/cli/command.h"
#include "engine/base/translate.h"
#include "engine/remote/confine.h"
#include "engine/remote/serve.h"

namespace streamscope::cli {

Command engine_command() {
  return {.name = "engine",
          .about = tr("Run programs for a window, over standard input and output"),
          .options = {},
          .run = []() -> Result<int> {
            // A person who typed it would wait for an answer that is none.
            if (::isatty(STDOUT_FILENO) == 1) {
              return fail(
                  ErrorKind::bad_input,
                  tr("streamscope engine: error: a window starts this and talks to it through pipes, and this is a "
                     "terminal (ssh -t, srun --pty and srun -u make one); `streamscope [FILE]` opens the "
                     "window, `streamscope run [FILE]` runs here"));
            }
            remote::confine();
            return remote::serve(0, 1);
          }};
}

}  // namespace streamscope::cli
