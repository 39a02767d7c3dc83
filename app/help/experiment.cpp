// Entries of an experiment's keys, with those of its kernel.
#include "engine/experiment/experiment.h"

#include <fmt/format.h>

#include <algorithm>
#include <type_traits>
#include <utility>

#include "app/help/help.h"
#include "app/help/words.h"
#include "engine/base/quantity.h"
#include "engine/base/translate.h"
#include "engine/experiment/description.h"
#include "engine/experiment/keys.h"
#include "engine/experiment/read_input.h"
#include "kernels/registry.h"

namespace streamscope::help {
namespace {

using experiment::Experiment;

// What to try where the standard is that.
template <class Value>
std::string other_than(const Value& standard) {
  if constexpr (std::is_same_v<Value, bool>) {
    return standard ? "false" : "true";
  } else if constexpr (std::is_enum_v<Value>) {
    return std::string(kNames<Value>.back() == name_of(standard) ? kNames<Value>.front() : kNames<Value>.back());
  } else {
    return fmt::format("{}", standard * 2);
  }
}

std::string example_of_settings(const std::vector<std::string>& settings) {
  return fmt::format("streamscope run four-streams --set {}", fmt::join(settings, " --set "));
}

// The first of these settings of the default experiment that all do something; empty: none are.
std::vector<std::string> first_without_warning(const std::vector<std::vector<std::string>>& tried) {
  for (const std::vector<std::string>& settings : tried) {
    const auto read = experiment::read_input({"default.toml", "default.toml", ""}, settings);
    if (read && read->warnings.empty()) return settings;
  }
  return {};
}

template <class Member>
Entry entry_of(const Member& member) {
  static const Experiment kStandard;
  const auto& value = member.of(kStandard);
  using Value = std::decay_t<decltype(value)>;
  Entry entry{.kind = Kind::experiment_key,
              .word = std::string(member.key),
              .sentence = as_sentence(tr(member.meaning)),
              .unit = std::string(member.unit == "lines" ? "" : member.unit)};
  std::string tried;
  if constexpr (std::is_same_v<Value, bool>) {
    entry.standard = value ? "true" : "false";
    entry.range = "true, false";
    tried = other_than(value);
  } else if constexpr (std::is_enum_v<Value>) {
    entry.standard = name_of(value);
    entry.range = fmt::format("{}", fmt::join(kNames<Value>, ", "));
    tried = other_than(value);
  } else if constexpr (std::is_integral_v<Value>) {
    if (member.unit == "B") {
      entry.standard = exact_bytes(value);
      tried = exact_bytes(value / 2);
    } else {
      entry.standard = value != 0 ? fmt::format("{}", value) : std::string();
      entry.range = tr("{} to {}", static_cast<std::int64_t>(member.least), static_cast<std::int64_t>(member.most));
      tried = other_than(value != 0 ? value : Value{16});
    }
  } else if constexpr (std::is_same_v<Value, std::string>) {
    tried = "\"My experiment\"";
  } else if constexpr (std::is_same_v<Value, std::vector<std::string>>) {
    tried = "[\"pinned\", \"page-locked\"]";
  }
  if (member.key == "program") {
    entry.example = "name = \"One kernel\"\nprogram = '''\nstream A nonblocking\nA: spin 100us\n'''\n";
  } else if (!tried.empty()) {
    // What only several devices have does nothing for one.
    const std::string given = fmt::format("{}={}", member.key, tried);
    std::vector<std::string> settings =
        first_without_warning({{given}, {"devices=2", given}, {"devices=2", "across=halo", given}});
    if (settings.empty()) settings = {given};
    if (tried.find(' ') != std::string::npos) settings.back() = fmt::format("{}='{}'", member.key, tried);
    entry.example = example_of_settings(settings);
  }
  return entry;
}

Entry kernel_name() {
  std::vector<std::string_view> words;
  for (const kernels::Kernel* const one : kernels::all()) words.push_back(one->word);
  words.push_back("none");
  return {.kind = Kind::experiment_key,
          .word = "kernel.name",
          .also = {"kernel"},
          .sentence = tr("The kernel that works on each chunk; none: chunks are only copied."),
          .standard = std::string(experiment::standard_kernel().kernel->word),
          .range = fmt::format("{}", fmt::join(words, ", ")),
          .example = "streamscope run four-streams --set kernel.name=spin",
          .see = {words.begin(), words.end() - 1}};
}

// What an experiment that leaves the key out gives the kernel.
std::string standard_of_key(const kernels::Option& option) {
  if (option.kind == kernels::OptionKind::flag) return "false";
  const std::int64_t value = option.experiment.value_or(option.standard);
  if (value == 0 && !option.automatic.empty()) return fmt::format("0 ({})", tr(option.automatic));
  return value_text(option, value);
}

// Of a key that several kernels have: "axpb, tiles: 2; spin: 1", or the one that all of them share.
std::string standards_of(const std::vector<std::pair<std::string_view, std::string>>& each_kernel) {
  std::vector<std::pair<std::string, std::string>> groups;  // kernels, standard
  for (const auto& [kernel, standard] : each_kernel) {
    const auto same =
        std::find_if(groups.begin(), groups.end(), [&](const auto& one) { return one.second == standard; });
    if (same == groups.end()) {
      groups.emplace_back(kernel, standard);
    } else {
      same->first += fmt::format(", {}", kernel);
    }
  }
  if (groups.size() == 1) return groups.front().second;
  std::string out;
  for (const auto& [kernels, standard] : groups)
    out += fmt::format("{}{}: {}", out.empty() ? "" : "; ", kernels, standard);
  return out;
}

// Settings of the default experiment with the option in it, such that it does something: where others rule it out,
// with another choice among them (kernel.copy=warp-specialised for kernel.producers).
std::string example_of_key(const kernels::Kernel& kernel, const kernels::Option& option) {
  const bool flag = option.kind == kernels::OptionKind::flag;
  const std::string name = fmt::format("kernel.name={}", kernel.word);
  const std::string given = fmt::format("{}={}", key_of(option), flag ? "true" : option.example);
  std::vector<std::vector<std::string>> tried = {{name, given}};
  for (const kernels::Option& other : kernel.options) {
    for (const std::string_view word : other.words)
      tried.push_back({name, fmt::format("{}={}", key_of(other), word), given});
  }
  const std::vector<std::string> settings = first_without_warning(tried);
  return settings.empty() ? std::string() : example_of_settings(settings);
}

// Of an option of one kernel or of several.
Entry kernel_key(const std::string& key) {
  Entry entry{.kind = Kind::experiment_key, .word = key};
  std::vector<std::pair<std::string_view, std::string>> standards;
  for (const kernels::Kernel* const kernel : kernels::all()) {
    const std::size_t at = experiment::keys::option_behind(*kernel, key);
    if (at >= kernel->options.size()) continue;
    const kernels::Option& option = kernel->options[at];
    standards.emplace_back(kernel->word, standard_of_key(option));
    if (!entry.of.empty()) {
      entry.of += fmt::format(", {}", kernel->word);
      continue;
    }
    const bool own = !option.automatic.empty();
    entry.of = kernel->word;
    entry.sentence = sentence(option);
    if (own) entry.sentence += std::string(" ") + tr("0 leaves it to the kernel.");
    entry.unit = option.unit;
    entry.range = option.kind == kernels::OptionKind::flag ? "true, false" : range_of(option, own ? 0 : option.least);
    entry.example = example_of_key(*kernel, option);
    entry.see = {std::string(kernel->word), std::string(option.key)};
  }
  entry.standard = standards_of(standards);
  return entry;
}

}  // namespace

std::string key_of(const kernels::Option& option) {
  std::string key = fmt::format("kernel.{}", option.key);
  std::replace(key.begin(), key.end(), '-', '_');
  return key;
}

Entries experiment() {
  Entries out;
  schema::each_member<Experiment>([&](const auto& member) {
    if (member.key != "kernel") out.push_back(entry_of(member));
  });
  out.push_back(kernel_name());
  for (const std::string& key : experiment::keys::of_options()) out.push_back(kernel_key(key));
  return out;
}

}  // namespace streamscope::help
