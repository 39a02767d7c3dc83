// Commands that are agreed but come in a later version, and the word that people try first.
#include "app/cli/commands.h"
#include "app/cli/tell.h"

namespace streamscope::cli {

void add_help(CLI::App& app, Action& action) {
  CLI::App* command = app.add_subcommand("help")->group("")->allow_extras();
  command->callback([&app, &action] {
    action = [&app] {
      // app.help() would be that of the command typed.
      return say(app.get_formatter()->make_help(&app, app.get_name(), CLI::AppFormatMode::Normal));
    };
  });
}

void add_later(CLI::App& app, Action& action) {
  for (const char* name : {"lessons"}) {
    CLI::App* command = app.add_subcommand(name)->group("")->allow_extras();
    command->set_help_flag();
    command->callback([name, &action] {
      action = [name] {
        tell(
            "streamscope {}: error: not in this version, {}; commands are run, sweep, check, devices, calibrate, "
            "engine\n",
            name, STREAMSCOPE_VERSION);
        return exit_code(ErrorKind::bad_input);
      };
    });
  }
}

}  // namespace streamscope::cli
