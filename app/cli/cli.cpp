#include "app/cli/cli.h"

#include <CLI/CLI.hpp>
#include <algorithm>
#include <exception>
#include <optional>
#include <sstream>

#include "app/cli/catalogue.h"
#include "app/cli/command.h"
#include "app/cli/help_entries.h"
#include "app/cli/misuse.h"
#include "app/cli/terminal.h"
#include "engine/base/translate.h"

namespace streamscope::cli {

namespace {

struct AddOption {
  CLI::App& app;
  const Option& option;
  CLI::Option* operator()(bool* flag) const { return app.add_flag(names(), *flag, meaning())->disable_flag_override(); }
  CLI::Option* operator()(std::string* text) const {
    if (option.names.find('{') != std::string_view::npos) return app.add_flag(names(), *text, meaning());
    return app.add_option(names(), *text, meaning());
  }
  CLI::Option* operator()(std::vector<std::string>* texts) const {
    return app.add_option(names(), *texts, meaning())->allow_extra_args(option.many);
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

void add(CLI::App& app, const Command& command, std::function<Result<int>()>& run) {
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
  added->callback([&run, added, rest = command.rest, what = command.run] {
    if (rest != nullptr) *rest = added->remaining();
    run = what;
  });
}

// Of every command, for --help. Where it has a value take_language() took it, so that none comes here.
Option language_option() {
  static std::string none;
  return {"--language", &none, tr("The language of messages, such as en or zh"), "CODE"};
}

std::vector<Command> all_commands(const OpenWindows& open, const help::Entries& keys,
                                  const std::function<std::string()>& overview) {
  std::vector<Command> all = {window_command(open.window)};
  for (Command (*command)() : {run_command, explain_command, sweep_command, check_command, devices_command,
                               calibrate_command, engine_command}) {
    all.push_back(command());
  }
  all.push_back(help_command([=] { return all_commands(open, keys, overview); }, keys, overview));
  all.push_back(lessons_command());
  all.push_back(lesson_command(open.lesson));
  for (Command& each : all)
    if (!each.hidden && each.rest == nullptr) each.options.push_back(language_option());
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

const Command* command_of(const CLI::App& typed, const CLI::App& app, const std::vector<Command>& all) {
  const std::string_view name = &typed == &app ? std::string_view() : typed.get_name();
  const auto at = std::find_if(all.begin(), all.end(), [&](const Command& each) { return each.name == name; });
  return at == all.end() ? nullptr : &*at;
}

const Option* option_of(const CLI::Option* option, const Command& command) {
  if (option == nullptr) return nullptr;
  const auto at = std::find_if(command.options.begin(), command.options.end(),
                               [&](const Option& each) { return plain_name(each) == option->get_name(); });
  return at == command.options.end() ? nullptr : &*at;
}

// The library's errors name their option in their text only, of a flag without its dashes: the one named first, the
// longest of those.
const CLI::Option* named_in(std::string_view text, const CLI::App& typed) {
  const CLI::Option* found = nullptr;
  std::size_t first = std::string_view::npos, longest = 0;
  for (const CLI::Option* each : typed.get_options()) {
    const std::string dashed = each->get_name();  // empty: hidden from --help
    const std::string_view name =
        std::string_view(dashed).substr(std::min(dashed.find_first_not_of('-'), dashed.size()));
    const std::size_t at = name.empty() ? std::string_view::npos : text.find(name);
    if (at == std::string_view::npos || at > first || (at == first && name.size() <= longest)) continue;
    found = each, first = at, longest = name.size();
  }
  return found;
}

// What the library has against the command line; nothing: what it has no name for here.
std::optional<Misuse> misuse_of(const CLI::ParseError& error, const CLI::App& app, const std::vector<Command>& all) {
  const std::vector<CLI::App*> subcommands = app.get_subcommands();
  const CLI::App& typed = subcommands.empty() ? app : *subcommands.front();
  for (const CLI::App* each : {&app, &typed}) {
    const Command* const command = command_of(*each, app, all);
    if (std::vector<std::string> words = each->remaining(); !words.empty() && command != nullptr)
      return Misuse{Misuse::Kind::unexpected, command, nullptr, std::move(words)};
  }
  const Command* const command = command_of(typed, app, all);
  if (command == nullptr) return std::nullopt;
  if (dynamic_cast<const CLI::RequiredError*>(&error) != nullptr) {
    for (const CLI::Option* each : typed.get_options()) {
      const Option* const option = option_of(each, *command);
      if (option != nullptr && option->required && each->count() == 0)
        return Misuse{Misuse::Kind::not_given, command, option};
    }
  }
  const CLI::Option* const named = named_in(error.what(), typed);
  const Option* const option = option_of(named, *command);
  if (option == nullptr) return std::nullopt;
  const bool flag = std::holds_alternative<bool*>(option->target);
  if (dynamic_cast<const CLI::ArgumentMismatch*>(&error) != nullptr) {
    return Misuse{flag                 ? Misuse::Kind::with_value
                  : named->count() > 1 ? Misuse::Kind::repeated
                                       : Misuse::Kind::without_value,
                  command, option};
  }
  if (dynamic_cast<const CLI::ConversionError*>(&error) != nullptr)
    return Misuse{flag ? Misuse::Kind::with_value : Misuse::Kind::no_number, command, option, named->results()};
  return std::nullopt;
}

// What the window would take stands before a command, which does not look at it.
std::optional<Misuse> before_command(const CLI::App& app, const std::vector<Command>& all) {
  if (app.get_subcommands().empty()) return std::nullopt;
  const Command* const window = command_of(app, app, all);
  const Command* const command = command_of(*app.get_subcommands().front(), app, all);
  if (window == nullptr || command == nullptr) return std::nullopt;
  for (const CLI::Option* each : app.get_options()) {
    const Option* const option = option_of(each, *window);
    if (option != nullptr && each->count() > 0) return Misuse{Misuse::Kind::before_command, command, option};
  }
  return std::nullopt;
}

// An unset variable of a shell: what it was to name would be lost.
std::optional<Misuse> empty_value(const CLI::App& app, const std::vector<Command>& all) {
  const CLI::App& typed = app.get_subcommands().empty() ? app : *app.get_subcommands().front();
  const Command* const command = command_of(typed, app, all);
  for (const CLI::Option* each : typed.get_options()) {
    const Option* const option = command != nullptr ? option_of(each, *command) : nullptr;
    if (option == nullptr || each->count() == 0 || std::holds_alternative<bool*>(option->target)) continue;
    if (std::ranges::any_of(each->results(), [](const std::string& value) { return value.empty(); }))
      return Misuse{Misuse::Kind::empty, command, option};
  }
  return std::nullopt;
}

// The window speaks what was chosen in it, unless the command line says another language.
OpenWindows speaking(const OpenWindows& open, bool said) {
  if (said || !open.language) return open;
  const auto speak = [language = open.language] {
    if (const std::string chosen = language(); !chosen.empty()) use_catalogue(chosen);
  };
  return {.window =
              [speak, window = open.window](const std::string& file, const std::string& engine_command) {
                speak();
                return window(file, engine_command);
              },
          .lesson =
              [speak, open_lesson = open.lesson](const std::filesystem::path& folder, lesson::Language,
                                                 const std::string& device) {
                speak();
                return open_lesson(folder, lesson::own_language(), device);
              },
          .language = open.language};
}

int refuse(const Misuse& misuse, const std::vector<Command>& all) {
  return report({ErrorKind::bad_input, explained(misuse, all)});
}

}  // namespace

int command_line(int argc, char** argv, const OpenWindows& open, help::Entries (*keys)()) {
  hold_standard_streams();
  std::vector<char*> arguments(argv, argv + argc);
  const Result<std::string> language = take_language(arguments);
  use_catalogue(language ? *language : std::string());
  if (!language) return report(language.error());
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
    const std::vector<Command> commands =
        all_commands(speaking(open, !language->empty()), keys ? keys() : help::Entries{}, overview);
    for (const Command& command : commands) {
      if (command.name.empty()) {
        add_options(app, command);
        run = command.run;  // where no command that was typed puts its own there
      } else {
        add(app, command, run);
      }
    }
    try {
      app.parse(static_cast<int>(arguments.size()), arguments.data());
    } catch (const CLI::Success& asked) {  // --help, --version
      std::ostringstream out;
      const int code = app.exit(asked, out, out);
      const int said = print_stdout(out.str());
      return code != 0 ? code : said;
    } catch (const CLI::ParseError& error) {
      if (const auto misuse = misuse_of(error, app, commands)) return refuse(*misuse, commands);
      return report({ErrorKind::bad_input,
                     tr("streamscope: error: the command line cannot be read: {}; streamscope --help shows what may be "
                        "written",
                        error.what())});
    }
    for (const auto find : {before_command, empty_value})
      if (const auto misuse = find(app, commands)) return refuse(*misuse, commands);
    const Result<int> code = run();
    return code ? *code : report(code.error());
  } catch (const std::exception& error) {
    // Only a library's own failure or exhausted memory gets here.
    print_stderr_text(tr("streamscope: error: {}\n", error.what()));
    return exit_code(ErrorKind::device_failed);
  }
}

}  // namespace streamscope::cli
