#include "app/cli/help_entries.h"

#include <fmt/format.h>

#include <variant>

#include "engine/base/translate.h"

namespace streamscope::cli {
namespace {

struct Described {
  std::string_view word, meaning;
};

constexpr Described kExitCodes[] = {
    {"0", tr_later("Done.")},
    {"2", tr_later("Bad usage or bad input: the text, the file or the option is wrong, or cannot be read or written.")},
    {"3", tr_later("There is no such device, or no window can be opened.")},
    {"4", tr_later("The run failed on the device, or was stopped.")},
    {"5", tr_later("The data that came back is wrong.")},
};

constexpr Described kVariables[] = {
    {"STREAMSCOPE_ASSETS",
     tr_later("The folder with experiments, programs and profiles, in place of the one that was installed.")},
    {"LANGUAGE",
     tr_later(
         "Languages of messages, the preferred one first, a colon between them. It counts where LC_ALL, LC_MESSAGES or "
         "LANG, whichever is set first, names a locale other than C; without it that locale decides.")},
    {"CUDA_VISIBLE_DEVICES", tr_later("Read by CUDA: the GPUs that are seen, and their order.")},
    {"CUDA_DEVICE_MAX_CONNECTIONS", tr_later("Read by CUDA: how many hardware queues streams share, 1 to 32 (8).")},
};

bool positional(const Option& option) { return !plain_name(option).starts_with('-'); }

std::string syntax(const Command& command) {
  std::string text = "streamscope";
  if (!command.name.empty()) text += fmt::format(" {}", command.name);
  bool options = false;
  for (const Option& each : command.options) {
    if (each.hidden) continue;
    if (!positional(each)) {
      options = true;
    } else {
      text += each.required ? fmt::format(" {}", plain_name(each)) : fmt::format(" [{}]", plain_name(each));
    }
  }
  if (command.rest != nullptr) text += " [WORD]...";
  if (options) text += " [OPTION]...";
  return text;
}

std::string as_one_line(std::string_view text) {
  std::string out(text);
  for (char& c : out) {
    if (c == '\n') c = ' ';
  }
  return out;
}

help::Entry option_entry(const Command& command, const Option& option) {
  help::Entry entry{.kind = help::Kind::option,
                    .word = std::string(plain_name(option)),
                    .of = std::string(command.name),
                    .sentence = help::with_full_stop(option.meaning),
                    .syntax = written(option)};
  if (option.names.starts_with("-o,")) entry.also.emplace_back("-o");
  if (const OptionFacts* const facts = facts_of(command, option)) {
    if (!facts->standard.empty()) entry.standard = tr(facts->standard);
    if (!facts->unit.empty()) entry.unit = tr(facts->unit);
    entry.example = example_of(command, *facts);
  }
  // The default stands for itself.
  const std::string tail = fmt::format(" ({})", entry.standard);
  if (!entry.standard.empty() && option.meaning.ends_with(tail))
    entry.sentence = help::with_full_stop(option.meaning.substr(0, option.meaning.size() - tail.size()));
  if (!command.name.empty()) entry.see.emplace_back(command.name);
  return entry;
}

}  // namespace

std::string_view plain_name(const Option& option) {
  std::string_view name = option.names.substr(0, option.names.find('{'));
  if (name.starts_with('!')) name.remove_prefix(1);
  return name.substr(name.rfind(',') + 1);
}

std::string exit_codes() {
  std::string out;
  for (const Described& each : kExitCodes)
    out += fmt::format("{}  {}  {}", out.empty() ? "" : "\n", each.word, tr(each.meaning));
  return out;
}

std::string written(const Option& option) {
  std::string text(plain_name(option));
  if (positional(option)) return text;
  const std::string_view value = option.value;
  if (option.names.find('{') != std::string_view::npos) return text + "[=VALUE]";
  if (!std::holds_alternative<bool*>(option.target)) text += fmt::format(" {}", value.empty() ? "VALUE" : value);
  if (option.names.starts_with("-o,")) text = "-o, " + text;
  return text;
}

help::Entries command_line_entries(const std::vector<Command>& commands) {
  help::Entries out;
  for (const Command& command : commands) {
    if (command.hidden) continue;
    const bool window = command.name.empty();
    out.push_back({.kind = help::Kind::command,
                   .word = window ? "streamscope" : std::string(command.name),
                   .also = {window ? std::string("window") : fmt::format("streamscope {}", command.name)},
                   .of = std::string(command.name),
                   .sentence = window ? tr("Open the window, on a file or on the default experiment.")
                                      : help::with_full_stop(std::string(command.about)),
                   .syntax = syntax(command),
                   .text = as_one_line(command.footer),
                   .example = std::string(example_of(command))});
    for (const Option& option : command.options) {
      if (option.hidden) continue;
      out.push_back(option_entry(command, option));
    }
  }
  for (const Described& each : kExitCodes) {
    out.push_back({.kind = help::Kind::exit_code,
                   .word = std::string(each.word),
                   .also = {tr("exit code {}", each.word)},
                   .sentence = std::string(tr(each.meaning))});
  }
  for (const Described& each : kVariables) {
    out.push_back(
        {.kind = help::Kind::variable, .word = std::string(each.word), .sentence = std::string(tr(each.meaning))});
  }
  return out;
}

}  // namespace streamscope::cli
