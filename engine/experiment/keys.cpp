#include "engine/experiment/keys.h"

#include <fmt/format.h>

#include <algorithm>
#include <type_traits>

#include "engine/base/quantity.h"
#include "engine/base/suggest.h"
#include "engine/base/translate.h"
#include "engine/experiment/description.h"
#include "kernels/registry.h"

namespace streamscope::experiment::keys {
namespace {

constexpr std::string_view kKernelName = "kernel.name";

Problem read_duration(const Given& given, std::int64_t& out) {
  const auto* text = std::get_if<std::string>(&given.value);
  if (text == nullptr) {
    const auto* number = std::get_if<std::int64_t>(&given.value);
    if (number == nullptr) return expected(given, tr("a duration, such as \"300us\""));
    return expected(given, tr("the unit too: \"{}us\", or ns, ms, s", *number));
  }
  const auto duration = parse_duration(*text);
  if (!duration) return fmt::format("{}: {}", given.key, duration.error().message);
  if (*duration == 0) return expected(given, tr("a duration above 0, such as \"300us\""));
  out = *duration;
  return {};
}

Problem read_kernel_name(Draft& draft, const Given& given) {
  std::vector<std::string_view> words;
  for (const kernels::Kernel* const one : kernels::all()) words.push_back(one->word);
  words.push_back("none");
  std::size_t chosen = 0;
  if (Problem problem = choose_word(given, words, chosen)) return problem;
  draft.experiment.kernel.kernel = chosen < kernels::all().size() ? kernels::all()[chosen] : nullptr;
  return {};
}

Problem read_kernel_option(Draft& draft, const Given& given, const kernels::Option& option) {
  std::int64_t value = 0;
  Problem problem;
  switch (option.kind) {
    case kernels::OptionKind::flag: {
      bool on = false;
      problem = read_truth(given, on);
      value = on ? 1 : 0;
      break;
    }
    case kernels::OptionKind::choice: {
      std::size_t chosen = 0;
      problem = choose_word(given, option.words, chosen);
      value = static_cast<std::int64_t>(chosen);
      break;
    }
    case kernels::OptionKind::duration: problem = read_duration(given, value); break;
    case kernels::OptionKind::bytes: {
      const auto* zero = std::get_if<std::int64_t>(&given.value);
      if (zero != nullptr && *zero == 0 && in_range(option, 0)) break;
      std::uint64_t size = 0;
      problem = read_size(given, size);
      value = static_cast<std::int64_t>(size);
      break;
    }
    case kernels::OptionKind::counts:
    case kernels::OptionKind::count:
      if (const auto* number = std::get_if<std::int64_t>(&given.value)) {
        value = *number;
      } else if (option.few.empty()) {
        problem = expected(given, tr("a whole number, such as {}", std::max<std::int64_t>(option.least, 4)));
      }
      break;
  }
  if (problem) return problem;
  if (!in_range(option, value)) {
    if (!option.few.empty()) return expected(given, tr("one of: {}", fmt::join(option.few, ", ")));
    const std::int64_t least = option.automatic.empty() ? option.least : 0;
    return option.kind == kernels::OptionKind::bytes
               ? tr("{} is {}; write a size from {} to {}", given.key, as_written(given), least, option.most)
               : tr("{} is {}; write a number from {} to {}", given.key, as_written(given), least, option.most);
  }
  draft.kernel[given.key] = value;
  return {};
}

// A member by its type.
template <class Member>
Problem read_member(const Given& given, const Member& member, Draft& draft) {
  auto& value = member.of(draft.experiment);
  using Value = std::decay_t<decltype(value)>;
  if constexpr (std::is_same_v<Value, kernels::Choice>) {
    const kernels::Option* const option = any_option_behind(given.key);
    return option == nullptr ? read_kernel_name(draft, given) : read_kernel_option(draft, given, *option);
  } else if constexpr (std::is_same_v<Value, std::string>) {
    return read_text(given, value);
  } else if constexpr (std::is_same_v<Value, Texts>) {
    return read_texts(given, value);
  } else if constexpr (std::is_same_v<Value, bool>) {
    return read_truth(given, value);
  } else if constexpr (std::is_enum_v<Value>) {
    std::size_t chosen = 0;
    Problem problem = choose_word(given, kNames<Value>, chosen);
    if (!problem) value = static_cast<Value>(chosen);
    return problem;
  } else {
    std::uint64_t number = value;
    Problem problem = member.unit == "B" ? read_size(given, number)
                                         : read_count(given, static_cast<std::uint64_t>(member.least),
                                                      static_cast<std::uint64_t>(member.most), number);
    value = static_cast<Value>(number);
    return problem;
  }
}

std::vector<std::string> all_keys() {
  std::vector<std::string> all;
  schema::each_member<Experiment>(
      [&](const auto& member) { all.emplace_back(member.key == "kernel" ? kKernelName : member.key); });
  for (const bool of_grid : {false, true}) {
    for (const kernels::Kernel* const kernel : kernels::all()) {
      for (const kernels::Option& option : kernel->options) {
        const std::string key = key_of(option);
        if (option.of_grid == of_grid && std::find(all.begin(), all.end(), key) == all.end()) all.push_back(key);
      }
    }
  }
  return all;
}

}  // namespace

std::span<const std::string> all() {
  static const std::vector<std::string> kAll = all_keys();
  return kAll;
}

std::span<const std::string> of_options() {
  return {std::find(all().begin(), all().end(), kKernelName) + 1, all().end()};
}

const std::string* find(std::string_view key) {
  const auto at = std::find(all().begin(), all().end(), key);
  return at == all().end() ? nullptr : &*at;
}

Problem read(Draft& draft, const Given& given) {
  if (given.key == "chunk") draft.experiment.chunks = 0;
  const std::string_view member_key = given.key.starts_with("kernel.") ? "kernel" : std::string_view(given.key);
  Problem problem;
  schema::each_member<Experiment>([&](const auto& member) {
    if (member.key == member_key) problem = read_member(given, member, draft);
  });
  return problem;
}

std::string key_of(const kernels::Option& option) {
  std::string key = fmt::format("kernel.{}", option.key);
  std::replace(key.begin(), key.end(), '-', '_');
  return key;
}

std::size_t option_behind(const kernels::Kernel& kernel, std::string_view key) {
  const auto at = std::find_if(kernel.options.begin(), kernel.options.end(),
                               [&](const kernels::Option& one) { return key_of(one) == key; });
  return static_cast<std::size_t>(at - kernel.options.begin());
}

const kernels::Option* any_option_behind(std::string_view key) {
  for (const kernels::Kernel* const kernel : kernels::all()) {
    if (const std::size_t at = option_behind(*kernel, key); at < kernel->options.size()) return &kernel->options[at];
  }
  return nullptr;
}

std::string kernels_with(std::string_view key) {
  std::string text;
  for (const kernels::Kernel* const kernel : kernels::all()) {
    if (option_behind(*kernel, key) >= kernel->options.size()) continue;
    if (!text.empty()) text += tr(" or ");
    text += kernel->word;
  }
  return text;
}

void choose_kernel(Draft& draft) {
  kernels::Choice& chosen = draft.experiment.kernel;
  chosen.values = {};
  if (chosen.kernel == nullptr) return;
  chosen.values = kernels::experiment_values(*chosen.kernel);
  for (const auto& [key, value] : draft.kernel) {
    const std::size_t at = option_behind(*chosen.kernel, key);
    if (at < chosen.kernel->options.size()) chosen.values[at] = value;
  }
}

bool in_range(const kernels::Option& option, std::int64_t value) {
  if (value == 0 && !option.automatic.empty()) return true;
  if (!option.few.empty()) return std::find(option.few.begin(), option.few.end(), value) != option.few.end();
  return value >= option.least && value <= option.most;
}

std::string unknown(std::string_view name) {
  const std::string* const of_kernel = find(fmt::format("kernel.{}", name));
  const std::vector<std::string_view> known(all().begin(), all().end());
  const std::string meant = did_you_mean(of_kernel != nullptr ? std::string_view(*of_kernel) : name, known);
  if (!meant.empty()) return tr("unknown key '{}'", name) + meant;
  return tr("unknown key '{}'; the keys are: {}", name, fmt::join(all(), ", "));
}

}  // namespace streamscope::experiment::keys
