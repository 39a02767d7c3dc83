#include "app/window/panels/slider_values.h"

#include <algorithm>
#include <cmath>

#include "engine/program/tile_memory.h"

namespace streamscope::window {
namespace {

constexpr std::uint64_t kMiB = 1ull << 20;
// With more chunks nothing can be made out on the timeline; a file or a text may have more.
constexpr std::uint64_t kMostChunks = 4096;
constexpr std::uint64_t kSmallestChunk = 4096;

std::vector<std::uint64_t> with(std::vector<std::uint64_t> values, std::uint64_t present) {
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

std::vector<std::uint64_t> duration_choices(std::uint64_t present) {
  std::vector<std::uint64_t> values;
  for (std::uint64_t decade = 1'000; decade <= 100'000'000; decade *= 10)
    for (const std::uint64_t step : {1, 2, 3, 5})
      if (decade * step <= 100'000'000) values.push_back(decade * step);
  return with(std::move(values), present);
}

std::vector<std::uint64_t> fma_choices(std::uint64_t present) {
  std::vector<std::uint64_t> values = powers(1, 4096);
  for (const std::uint64_t value : powers(6, 3072)) values.push_back(value);  // between two powers
  return with(std::move(values), present);
}

std::vector<std::uint64_t> block_choices(std::uint64_t present) {
  std::vector<std::uint64_t> values = powers(1, 4096);
  values.push_back(0);
  return with(std::move(values), present);
}

std::vector<std::uint64_t> tile_choices(std::uint64_t present) {
  std::vector<std::uint64_t> values;
  for (std::uint64_t kib = 1; kib <= 64; kib *= 2) {
    values.push_back(kib << 10);
    if (kib >= 8) values.push_back(kib * 3 / 2 << 10);
  }
  return with(std::move(values), present);
}

std::vector<std::uint64_t> stage_choices(std::uint64_t tile) {
  const std::uint32_t most =
      program::stages_that_fit(program::kMostTileStages, static_cast<std::uint32_t>(tile), program::kMostSharedBytes);
  std::vector<std::uint64_t> values{1};
  for (std::uint32_t stages = 2; stages <= most; ++stages) values.push_back(stages);
  return values;
}

std::vector<std::uint64_t> head_choices(const experiment::Experiment& experiment) {
  std::vector<std::uint64_t> values;
  for (const std::uint64_t heads : powers(1, 1024)) {
    const std::uint64_t row = 4 * heads * experiment.kernel_head * (experiment.kernel_bf16 ? 2 : 4);
    if (experiment.chunk % row == 0) values.push_back(heads);
  }
  return with(std::move(values), experiment.kernel_heads);
}

std::vector<std::uint64_t> thread_choices(std::uint64_t present) {
  std::vector<std::uint64_t> values;
  for (std::uint64_t value = 32; value <= 1024; value += value < 256 ? 32 : 128) values.push_back(value);
  return with(std::move(values), present);
}

std::vector<double> what_if_choices(const device::WhatIfNumber& number, double present) {
  std::vector<double> values{number.value, present, number.least, number.most};
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
  std::sort(values.begin(), values.end());
  values.erase(std::unique(values.begin(), values.end()), values.end());
  return values;
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
