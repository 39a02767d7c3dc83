#include "app/cli/misuse.h"

#include <fmt/format.h>

#include <algorithm>
#include <iterator>

#include "app/cli/help_entries.h"
#include "app/cli/input.h"
#include "engine/base/suggest.h"
#include "engine/base/translate.h"

namespace streamscope::cli {
namespace {

using Commands = std::vector<Command>;
using Words = std::vector<std::string>;

bool of_window(const Command& command) { return command.name.empty(); }

std::string called(const Command& command) {
  return of_window(command) ? std::string(tr("the window")) : std::string(command.name);
}

// "a", "a and b", "a, b and c"
std::string listed(const Words& words) {
  if (words.size() == 1) return words.front();
  return tr("{} and {}", fmt::join(words.begin(), words.end() - 1, ", "), words.back());
}

std::string line(std::string_view about, std::string_view why) { return tr("{}: error: {}", about, why); }

// "--pgn" of "--pgn=a.png".
std::string name_in(const std::string& word) { return word.substr(0, word.find('=')); }

const Option* option_of(const Command& command, std::string_view name) {
  const auto at = std::find_if(command.options.begin(), command.options.end(),
                               [&](const Option& each) { return plain_name(each) == name; });
  return at == command.options.end() ? nullptr : &*at;
}

const Option* argument_of(const Command& command) {
  const auto at = std::find_if(command.options.begin(), command.options.end(),
                               [](const Option& each) { return !plain_name(each).starts_with('-'); });
  return at == command.options.end() ? nullptr : &*at;
}

// What was typed for the command's argument; empty: nothing.
std::string argument_typed(const Command& command) {
  const Option* const argument = argument_of(command);
  const auto* const text = argument != nullptr ? std::get_if<std::string*>(&argument->target) : nullptr;
  return text != nullptr ? **text : std::string();
}

std::vector<std::string_view> names_of(const Commands& all) {
  std::vector<std::string_view> names;
  for (const Command& each : all) {
    if (!of_window(each) && !each.hidden) names.push_back(each.name);
  }
  return names;
}

// Why an option of the window does nothing for a command.
std::string window_only(const Option& option, const Command& command) {
  std::string why = tr("it is an option of the window, and {} opens none", command.name);
  if (plain_name(option) == "--engine")
    why += tr("; to do it on another machine, start it there: ssh gpubox streamscope {}", command.name);
  return why;
}

std::string unknown_option(const std::string& word, const Command& command, const Commands& all) {
  const std::string name = name_in(word);
  Words owners;
  const Option* option = nullptr;
  const Command* owner = nullptr;
  for (const Command& each : all) {
    const Option* const here = option_of(each, name);
    if (here == nullptr || here->hidden) continue;
    owners.push_back(called(each));
    if (option == nullptr) option = here, owner = &each;
  }
  if (option != nullptr && of_window(*owner)) return line(name, window_only(*option, command));
  if (option != nullptr) {
    std::string why = tr("it is an option of {}, not of {}", listed(owners), called(command));
    if (const OptionFacts* const facts = facts_of(*owner, *option); facts != nullptr && !facts->example.empty())
      why += tr("; write it behind the command, such as {}", example_of(*owner, *facts));
    return line(name, why);
  }
  std::vector<std::string_view> near;
  for (const Option& each : command.options) {
    if (!each.hidden && plain_name(each).starts_with('-')) near.push_back(plain_name(each));
  }
  near.emplace_back("--help");
  if (of_window(command)) near.emplace_back("--version");
  return line(name, tr("{} has no such option", called(command)) + did_you_mean(name, near));
}

std::string extra_word(const std::string& word, const Command& command, const Commands& all) {
  const std::vector<std::string_view> names = names_of(all);
  if (std::find(names.begin(), names.end(), word) != names.end())
    return line(word, tr("{} is the command; write one, and it comes first", called(command)));
  const Option* const argument = argument_of(command);
  if (argument == nullptr) return line(word, tr("{} takes options only; leave the word out", called(command)));
  if (word.find('=') != std::string::npos && option_of(command, "--set") != nullptr)
    return line(word, tr("to set a key of the experiment write --set {}", word));
  return line(word, tr("{} takes one {}, and that is {}; leave one of the two out", called(command),
                       plain_name(*argument), argument_typed(command)));
}

std::string unexpected(const Words& words, const Command& command, const Commands& all) {
  // A misspelled command was taken for the window's file.
  if (const std::string file = argument_typed(command); of_window(command) && !file.empty() && !find_input(file)) {
    if (const std::string meant = did_you_mean(file, names_of(all)); !meant.empty())
      return line(file, tr("there is no such command") + meant);
  }
  const auto is_option = [](const std::string& word) { return word.starts_with('-'); };
  // What stands behind an unknown option may be its value.
  const bool options_only = std::any_of(words.begin(), words.end(), is_option);
  std::string text;
  for (const std::string& word : words) {
    if (options_only && !is_option(word)) continue;
    text += fmt::format("{}{}", text.empty() ? "" : "\n",
                        is_option(word) ? unknown_option(word, command, all) : extra_word(word, command, all));
  }
  return text;
}

std::string example_behind(const Command& command, const Option& option) {
  const OptionFacts* const facts = facts_of(command, option);
  return facts == nullptr || facts->example.empty() ? std::string() : tr(", such as {}", example_of(command, *facts));
}

// What is wrong with the one option that it is about.
std::string wrong_option(const Misuse& misuse) {
  const Option& option = *misuse.option;
  const Command& command = *misuse.command;
  const std::string name(plain_name(option));
  switch (misuse.kind) {
    case Misuse::Kind::without_value:
      return line(name, tr("a value is missing; write {}{}", written(option), example_behind(command, option)));
    case Misuse::Kind::with_value: return line(name, tr("it takes no value; write {} alone, or leave it out", name));
    case Misuse::Kind::repeated: return line(name, tr("it is given more than once; write it once"));
    case Misuse::Kind::empty:
      return line(name, tr("its value is empty; write {}{}, or leave it out", written(option),
                           example_behind(command, option)));
    case Misuse::Kind::no_number:
      return line(fmt::format("{} {}", name, misuse.words.empty() ? "" : misuse.words.front()),
                  tr("write a number{}", example_behind(command, option)));
    case Misuse::Kind::not_given:
      return line(called(command), tr("{} is missing; write it{}", name, example_behind(command, option)));
    case Misuse::Kind::before_command:
    case Misuse::Kind::unexpected: break;
  }
  if (name.starts_with('-')) return line(name, window_only(option, command));
  const auto* const text = std::get_if<std::string*>(&option.target);
  const std::string typed = text != nullptr ? **text : name;
  return line(typed, tr("the command comes first: streamscope {} {}", command.name, typed));
}

}  // namespace

std::string explained(const Misuse& misuse, const std::vector<Command>& all) {
  const Command& command = *misuse.command;
  const std::string what =
      misuse.kind == Misuse::Kind::unexpected ? unexpected(misuse.words, command, all) : wrong_option(misuse);
  std::string asked = "streamscope";
  if (!of_window(command)) asked += fmt::format(" {}", command.name);
  return fmt::format("{}\n{}", what, tr("{} --help shows what may be written.", asked));
}

}  // namespace streamscope::cli
