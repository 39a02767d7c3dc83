// `streamscope [FILE]`: the window.
#include <memory>

#include "app/cli/command.h"
#include "app/cli/input.h"
#include "engine/base/translate.h"

namespace streamscope::cli {

Command window_command(const OpenWindow& open_window) {
  struct Options {
    std::string file, engine;
  };
  const auto options = std::make_shared<Options>();
  return {
      .name = "",
      .about = "",
      .options =
          {{"FILE", &options->file,
            tr("Open the window on this: an experiment, a program or a trace; without it, on what was open last")},
           {"--engine", &options->engine,
            tr("Start this command as the engine, such as \"ssh gpubox streamscope engine\""), "COMMAND"}},
      .run = [options, open_window]() -> Result<int> {
        std::string file;
        if (options->file == "-") {
          return fail(ErrorKind::bad_input,
                      tr("-: error: the window needs a file; `streamscope run -` reads standard input"));
        }
        if (!options->file.empty()) file = TRY(find_input(options->file));
        if (!open_window) {
          return fail(
              ErrorKind::bad_input,
              tr("streamscope: error: built without a window; `streamscope run [FILE]` runs from the command line"));
        }
        TRY(open_window(file, options->engine));
        return 0;
      }};
}

}  // namespace streamscope::cli
