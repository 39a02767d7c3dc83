#include "app/cli/cli.h"

#include <CLI/CLI.hpp>
#include <exception>
#include <sstream>

#include "app/cli/catalogue.h"
#include "app/cli/command.h"
#include "app/cli/help_entries.h"
#include "app/cli/terminal.h"
#include "engine/base/translate.h"

namespace streamscope::cli {

namespace {

struct AddOption {
  CLI::App& app;
  const Option& option;
  CLI::Option* operator()(bool* flag) const { return app.add_flag(names(), *flag, meaning()); }
  CLI::Option* operator()(std::string* text) const {
    if (option.names.find('{') != std::string_view::npos) return app.add_flag(names(), *text, meaning());
    return app.add_option(names(), *text, meaning());
  }
  CLI::Option* operator()(std::vector<std::string>* texts) const {
    return app.add_option(names(), *texts, meaning())->allow_extra_args(false);
  }
  template <class Number>
  CLI::Option* operator()(Number* number) const {
    return app.add_option(names(), *number, meaning());
  }
  std::string names() const { return std::string(option.names); }
  const std::string& meaning() const { return option.meaning; }
};

void add_options(CLI::App& app, const Command& command) {
  for (const Option& option : command.options) {
    CLI::Option* added = std::visit(AddOption{app, option}, option.target);
    if (!std::holds_alternative<bool*>(option.target)) added->type_name(std::string(option.value));
    if (option.required) added->required();
    if (option.hidden) added->group("");
  }
}

void add(CLI::App& app, Command command, std::function<Result<int>()>& run) {
  CLI::App* added = app.add_subcommand(std::string(command.name), std::string(command.about));
  add_options(*added, command);
  added->get_help_ptr()->group(tr("Options"));  // made before it had them from the app
  if (!command.footer.empty()) added->footer(std::string(command.footer));
  if (command.hidden) {
    added->group("")->allow_extras();
    added->set_help_flag();
  }
  if (command.rest != nullptr) {
    added->allow_extras();
    added->set_help_flag();
  }
  added->callback([&run, added, rest = command.rest, what = std::move(command.run)] {
    if (rest != nullptr) *rest = added->remaining();
    run = what;
  });
}

std::vector<Command> all_commands(const OpenWindow& open_window, const help::Entries& keys,
                                  const std::function<std::string()>& overview) {
  std::vector<Command> all = {window_command(open_window)};
  for (Command (*command)() :
       {run_command, sweep_command, check_command, devices_command, calibrate_command, engine_command}) {
    all.push_back(command());
  }
  all.push_back(help_command([=] { return all_commands(open_window, keys, overview); }, keys, overview));
  all.push_back(lessons_command());
  return all;
}

// The library's own words in a help text. Commands take them over from the app that they are added to.
void say_headings(CLI::App& app) {
  app.get_formatter()->label("Usage", tr("Usage"));
  app.get_formatter()->label("OPTIONS", tr("OPTIONS"));
  app.get_formatter()->label("SUBCOMMAND", tr("SUBCOMMAND"));
  app.get_formatter()->label("Positionals", tr("Positionals"));
  app.get_formatter()->label("REQUIRED", tr("REQUIRED"));
  app.option_defaults()->group(tr("Options"));
  app.group(tr("Subcommands"));
  app.set_help_flag("-h,--help", tr("Print this help message and exit"));
}

}  // namespace

int command_line(int argc, char** argv, const OpenWindow& open_window, help::Entries (*keys)()) {
  hold_standard_streams();
  use_catalogue();
  try {
    CLI::App app(tr("Streamscope, an oscilloscope for CUDA streams"), "streamscope");
    say_headings(app);
    app.set_version_flag("--version", "streamscope " STREAMSCOPE_VERSION,
                         tr("Display program version information and exit"));
    app.footer(
        tr("FILE is an experiment (.toml), a stream program (.streams) or the name of a shipped experiment such as "
           "four-streams.\n`streamscope COMMAND --help` shows a command's options.\n\nExit codes:\n{}",
           exit_codes()));
    app.require_subcommand(0, 1);
    // Not app.help(), which would be that of the command typed.
    const auto overview = [&app] {
      return app.get_formatter()->make_help(&app, app.get_name(), CLI::AppFormatMode::Normal);
    };
    std::function<Result<int>()> run;
    for (Command& command : all_commands(open_window, keys ? keys() : help::Entries{}, overview)) {
      if (command.name.empty()) {
        add_options(app, command);
        run = command.run;  // where no command that was typed puts its own there
      } else {
        add(app, std::move(command), run);
      }
    }
    try {
      app.parse(argc, argv);
    } catch (const CLI::Success& asked) {  // --help, --version
      std::ostringstream out;
      const int code = app.exit(asked, out, out);
      const int said = print_stdout(out.str());
      return code != 0 ? code : said;
    } catch (const CLI::ParseError& error) {
      print_stderr_text(tr("streamscope: error: {}\nstreamscope --help shows what may be written.\n", error.what()));
      return exit_code(ErrorKind::bad_input);
    }
    const Result<int> code = run();
    return code ? *code : report(code.error());
  } catch (const std::exception& error) {
    // Only a library's own failure or exhausted memory gets here.
    print_stderr_text(tr("streamscope: error: {}\n", error.what()));
    return exit_code(ErrorKind::device_failed);
  }
}

}  // namespace streamscope::cli
