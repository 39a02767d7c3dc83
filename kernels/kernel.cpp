#include "kernels/kernel.h"

#include <fmt/format.h>

#include <algorithm>
#include <iterator>

#include "engine/base/quantity.h"

namespace streamscope::kernels {

std::array<Access, 2> Kernel::accesses(const Values& values, std::uint64_t bytes) const {
  if (operands == Operands::none) return {};
  if (!has_two_ranges(values)) return {{{0, 0, bytes, true}, {}}};
  return {{{1, 0, bytes, false}, {0, 0, result_bytes(values, bytes), true}}};
}

Int128 Kernel::stepping(const Hardware& hardware, const Values& values, std::uint64_t bytes, const Costs& costs,
                        std::uint32_t busiest, Int128, Int128 last) const {
  return pipeline(hardware, values, bytes, costs, busiest).time(costs.whole_steps + (last > 0 ? 1 : 0));
}

Int128 Kernel::moves(const Hardware&, const Values&, std::uint64_t bytes, const Costs& costs, Int128 blocks) const {
  return 2 * std::min<Int128>(costs.elements * blocks * 4, static_cast<Int128>(bytes));
}

std::size_t leading_options(const Kernel& kernel) {
  return static_cast<std::size_t>(std::ranges::count(kernel.options, true, &Option::leading));
}

std::size_t Kernel::find(std::string_view key) const {
  const auto at = std::find_if(options.begin(), options.end(), [&](const Option& one) { return one.key == key; });
  return static_cast<std::size_t>(at - options.begin());
}

Values language_values(const Kernel& kernel) {
  Values values{};
  for (std::size_t i = 0; i < kernel.options.size(); ++i) values[i] = kernel.options[i].standard;
  return values;
}

Values experiment_values(const Kernel& kernel) {
  Values values{};
  for (std::size_t i = 0; i < kernel.options.size(); ++i) {
    values[i] = kernel.options[i].experiment.value_or(kernel.options[i].standard);
  }
  return values;
}

namespace {

std::string written(const Choice& choice, bool all) {
  std::string text;
  const Kernel& kernel = *choice.kernel;
  const auto out = std::back_inserter(text);
  for (std::size_t i = 0; i < kernel.options.size(); ++i) {
    const Option& option = kernel.options[i];
    const std::int64_t value = choice.values[i];
    const bool left_to_kernel = value == 0 && !option.automatic.empty();
    const bool wanted =
        all || option.required || option.leading || option.always || value != kernel.standard(choice.values, i);
    if (!wanted || left_to_kernel || !kernel.no_effect(choice.values, i).empty()) continue;
    if (option.kind == OptionKind::flag && value == 0) continue;
    if (!text.empty()) text += ' ';
    if (!option.leading) text += option.key;
    if (option.kind == OptionKind::flag) continue;
    if (!option.leading) text += '=';
    switch (option.kind) {
      case OptionKind::bytes:
        text += all ? fmt::format("{}", value) : exact_bytes(static_cast<std::uint64_t>(value));
        break;
      case OptionKind::duration: text += all ? fmt::format("{}ns", value) : exact_duration(value); break;
      case OptionKind::choice: text += option.words[static_cast<std::size_t>(value)]; break;
      default: fmt::format_to(out, "{}", value);
    }
  }
  return text;
}

}  // namespace

std::string written(const Choice& choice) { return written(choice, false); }
std::string written_out(const Choice& choice) { return written(choice, true); }

}  // namespace streamscope::kernels
