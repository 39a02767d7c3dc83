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
    entry.example = fmt::format("streamscope run four-streams --set {}={}", member.key,
                                tried.find(' ') != std::string::npos ? "'" + tried + "'" : tried);
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
  for (const kernels::Kernel* const kernel : kernels::all()) {
    const kernels::Values standard = kernels::experiment_values(*kernel);
    for (std::size_t i = 0; i < kernel->options.size(); ++i) {
      const kernels::Option& option = kernel->options[i];
      const std::string key = key_of(option);
      const auto same = std::find_if(out.begin(), out.end(), [&](const Entry& each) { return each.word == key; });
      if (same != out.end()) {
        same->of += fmt::format(", {}", kernel->word);
        continue;
      }
      const bool flag = option.kind == kernels::OptionKind::flag;
      out.push_back({.kind = Kind::experiment_key,
                     .word = key,
                     .of = std::string(kernel->word),
                     .sentence = sentence(option),
                     .unit = std::string(option.unit),
                     .standard = flag ? "false" : standard_of(option, standard[i]),
                     .range = flag ? "true, false" : range_of(option),
                     .example = fmt::format("streamscope run four-streams --set kernel.name={} --set {}={}",
                                            kernel->word, key, flag ? "true" : option.example),
                     .see = {std::string(kernel->word), std::string(option.key)}});
    }
  }
  return out;
}

}  // namespace streamscope::help
