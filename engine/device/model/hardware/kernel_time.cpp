#include "engine/device/model/hardware/kernel_time.h"

#include <algorithm>
#include <array>

namespace streamscope::model {
namespace {

using kernels::bounded;

constexpr Int128 kMillion = 1'000'000;
constexpr std::uint64_t kLargeCopy = 256 << 20;

// The part of a multiprocessor's on-chip memory that is set aside as shared memory has one of these sizes: CUDA C++
// Programming Guide, compute capability 9.0.
std::uint32_t carveout(std::uint32_t bytes) {
  constexpr std::array<std::uint32_t, 9> kKib{8, 16, 32, 64, 100, 132, 164, 196, 228};
  for (const std::uint32_t kib : kKib) {
    if (bytes <= kib << 10) return kib << 10;
  }
  return bytes;
}
// What an empty multiprocessor sets aside for a kernel, of each block that fits, where the block needs less: on an H200
// 8 KiB for blocks of 1024 threads, 16 for 512, 32 or more for 256 and less.
constexpr std::uint32_t kSetAside = 4 << 10;

// A program's own kernel, of which a model knows how long a launch takes: as long as that says, or else as moving its
// ranges once. As many of its blocks as fit at once stand for all, each for all of that time.
void stand_in(const Profile& profile, const program::Program& program, const program::Work& work, Grid& grid) {
  Int128 launch = grid.duration;
  if (launch == 0) {
    Int128 bytes = 0;
    for (const program::Range& range : program::ranges_of(program, std::get<program::op::Kernel>(work)))
      bytes += static_cast<Int128>(range.bytes);
    launch = divided_up(bytes * 1'000'000'000, std::max<Int128>(1, static_cast<Int128>(copy_rate(profile))));
  }
  const auto multiprocessors = static_cast<std::uint64_t>(profile.compute.multiprocessors);
  grid.blocks = std::min<std::uint64_t>(grid.blocks,
                                        std::max<std::uint64_t>(1, blocks_that_fit(profile, grid)) * multiprocessors);
  const Int128 handing =
      divided_up(static_cast<Int128>(grid.blocks) * 1'000'000'000, static_cast<Int128>(profile.compute.block_rate));
  grid.duration = std::max<Nanoseconds>(1, bounded(launch - profile.compute.block_overhead - handing));
}

}  // namespace

kernels::Hardware hardware_of(const Profile& profile) {
  const Profile::Compute& sm = profile.compute;
  return {.multiprocessors = static_cast<std::uint32_t>(sm.multiprocessors),
          .clock_mhz = sm.clock_mhz,
          .fma_per_clock = sm.fma_per_clock,
          .fma_latency = sm.fma_latency,
          .memory_latency = sm.memory_latency,
          .cache_latency = sm.cache_latency,
          .memory_rate = sm.memory_rate,
          .cache_rate = sm.cache_rate,
          .cache_bytes = sm.cache_bytes,
          .copy_rate = divided(Int128{2'000'000'000} * static_cast<Int128>(kLargeCopy),
                               std::max<Nanoseconds>(1, profile.copies.on_device.at(kLargeCopy)))};
}

double copy_rate(const Profile& profile) {
  return 2e9 * static_cast<double>(kLargeCopy) /
         static_cast<double>(std::max<Nanoseconds>(1, profile.copies.on_device.at(kLargeCopy)));
}

Grid grid_of(const Profile& profile, const program::Program& program, const program::Work& work) {
  Grid grid;
  grid.kernel = program::kernel_of(program, work);
  if (grid.kernel == nullptr) return grid;
  const Profile::Compute& sm = profile.compute;
  const program::Range& data = program::data_of(std::get<program::op::Kernel>(work));
  const kernels::Shape shape =
      grid.kernel->kernel->shape(grid.kernel->values, data.bytes, static_cast<std::uint32_t>(sm.multiprocessors));
  grid.blocks = std::max<std::uint64_t>(1, shape.blocks);
  grid.threads = (shape.threads + 31) / 32 * 32;
  grid.registers = shape.registers * grid.threads;
  grid.shared_bytes = static_cast<std::uint32_t>(shape.shared_bytes);
  // It asks for so much shared memory that a second block does not fit.
  if (shape.alone) grid.shared_bytes = std::max(grid.shared_bytes, std::min(sm.block_shared, sm.shared_bytes / 2));
  grid.shared_bytes += sm.block_shared_reserved;
  grid.duration = shape.duration;
  grid.bytes = data.bytes;
  if (grid.kernel->kernel->operands != kernels::Operands::none) {
    grid.shares_rates = true;
    const auto is_mapped = [&](const program::Range& range) {
      return program.buffers[range.buffer.value].host == program::HostMemory::mapped;
    };
    // A few results do not matter.
    const program::Range& written = std::get<program::op::Kernel>(work).range;
    grid.over_the_bus = is_mapped(data) || (written.bytes == data.bytes && is_mapped(written));
  }
  if (grid.kernel->kernel->own() != nullptr) stand_in(profile, program, work, grid);
  const std::uint32_t fit = blocks_that_fit(profile, grid);
  grid.carveout = carveout(fit * grid.shared_bytes);
  grid.sets_aside = std::max(grid.carveout, carveout(fit * kSetAside));
  return grid;
}

std::uint32_t blocks_that_fit(const Profile& profile, const Grid& grid) {
  const Profile::Compute& sm = profile.compute;
  std::uint32_t fit = std::min(sm.blocks, sm.threads / grid.threads);
  if (grid.shared_bytes > 0) fit = std::min(fit, sm.shared_bytes / grid.shared_bytes);
  if (grid.registers > 0) fit = std::min(fit, sm.registers / grid.registers);
  return fit;
}

Costs costs_of(const kernels::Hardware& hardware, const Grid& grid) {
  if (!grid.shares_rates) return {.working = grid.blocks};
  return grid.kernel->kernel->costs(hardware, grid.kernel->values, grid.bytes);
}

BatchTime batch_time(const Profile& profile, const kernels::Hardware& hardware, const Grid& grid, const Costs& costs,
                     std::uint64_t first, std::uint64_t blocks, std::uint32_t busiest, Nanoseconds handing_out) {
  const Int128 overhead = Int128{profile.compute.block_overhead} + handing_out;
  if (!grid.shares_rates) return {bounded(grid.duration + overhead), 0};
  if (first >= costs.working) return {std::max<Nanoseconds>(1, bounded(overhead)), 0};

  const kernels::Kernel& kernel = *grid.kernel->kernel;
  const std::uint64_t working = std::min(blocks, costs.working - first);
  const Int128 last =
      std::clamp<Int128>(costs.last_blocks - static_cast<Int128>(first), 0, static_cast<Int128>(blocks));
  const Int128 stepping =
      kernel.stepping(hardware, grid.kernel->values, grid.bytes, costs, busiest, static_cast<Int128>(blocks), last);
  const Int128 moved = kernel.moves(hardware, grid.kernel->values, grid.bytes, costs, static_cast<Int128>(working));
  const Int128 memory = divided_up(moved * kMillion, costs.rate);
  const Int128 data = std::min<Int128>(costs.elements * working * 4, static_cast<Int128>(grid.bytes));
  const Int128 bus =
      grid.over_the_bus ? static_cast<Int128>(profile.managed.mapped.at(static_cast<std::uint64_t>(data))) : Int128{0};

  BatchTime time;
  time.alone = std::max<Nanoseconds>(1, bounded(overhead + std::max({stepping, memory, bus})));
  time.memory = std::min<Int128>(std::max(memory, bus), kLongestModelled);
  return time;
}

Nanoseconds time_alone(const Profile& profile, const kernels::Hardware& hardware, const Grid& grid) {
  const std::uint32_t fit = blocks_that_fit(profile, grid);
  if (fit == 0) return 0;
  const auto multiprocessors = static_cast<std::uint64_t>(profile.compute.multiprocessors);
  const std::uint64_t wave = std::min<std::uint64_t>(grid.blocks, fit * multiprocessors);
  const auto busiest = static_cast<std::uint32_t>((wave + multiprocessors - 1) / multiprocessors);
  const Costs costs = costs_of(hardware, grid);
  const Nanoseconds handing =
      bounded(divided_up(static_cast<Int128>(wave) * 1'000'000'000, static_cast<Int128>(profile.compute.block_rate)));
  const Int128 working_waves = divided_up(costs.working, wave), waves = divided_up(grid.blocks, wave);
  return bounded(
      static_cast<Int128>(batch_time(profile, hardware, grid, costs, 0, wave, busiest, handing).alone) * working_waves +
      static_cast<Int128>(batch_time(profile, hardware, grid, costs, grid.blocks, wave, busiest, handing).alone) *
          (waves - working_waves) +
      grid.migration);
}

}  // namespace streamscope::model
