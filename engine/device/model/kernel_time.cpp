#include "engine/device/model/kernel_time.h"

#include <algorithm>

namespace streamscope {
namespace {

using Wide = __int128;

constexpr std::uint32_t kWarp = 32;
constexpr Wide kChains = 4;          // elements a thread works on at once (kernels/axpb.cu)
constexpr Wide kBytesAnElement = 8;  // 4 read and 4 written
// Registers of a thread, as compiled for compute capability 9.0.
constexpr std::uint32_t kSpinRegisters = 16, kAxpbRegisters = 32;
constexpr Wide kMillion = 1'000'000;

Wide up(Wide value, Wide by) { return (value + by - 1) / by; }
Nanoseconds bounded(Wide time) { return static_cast<Nanoseconds>(std::min<Wide>(time, kLongestTime)); }

std::int64_t share(Wide part, Nanoseconds whole) {
  return static_cast<std::int64_t>(std::min<Wide>(part * BatchTime::kWhole / whole, BatchTime::kWhole));
}

}  // namespace

Grid grid_of(const Profile& profile, const Program& program, const Work& work) {
  const auto warps = [](std::uint32_t threads) { return (threads + kWarp - 1) / kWarp * kWarp; };
  Grid grid;
  grid.shared_bytes = profile.compute.block_shared_reserved;
  if (const auto* spin = std::get_if<op::Spin>(&work)) {
    grid.blocks = spin->blocks;
    grid.threads = warps(spin->threads);
    grid.shared_bytes += spin->shared_bytes;
    grid.registers = kSpinRegisters * grid.threads;
    grid.spin = spin->duration;
    if (spin->shared_bytes > 0) grid.carveout = blocks_that_fit(profile, grid) * grid.shared_bytes;
  } else if (const auto* axpb = std::get_if<op::Axpb>(&work)) {
    grid.blocks = axpb->blocks != 0 ? axpb->blocks : 2u * static_cast<std::uint32_t>(profile.compute.multiprocessors);
    grid.threads = warps(axpb->threads);
    grid.registers = kAxpbRegisters * grid.threads;
    grid.shares_rates = true;
    grid.elements = axpb->range.bytes / 4;
    grid.fma = axpb->fma;
    grid.over_the_bus = program.buffers[axpb->range.buffer.value].host == HostMemory::mapped;
  }
  return grid;
}

std::uint32_t blocks_that_fit(const Profile& profile, const Grid& grid) {
  const Profile::Compute& sm = profile.compute;
  std::uint32_t fit = std::min(sm.blocks, sm.threads / grid.threads);
  if (grid.shared_bytes > 0) fit = std::min(fit, sm.shared_bytes / grid.shared_bytes);
  if (grid.registers > 0) fit = std::min(fit, sm.registers / grid.registers);
  return fit;
}

std::uint64_t working_blocks(const Grid& grid) {
  if (!grid.shares_rates) return grid.blocks;
  const Wide fours = std::max<Wide>(1, up(grid.elements, kChains));
  return static_cast<std::uint64_t>(std::min<Wide>(grid.blocks, up(fours, grid.threads)));
}

BatchTime batch_time(const Profile& profile, const Grid& grid, std::uint64_t first, std::uint64_t blocks,
                     std::uint32_t busiest, std::uint64_t in_a_row) {
  const Profile::Compute& sm = profile.compute;
  const Wide handing_out = up(static_cast<Wide>(in_a_row) * 1'000'000'000, static_cast<Wide>(sm.block_rate));
  const Wide overhead = sm.block_overhead + handing_out;
  if (!grid.shares_rates) return {bounded(grid.spin + overhead), 0, 0};

  const std::uint64_t all_working = working_blocks(grid);
  const std::uint64_t working = first >= all_working ? 0 : std::min(blocks, all_working - first);
  if (working == 0) return {std::max<Nanoseconds>(1, bounded(overhead)), 0, 0};
  const Wide fours = up(grid.elements, kChains);
  const Wide elements = std::min<Wide>(up(grid.elements, all_working) * working, grid.elements);
  const Wide busy_blocks = std::min<Wide>(busiest, up(working, sm.multiprocessors));
  const bool cached = grid.elements * 4 <= sm.cache_bytes;
  const Wide latency = cached ? sm.cache_latency : sm.memory_latency;
  // With less data than threads some of a block's threads have nothing to do.
  const Wide active = std::min<Wide>(grid.threads, up(up(fours, static_cast<Wide>(all_working)), kWarp) * kWarp);
  // A step's arithmetic with so many blocks on a multiprocessor: the chains of one warp, or all warps in turn.
  const auto step = [&](Wide resident) {
    const Wide chained =
        std::max<Wide>(sm.fma_latency, up(kChains * kWarp * kMillion, std::max(1u, sm.fma_a_clock / 4)));
    const Wide in_turn = up(kChains * kMillion * resident * active, static_cast<Wide>(std::max(1u, sm.fma_a_clock)));
    return latency + grid.fma * std::max(chained, in_turn) / (static_cast<Wide>(sm.clock_mhz) * 1000);
  };
  // All threads take part in the whole steps; in the last one those of the first blocks only.
  const Wide all_threads = static_cast<Wide>(grid.blocks) * grid.threads;
  const Wide whole = fours / all_threads;
  const Wide last_blocks = up(fours - whole * all_threads, grid.threads);
  const Wide last =
      std::max<Wide>(0, std::min<Wide>(last_blocks - static_cast<Wide>(first), static_cast<Wide>(blocks)));
  const Wide stepping =
      whole * step(busy_blocks) + (last > 0 ? step(std::min<Wide>(busy_blocks, up(last, sm.multiprocessors))) : 0);

  const Wide arithmetic =
      up(elements * grid.fma * 1000, static_cast<Wide>(sm.clock_mhz) * sm.fma_a_clock * sm.multiprocessors);
  const std::uint64_t rate = cached ? std::max(sm.cache_rate, sm.memory_rate) : sm.memory_rate;
  const Wide memory = up(elements * kBytesAnElement * 1'000'000'000, static_cast<Wide>(rate));
  const Wide bus = grid.over_the_bus
                       ? static_cast<Wide>(profile.managed.mapped.at(static_cast<std::uint64_t>(elements) * 4))
                       : Wide{0};

  BatchTime time;
  time.alone = std::max<Nanoseconds>(1, bounded(overhead + std::max({stepping, memory, bus})));
  time.arithmetic = share(std::min<Wide>(arithmetic, kLongestTime), time.alone);
  time.memory = share(std::min<Wide>(std::max(memory, bus), kLongestTime), time.alone);
  return time;
}

Nanoseconds time_alone(const Profile& profile, const Grid& grid) {
  const std::uint32_t fit = blocks_that_fit(profile, grid);
  if (fit == 0) return 0;
  const auto multiprocessors = static_cast<std::uint64_t>(profile.compute.multiprocessors);
  const std::uint64_t wave = std::min<std::uint64_t>(grid.blocks, fit * multiprocessors);
  const auto busiest = static_cast<std::uint32_t>((wave + multiprocessors - 1) / multiprocessors);
  const Wide working_waves = up(working_blocks(grid), wave), waves = up(grid.blocks, wave);
  return bounded(static_cast<Wide>(batch_time(profile, grid, 0, wave, busiest, wave).alone) * working_waves +
                 static_cast<Wide>(batch_time(profile, grid, grid.blocks, wave, busiest, wave).alone) *
                     (waves - working_waves) +
                 grid.extra);
}

}  // namespace streamscope
