#include "tests/generated/write_kernel.h"

#include <fmt/format.h>

#include <algorithm>
#include <numeric>
#include <optional>

#include "kernels/kernel.h"
#include "kernels/registry.h"
#include "tests/generated/spelling.h"

namespace streamscope::generated {
namespace {

using kernels::Operands;
using kernels::Option;
using kernels::OptionKind;

// Up to here most of the time, so that programs of many kernels take milliseconds.
constexpr std::int64_t kUsual = 600, kUsualTime = 200'000;
constexpr std::uint64_t kMostBytes = 4 << 20;

std::int64_t value_of(Random& random, const Option& option) {
  if (option.kind == OptionKind::flag) return 1;
  if (option.kind == OptionKind::choice) return random.between(option.least, option.most);
  if (!option.few.empty()) return random.one_of(option.few);
  // What is offered may be that it follows from the others, which is not written.
  if (!option.offered.empty() && !random.once_in(3)) return std::max(option.least, random.one_of(option.offered));
  const std::int64_t usual = option.kind == OptionKind::duration ? kUsualTime
                             : option.kind == OptionKind::bytes  ? option.most
                                                                 : std::max(option.least, kUsual);
  if (random.once_in(400)) return random.doubling(option.least, std::min<std::int64_t>(option.most, 1 << 20));
  return random.doubling(option.least, std::min(option.most, usual));
}

std::string text(Random& random, const Option& option, std::int64_t value) {
  const std::string key = option.leading ? std::string() : fmt::format("{}=", option.key);
  switch (option.kind) {
    case OptionKind::flag: return std::string(option.key);
    case OptionKind::choice: return key + std::string(option.words[static_cast<std::size_t>(value)]);
    case OptionKind::bytes: return key + size(random, static_cast<std::uint64_t>(value));
    case OptionKind::duration: return key + duration(random, value);
    case OptionKind::counts:
    case OptionKind::count: break;
  }
  return key + integer(random, value);
}

struct Chosen {
  kernels::Values values{};
  std::vector<bool> written;
};

// What the statement means with the options that are written.
kernels::Values meant(const kernels::Kernel& kernel, const Chosen& chosen, bool two_ranges) {
  kernels::Values values = kernels::language_values(kernel);
  for (std::size_t i = 0; i < kernel.options.size(); ++i) {
    if (chosen.written[i]) values[i] = chosen.values[i];
  }
  for (std::size_t i = 0; i < kernel.options.size(); ++i) {
    if (!chosen.written[i] && !kernel.options[i].leading) values[i] = kernel.standard(values, i);
  }
  values[kernels::kTwoRanges] = kernel.operands == Operands::either && two_ranges ? 1 : 0;
  return values;
}

// An option to leave out, because the others rule it out.
std::optional<std::size_t> wrong_option(const kernels::Kernel& kernel, const Chosen& chosen,
                                        const kernels::Values& values) {
  if (const auto problem = kernel.check(values)) return problem->option;
  for (std::size_t i = 0; i < kernel.options.size(); ++i) {
    if (chosen.written[i] && values[i] != kernel.standard(values, i) && !kernel.no_effect(values, i).empty()) return i;
  }
  return std::nullopt;
}

Chosen choose_options(Random& random, const kernels::Kernel& kernel, bool two_ranges, std::uint64_t most_bytes) {
  Chosen chosen;
  chosen.written.resize(kernel.options.size());
  const std::uint64_t sparse = random.between(1, 4);
  for (std::size_t i = 0; i < kernel.options.size(); ++i) {
    const Option& option = kernel.options[i];
    chosen.written[i] = option.required || option.leading || random.once_in(sparse);
    chosen.values[i] = value_of(random, option);
  }
  const auto leave_out = [&](std::size_t i) {
    const Option& option = kernel.options[i];
    if (option.required || option.leading || !chosen.written[i]) return false;
    chosen.written[i] = false;
    return true;
  };
  const auto leave_out_all = [&] {
    for (std::size_t i = 0; i < kernel.options.size(); ++i) leave_out(i);
  };
  for (auto values = meant(kernel, chosen, two_ranges); const auto wrong = wrong_option(kernel, chosen, values);
       values = meant(kernel, chosen, two_ranges)) {
    if (!leave_out(*wrong)) leave_out_all();
  }
  // It must fit the memory, too.
  const kernels::Values values = meant(kernel, chosen, two_ranges);
  if (kernel.granularity(values).length > most_bytes || kernel.result_bytes(values, 0) > most_bytes) leave_out_all();
  return chosen;
}

}  // namespace

std::string write_kernel(Random& random, double capability, const std::vector<Memory>& memories,
                         const std::vector<Loop>& loops) {
  const kernels::Kernel& kernel = *random.one_of(kernels::all());
  const Memory &first = random.one_of(memories), &second = random.one_of(memories);
  const bool may_be_two = memories.size() > 1 && first.name != second.name;
  if (kernel.operands == Operands::to_from && !may_be_two) return "spin 5us";
  const bool two =
      kernel.operands == Operands::to_from || (kernel.operands == Operands::either && may_be_two && random.once_in(2));
  const Memory& data = two ? second : first;
  const Chosen chosen = choose_options(random, kernel, two, std::min(first.bytes, data.bytes));
  const kernels::Values values = meant(kernel, chosen, two);
  if (kernel.needs(values).capability > capability) return "spin 5us";
  std::string line(kernel.word);
  if (kernel.operands != Operands::none) {
    const kernels::Granularity unit = kernel.granularity(values);
    const std::uint64_t step = std::lcm(unit.length, unit.offset);
    std::uint64_t most = std::min({data.bytes, unit.most, kMostBytes});
    if (two && kernel.operands == Operands::either) most = std::min(most, first.bytes);
    if (most < step) return "spin 5us";
    const auto bytes = step * static_cast<std::uint64_t>(random.doubling(1, static_cast<std::int64_t>(most / step)));
    if (two) {
      const std::uint64_t result = kernel.result_bytes(values, bytes);
      if (result > first.bytes) return "spin 5us";
      line += fmt::format(" {} from", range(random, first, result, 4, loops));
    }
    line += " " + range(random, data, bytes, step, loops);
  }
  for (std::size_t i = 0; i < kernel.options.size(); ++i) {  // those without a key come first
    if (chosen.written[i]) line += " " + text(random, kernel.options[i], chosen.values[i]);
  }
  return line;
}

}  // namespace streamscope::generated
