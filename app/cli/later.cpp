// Commands that are agreed but come in a later version.
#include <fmt/format.h>

#include <cstdio>

#include "app/cli/commands.h"

namespace streamscope {

void add_later(CLI::App& app, Action& action) {
  for (const char* name : {"sweep", "calibrate", "lessons"}) {
    CLI::App* command = app.add_subcommand(name)->group("")->allow_extras();
    command->set_help_flag();
    command->callback([name, &action] {
      action = [name] {
        fmt::print(stderr, "streamscope {}: error: not in this version, {}; commands are run, check, devices, engine\n",
                   name, STREAMSCOPE_VERSION);
        return exit_code(ErrorKind::bad_input);
      };
    });
  }
}

}  // namespace streamscope
