// What a shell completes: commands, options, their values, names that come with the program.
#include <fmt/format.h>

#include <set>
#include <variant>

#include "app/cli/catalogue.h"
#include "app/cli/help_entries.h"
#include "app/timeline/theme.h"
#include "engine/base/translate.h"
#include "engine/device/catalog/catalog.h"
#include "engine/device/device.h"
#include "engine/sweep/sweep.h"

namespace streamscope::cli {
namespace {

using Words = std::vector<std::string>;

std::string joined(const Words& words) { return fmt::format("{}", fmt::join(words, " ")); }

// What may stand behind the option. Nothing where nobody knows.
struct Values {
  Words words;
  bool files = false;
};

Words names_of(const help::Entries& entries, std::set<help::Kind> kinds, std::string_view behind = "") {
  std::set<std::string> all;
  for (const help::Entry& each : entries) {
    if (kinds.contains(each.kind) && each.word.find_first_of(" {}#'\"`|?*[]") == std::string::npos)
      all.insert(each.word + std::string(behind));
  }
  return {all.begin(), all.end()};
}

// What `help` may be asked for, but words of several parts.
Words words_of_help(const help::Entries& entries) {
  std::set<std::string> all;
  for (const help::Entry& each : entries) {
    for (const std::string& word : names_of({each}, {each.kind})) all.insert(word);
    all.insert(each.calls.begin(), each.calls.end());
  }
  return {all.begin(), all.end()};
}

Words devices() {
  Words words = {"auto", "cuda", "model"};
  for (const model::Profile& each : catalog::shipped_profiles()) words.push_back("model:" + each.id);
  return words;
}

Values values_of(const Option& option, const help::Entries& entries) {
  const std::string_view name = plain_name(option);
  const auto words = [](const auto& table) { return Words(std::begin(table), std::end(table)); };
  if (name == "--device" || name == "--predict") return {devices()};
  if (name == "--instrument") return {words(kNames<device::Instrument>)};
  if (name == "--theme") return {words(kNames<timeline::ThemeName>)};
  if (name == "--colour") return {{"kind", "stream"}};
  if (name == "--tracks") return {{"host", "streams", "engines"}};
  if (name == "--open") return {{"first"}};
  if (name == "--language") return {languages()};
  if (name == "--in-kernel") return {{"all", "10%", "1%", "off"}};
  if (name == "--figure") return {words(sweep::choices())};
  if (name == "--set" || name == "--axis") return {names_of(entries, {help::Kind::experiment_key}, "=")};
  if (name == "FILE") return {names_of(entries, {help::Kind::experiment, help::Kind::program}), true};
  return {{}, option.value == "F" || option.value == "PROFILE.toml"};
}

bool takes_value(const Option& option) { return !std::holds_alternative<bool*>(option.target); }
// Only behind =, as a word of its own would be another argument: `--predict=model`.
bool may_lack_value(const Option& option) { return option.names.find('{') != std::string_view::npos; }
bool has_short_name(const Option& option) { return option.names.starts_with("-o,"); }

// Commands without the window, which has no name.
std::vector<const Command*> shown(const std::vector<Command>& commands) {
  std::vector<const Command*> out;
  for (const Command& each : commands) {
    if (!each.hidden && !each.name.empty()) out.push_back(&each);
  }
  return out;
}

std::string reply(const Values& values) {
  return fmt::format("{}COMPREPLY=($(compgen {}-W \"{}\" -- \"$current\"))",
                     values.files ? "compopt -o filenames; " : "", values.files ? "-f " : "", joined(values.words));
}

std::string bash(const std::vector<Command>& commands, const help::Entries& entries) {
  std::string out =
      "# Completion for streamscope, for bash. Written by `streamscope help --completion bash`.\n"
      "_streamscope() {\n"
      "  local line=${COMP_LINE:0:COMP_POINT} command=${COMP_WORDS[1]} current previous\n"
      "  current=${line##*[[:space:]]}\n"
      "  line=${line%\"$current\"}\n"
      "  line=${line%\"${line##*[![:space:]]}\"}\n"
      "  previous=${line##*[[:space:]]}\n"
      // A value behind = has the sign behind its option.
      "  if [[ $current == --*=* ]]; then previous=${current%%=*}= current=${current#*=}; fi\n"
      "  COMPREPLY=()\n"
      "  case $command:$previous in\n";
  Words names;
  for (const Command* const command : shown(commands)) {
    names.emplace_back(command->name);
    for (const Option& option : command->options) {
      if (option.hidden || !takes_value(option) || !plain_name(option).starts_with('-')) continue;
      const Values values = values_of(option, entries);
      std::string before = fmt::format("{}:{}=", command->name, plain_name(option));
      if (!may_lack_value(option)) before += fmt::format("|{}:{}", command->name, plain_name(option));
      if (has_short_name(option)) before += fmt::format("|{}:-o", command->name);
      out += fmt::format("    {}) {} ;;\n", before, reply(values));
    }
  }
  out += "    *)\n      if [ \"$COMP_CWORD\" -eq 1 ]; then\n        ";
  Values first{names, true};
  const Words files = names_of(entries, {help::Kind::experiment, help::Kind::program});
  first.words.insert(first.words.end(), files.begin(), files.end());
  first.words.insert(first.words.end(), {"--engine", "--help", "--language", "--version"});
  out += reply(first) + "\n      else\n        case $command in\n";
  for (const Command* const command : shown(commands)) {
    Values values{{}, false};
    for (const Option& option : command->options) {
      if (option.hidden) continue;
      if (plain_name(option).starts_with('-')) {
        values.words.emplace_back(plain_name(option));
      } else {
        const Values more = values_of(option, entries);
        values.words.insert(values.words.end(), more.words.begin(), more.words.end());
        values.files |= more.files;
      }
    }
    if (command->rest != nullptr) {
      values.words = words_of_help(entries);
    } else {
      values.words.emplace_back("--help");
    }
    out += fmt::format("          {}) {} ;;\n", command->name, reply(values));
  }
  return out +
         "        esac\n"
         "      fi ;;\n"
         "  esac\n"
         "  [[ ${COMPREPLY[0]-} == *= ]] && compopt -o nospace\n"
         // What stands before a colon is no part of the word that is replaced.
         "  if [[ $current == *:* && $COMP_WORDBREAKS == *:* ]]; then\n"
         "    COMPREPLY=(\"${COMPREPLY[@]#\"${current%\"${current##*:}\"}\"}\")\n"
         "  fi\n"
         "}\n"
         "complete -F _streamscope streamscope\n";
}

// In single quotes, and what _arguments reads as its own escaped.
std::string zsh_text(std::string_view text) {
  std::string out;
  for (const char c : text) {
    if (c == '\'') {
      out += "'\\''";
    } else if (c == '[' || c == ']' || c == ':' || c == '\\') {
      out += fmt::format("\\{}", c);
    } else {
      out += c == '\n' ? ' ' : c;
    }
  }
  return out;
}

std::string zsh_action(const Values& values) {
  std::string words;
  for (const std::string& each : values.words) words += (words.empty() ? "" : " ") + zsh_text(each);
  if (values.words.empty()) return values.files ? "_files" : " ";
  const std::string space = values.words.front().ends_with('=') ? "-S \"\" " : "";
  if (values.files) return fmt::format("{{compadd -- {}; _files}}", words);
  return space.empty() ? fmt::format("({})", words) : fmt::format("{{compadd {}-- {}}}", space, words);
}

std::string zsh(const std::vector<Command>& commands, const help::Entries& entries) {
  std::string out =
      "#compdef streamscope\n"
      "# Completion for streamscope, for zsh. Written by `streamscope help --completion zsh`.\n"
      "_streamscope() {\n"
      "  local -a commands\n"
      "  commands=(\n";
  for (const Command* const command : shown(commands))
    out += fmt::format("    '{}:{}'\n", command->name, zsh_text(command->about));
  out += fmt::format(
      "  )\n"
      "  if (( CURRENT == 2 )); then\n"
      "    _describe command commands\n"
      "    compadd -- {} --engine --help --language --version\n"
      "    _files\n"
      "    return\n"
      "  fi\n"
      "  local command=$words[2]\n"
      "  shift words\n"
      "  (( CURRENT-- ))\n"
      "  case $command in\n",
      joined(names_of(entries, {help::Kind::experiment, help::Kind::program})));
  for (const Command* const command : shown(commands)) {
    out += fmt::format("    {})\n", command->name);
    if (command->rest != nullptr) {
      out += fmt::format("      compadd -- {} ;;\n", joined(words_of_help(entries)));
      continue;
    }
    out += "      _arguments";
    for (const Option& option : command->options) {
      if (option.hidden) continue;
      const std::string_view name = plain_name(option);
      const std::string action = zsh_action(values_of(option, entries));
      if (!name.starts_with('-')) {
        out += fmt::format(" \\\n        '1:{}:{}'", name, action);
      } else if (takes_value(option)) {
        const bool many = std::holds_alternative<std::vector<std::string>*>(option.target);
        const std::string about =
            fmt::format("[{}]{}:{}:{}", zsh_text(option.meaning), may_lack_value(option) ? ":" : "",
                        zsh_text(option.value.empty() ? "value" : option.value), action);
        const char* const sign = may_lack_value(option) ? "=-" : "=";
        const std::string other = has_short_name(option) ? fmt::format("(-o {})", name) : many ? "*" : "";
        out += fmt::format(" \\\n        '{}{}{}{}'", other, name, sign, about);
        if (has_short_name(option)) out += fmt::format(" \\\n        '{}-o+{}'", other, about);
      } else {
        out += fmt::format(" \\\n        '{}[{}]'", name, zsh_text(option.meaning));
      }
    }
    out += fmt::format(" \\\n        '--help[{}]' ;;\n", zsh_text(tr("Print this help message and exit")));
  }
  return out +
         "  esac\n"
         "}\n"
         "_streamscope \"$@\"\n";
}

}  // namespace

std::string completion(const std::vector<Command>& commands, const help::Entries& entries, std::string_view shell) {
  if (shell == "bash") return bash(commands, entries);
  if (shell == "zsh") return zsh(commands, entries);
  return {};
}

}  // namespace streamscope::cli
