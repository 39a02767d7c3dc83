// `streamscope check FILE`: what is wrong with an experiment or a program, without running it.
#include <memory>

#include "app/cli/command.h"
#include "app/cli/input.h"
#include "app/cli/terminal.h"
#include "engine/base/translate.h"

namespace streamscope::cli {

Command check_command() {
  struct Options {
    std::string file;
    std::vector<std::string> settings;
  };
  const auto o = std::make_shared<Options>();
  return {.name = "check",
          .about = tr("Report what is wrong with an experiment or a program"),
          .options = {{"FILE", &o->file, tr("An experiment, a program, or - for standard input"), "", true},
                      {"--set", &o->settings, tr("Set a key of the experiment"), "KEY=VALUE"}},
          .run = [o]() -> Result<int> {
            const experiment::Input input = TRY(read_input(o->file, o->settings));
            print_stderr_text(experiment::with_line_end(input.warnings));
            return print_stdout(fmt::format("{}: {}\n", input.file, size_of(input.checked)));
          }};
}

}  // namespace streamscope::cli
