#include "app/window/panels/slider_values.h"

#include <algorithm>
#include <cmath>

namespace streamscope::window {
namespace {

constexpr std::uint64_t kMiB = 1ull << 20;
// With more chunks nothing can be made out on the timeline; a file or a text may have more.
constexpr std::uint64_t kMostChunks = 4096;
constexpr std::uint64_t kSmallestChunk = 4096;

// In order, each once.
template <class T>
std::vector<T> with(std::vector<T> values, T present) {
  values.push_back(present);
  std::sort(values.begin(), values.end());
  values.erase(std::unique(values.begin(), values.end()), values.end());
  return values;
}

std::vector<std::uint64_t> powers(std::uint64_t from, std::uint64_t to) {
  std::vector<std::uint64_t> values;
  for (std::uint64_t value = from; value <= to; value *= 2) values.push_back(value);
  return values;
}

}  // namespace

std::vector<std::uint64_t> total_choices(std::uint64_t present) { return with(powers(kMiB, 4096 * kMiB), present); }

std::vector<std::uint64_t> chunk_choices(std::uint64_t bytes, std::uint64_t present) {
  std::vector<std::uint64_t> values;
  for (const std::uint64_t value : powers(kSmallestChunk, std::max(kSmallestChunk, bytes)))
    if (value <= bytes && bytes % value == 0 && bytes / value <= kMostChunks) values.push_back(value);
  if (bytes % 4 == 0) values.push_back(bytes);
  return with(std::move(values), present);
}

std::vector<std::uint64_t> few_of(const std::vector<std::uint64_t>& values, std::size_t most, std::uint64_t present) {
  std::vector<std::uint64_t> out;
  const std::size_t count = std::min(values.size(), most);
  for (std::size_t i = 0; i < count; ++i) out.push_back(values[count < 2 ? 0 : i * (values.size() - 1) / (count - 1)]);
  if (out.empty() || std::ranges::find(out, present) != out.end()) return out;
  if (std::ranges::find(values, present) == values.end()) return out;
  // In the place of the nearest, but of the first and the last.
  const auto after = std::ranges::upper_bound(out, present);
  const auto at = out.size() > 2 ? std::clamp(after, out.begin() + 1, out.end() - 2) : out.begin();
  *at = present;
  std::ranges::sort(out);
  return out;
}

std::vector<std::uint64_t> option_choices(const experiment::Experiment& experiment, std::size_t index) {
  kernels::Choice choice = experiment.kernel;
  const kernels::Kernel& kernel = *choice.kernel;
  const kernels::Option& option = kernel.options[index];
  std::vector<std::int64_t> offered(option.few.begin(), option.few.end());
  if (offered.empty()) offered.assign(option.offered.begin(), option.offered.end());
  if (offered.empty()) {
    for (std::int64_t value = option.least; value <= option.most; ++value) offered.push_back(value);
  }
  if (!option.automatic.empty()) offered.push_back(0);
  std::vector<std::uint64_t> values;
  for (const std::int64_t value : offered) {
    choice.values = experiment.kernel.values;
    choice.values[index] = value;
    kernel.settle(choice.values);
    const kernels::Granularity unit = kernel.granularity(choice.values);
    const bool divides = !unit.option || *unit.option != index || experiment.chunk % unit.length == 0;
    if (divides && !kernel.check(choice.values)) values.push_back(static_cast<std::uint64_t>(value));
  }
  choice.values = experiment.kernel.values;
  kernel.settle(choice.values);
  return with(std::move(values), static_cast<std::uint64_t>(choice.values[index]));
}

kernels::Choice with_kernel(const kernels::Choice& present, const kernels::Kernel* kernel,
                            const std::map<const kernels::Kernel*, kernels::Values>& last) {
  if (kernel == nullptr) return {};
  if (const auto had = last.find(kernel); had != last.end()) return {kernel, had->second};
  kernels::Choice chosen{kernel, kernels::experiment_values(*kernel)};
  for (std::size_t i = 0; present.kernel != nullptr && i < kernel->options.size(); ++i) {
    const std::size_t same = present.kernel->find(kernel->options[i].key);
    if (same < present.kernel->options.size()) chosen.values[i] = present.values[same];
  }
  return chosen;
}

std::vector<double> what_if_choices(const device::WhatIfNumber& number, double present) {
  std::vector<double> values{number.value, number.least, number.most};
  constexpr double kMostCounts = 2'000, kMostFactor = 10;
  if (number.unit.empty() && number.least < 1 && number.most <= kMostFactor) {
    // A factor: finer steps near 1.
    for (int hundredths = 5; hundredths <= 1000; hundredths += hundredths < 200 ? 5 : 50) {
      if (const double value = hundredths / 100.0; value >= number.least && value <= number.most)
        values.push_back(value);
    }
  } else if (number.unit.empty() && number.most - number.least <= kMostCounts) {
    for (double value = number.least; value <= number.most; value += 1) values.push_back(value);
  } else {
    // A time may be 0; below a hundredth of the largest a change is hardly visible.
    double decade = std::pow(10, std::floor(std::log10(std::max({number.least, number.most * 1e-3, 1e-9}))));
    for (; decade <= number.most; decade *= 10)
      for (const double step : {1.0, 1.2, 1.5, 2.0, 2.5, 3.0, 4.0, 5.0, 6.0, 8.0})
        if (const double value = std::round(decade * step * 1e6) / 1e6; value >= number.least && value <= number.most)
          values.push_back(value);
  }
  return with(std::move(values), present);
}

experiment::Experiment with_total(experiment::Experiment experiment, std::uint64_t bytes) {
  experiment.bytes = bytes;
  if (experiment.chunk != 0 && experiment.chunk <= bytes && bytes % experiment.chunk == 0) return experiment;
  const std::vector<std::uint64_t> choices = chunk_choices(bytes, bytes);
  std::uint64_t best = choices.front();
  for (const std::uint64_t value : choices)
    if (value <= experiment.chunk) best = std::max(best, value);
  experiment.chunk = best;
  return experiment;
}

}  // namespace streamscope::window
