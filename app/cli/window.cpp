// `streamscope [FILE]`: the window.
#include <memory>

#include "app/cli/commands.h"
#include "app/cli/input.h"
#include "app/cli/terminal.h"

namespace streamscope::cli {

Command window_command(const OpenWindow& open_window) {
  struct Options {
    std::string file, engine;
  };
  const auto options = std::make_shared<Options>();
  return {.name = "",
          .about = "",
          .options = {{"FILE", &options->file,
                       "Open the window on this: an experiment, a program or a trace; the default experiment without "
                       "it"},
                      {"--engine", &options->engine,
                       "Start this command as the engine, such as \"ssh gpubox streamscope engine\"", "COMMAND"}},
          .run = [options, open_window]() -> int {
            std::string file;
            if (options->file == "-") {
              return report({ErrorKind::bad_input,
                             "-: error: the window needs a file; `streamscope run -` reads standard input"});
            }
            if (!options->file.empty()) {
              const auto found = find_input(options->file);
              if (!found) return report(found.error());
              file = found->string();
            }
            if (!open_window) {
              return report(
                  {ErrorKind::bad_input,
                   "streamscope: error: built without a window; `streamscope run [FILE]` runs from the command line"});
            }
            const auto opened = open_window(file, options->engine);
            return opened ? 0 : report(opened.error());
          }};
}

}  // namespace streamscope::cli
