#include "app/cli/cli.h"

#include <exception>
#include <sstream>

#include "app/cli/commands.h"
#include "app/cli/tell.h"

namespace streamscope::cli {

int report(const Error& error) {
  tell("{}\n", error.message);
  if (error.fault && error.message.find(error.fault->call) == std::string::npos) {
    tell("{} returned {} ({}): {}\n", error.fault->call, error.fault->code, error.fault->name, error.fault->operation);
  }
  return exit_code(error.kind);
}

int command_line(int argc, char** argv, const OpenWindow& open_window) {
  hold_standard_streams();
  try {
    CLI::App app("Streamscope, an oscilloscope for CUDA streams", "streamscope");
    app.set_version_flag("--version", "streamscope " STREAMSCOPE_VERSION);
    app.footer(
        "FILE is an experiment (.toml), a stream program (.streams) or the name of a shipped experiment such as "
        "four-streams.\n`streamscope COMMAND --help` tells a command's options.\n\n"
        "Exit codes: 0 done; 2 bad usage or bad input; 3 no such device; 4 the run failed on the device;\n"
        "5 the data that came back is wrong.");
    app.require_subcommand(0, 1);
    Action action;
    add_window(app, action, open_window);
    add_run(app, action);
    add_sweep(app, action);
    add_check(app, action);
    add_devices(app, action);
    add_calibrate(app, action);
    add_engine(app, action);
    add_help(app, action);
    add_later(app, action);
    try {
      app.parse(argc, argv);
    } catch (const CLI::Success& asked) {  // --help, --version
      std::ostringstream out;
      const int code = app.exit(asked, out, out);
      const int said = say(out.str());
      return code != 0 ? code : said;
    } catch (const CLI::ParseError& error) {
      tell("streamscope: error: {}\nstreamscope --help tells what may be written.\n", error.what());
      return exit_code(ErrorKind::bad_input);
    }
    return action();
  } catch (const std::exception& error) {
    // Only a library's own failure or exhausted memory gets here.
    tell("streamscope: error: {}\n", error.what());
    return exit_code(ErrorKind::device_failed);
  }
}

}  // namespace streamscope::cli
