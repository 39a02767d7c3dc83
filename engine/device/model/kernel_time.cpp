#include "engine/device/model/kernel_time.h"

#include <algorithm>
#include <array>

namespace streamscope {
namespace {

constexpr std::uint32_t kWarp = 32;
constexpr Wide kChains = 4;          // elements a thread works on at once (kernels/axpb.cu)
constexpr Wide kBytesAnElement = 8;  // 4 read and 4 written
// Registers of a thread, as compiled for compute capability 9.0.
constexpr std::uint32_t kSpinRegisters = 16, kAxpbRegisters = 32, kTilesRegisters = 40;
constexpr Wide kBusyWarps = 8;  // more than these hide memory's latency (H200: axpb of 24 MiB, 4 to 64 warps)
constexpr Wide kMillion = 1'000'000;

Nanoseconds bounded(Wide time) { return static_cast<Nanoseconds>(std::min<Wide>(time, kLongestTime)); }

// Of a multiprocessor's on-chip memory the part set aside as shared memory comes in these sizes: CUDA C++ Programming
// Guide, compute capability 9.0. The driver takes the least that lets as many blocks run as fit otherwise, but not 16
// KiB: on an H200 blocks that need 32 begin beside those that need 16.
std::uint32_t carveout(std::uint32_t bytes) {
  constexpr std::array<std::uint32_t, 9> kKib{0, 8, 32, 64, 100, 132, 164, 196, 228};
  for (const std::uint32_t kib : kKib) {
    if (bytes <= kib << 10) return kib << 10;
  }
  return bytes;
}

Wide cycles_a_millisecond(const Profile::Compute& sm) { return static_cast<Wide>(sm.clock_mhz) * 1000; }

// The chains of one warp with nobody in its way.
Wide chained(const Profile::Compute& sm, const Grid& grid) {
  const Wide cycles =
      std::max<Wide>(sm.fma_latency, divided_up(kChains * kWarp * kMillion, std::max(1u, sm.fma_a_clock / 4)));
  return divided(grid.fma * cycles, cycles_a_millisecond(sm));
}

// One tile with so many blocks on a multiprocessor (kernels/tiles/loop.cuh says how copies and work take turns).
struct TileTime {
  Wide copy, work;
  // Of one among many; the first of a block has to wait for its copy in any case.
  Wide each(Wide stages) const { return stages == 1 ? copy + work : std::max(work, divided_up(copy, stages - 1)); }
};
TileTime tile_time(const Profile& profile, const Grid& grid, const Pace& pace, Wide resident) {
  const Profile::Compute& sm = profile.compute;
  const Wide fours_a_thread = divided_up(grid.tile, kChains * grid.threads);
  // While some blocks copy, others work: a copy has twice its share of memory's rate.
  Wide copy = pace.latency + divided(resident * pace.tile_moves, 2);
  if (grid.through_registers) copy += pace.latency * (fours_a_thread - 1);
  // Between two tiles all threads meet, read shared memory and get rid of their results.
  const Wide in_between = 2 * pace.latency;
  const Wide in_turn = divided_up(static_cast<Wide>(grid.tile) * resident * kMillion, std::max(1u, sm.fma_a_clock));
  return {copy, in_between + std::max(divided(grid.fma * in_turn, cycles_a_millisecond(sm)),
                                      fours_a_thread * chained(sm, grid))};
}

// So many tiles of each block, with so many blocks on a multiprocessor.
Wide tiles_time(const Profile& profile, const Grid& grid, const Pace& pace, Wide tiles, Wide resident) {
  const TileTime tile = tile_time(profile, grid, pace, resident);
  return tile.copy + tile.work + (tiles - 1) * tile.each(grid.stages);
}

// One step with so many blocks on a multiprocessor: the chains of one warp, or all warps in turn.
Wide step_time(const Profile::Compute& sm, const Grid& grid, const Pace& pace, Wide resident) {
  const Wide threads = resident * pace.threads;
  const Wide in_turn = divided_up(kChains * kMillion * threads, std::max(1u, sm.fma_a_clock));
  // Where many warps keep a multiprocessor busy, some of them wait for memory while others go on.
  const Wide seen = divided(pace.latency * kBusyWarps, std::max(kBusyWarps, divided(threads, kWarp)));
  return std::max(pace.alone, seen + divided(grid.fma * in_turn, cycles_a_millisecond(sm)));
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
  } else if (const auto* axpb = std::get_if<op::Axpb>(&work)) {
    grid.blocks = axpb->blocks != 0 ? axpb->blocks : 2u * static_cast<std::uint32_t>(profile.compute.multiprocessors);
    grid.threads = warps(axpb->threads);
    grid.registers = kAxpbRegisters * grid.threads;
    grid.shares_rates = true;
    grid.elements = axpb->range.bytes / 4;
    grid.fma = axpb->fma;
    grid.over_the_bus = program.buffers[axpb->range.buffer.value].host == HostMemory::mapped;
  }
  if (const auto* tiles = std::get_if<op::Tiles>(&work)) {
    grid.blocks = tiles->blocks != 0
                      ? tiles->blocks
                      : tiles->a_multiprocessor * static_cast<std::uint32_t>(profile.compute.multiprocessors);
    grid.threads = warps(tiles->threads);
    grid.registers = kTilesRegisters * grid.threads;
    grid.shared_bytes += static_cast<std::uint32_t>(tile_shared_bytes(tiles->stages, tiles->tile_bytes));
    grid.shares_rates = true;
    grid.elements = tiles->range.bytes / 4;
    grid.fma = tiles->fma;
    grid.tile = static_cast<std::uint32_t>(
        std::min<std::uint64_t>(tiles->tile_bytes / 4, std::max<std::uint64_t>(1, grid.elements)));
    grid.stages = tiles->stages;
    grid.through_registers = tiles->copy == TileCopy::sync;
    grid.over_the_bus = program.buffers[tiles->range.buffer.value].host == HostMemory::mapped;
  }
  grid.carveout = carveout(blocks_that_fit(profile, grid) * grid.shared_bytes);
  return grid;
}

std::uint32_t blocks_that_fit(const Profile& profile, const Grid& grid) {
  const Profile::Compute& sm = profile.compute;
  std::uint32_t fit = std::min(sm.blocks, sm.threads / grid.threads);
  if (grid.shared_bytes > 0) fit = std::min(fit, sm.shared_bytes / grid.shared_bytes);
  if (grid.registers > 0) fit = std::min(fit, sm.registers / grid.registers);
  return fit;
}

Pace pace_of(const Profile& profile, const Grid& grid) {
  const Profile::Compute& sm = profile.compute;
  Pace pace;
  pace.working = grid.blocks;
  if (!grid.shares_rates) return pace;
  // What the blocks take in turn: fours of elements by each thread, or tiles by each block.
  const Wide fours = divided_up(grid.elements, kChains);
  const Wide items = grid.tile > 0 ? divided_up(grid.elements, grid.tile) : fours;
  const Wide of_a_block = grid.tile > 0 ? 1 : grid.threads;
  pace.working =
      static_cast<std::uint64_t>(std::min<Wide>(grid.blocks, divided_up(std::max<Wide>(1, items), of_a_block)));
  pace.elements = divided_up(grid.elements, pace.working);
  // Of more data than the second-level cache holds, so much stays there.
  const Wide bytes = std::max<Wide>(1, static_cast<Wide>(grid.elements) * 4);
  const Wide stays = std::min<Wide>(bytes, static_cast<Wide>(sm.cache_bytes));
  const Wide from_memory = std::max<Wide>(1, static_cast<Wide>(sm.memory_rate / 1000));
  const Wide from_cache = std::max<Wide>(from_memory, static_cast<Wide>(sm.cache_rate / 1000));
  pace.latency = divided(stays * sm.cache_latency + (bytes - stays) * sm.memory_latency, bytes);
  pace.alone = pace.latency + chained(sm, grid);
  const Wide time = divided(stays * kMillion, from_cache) + divided((bytes - stays) * kMillion, from_memory);
  pace.rate = std::max<Wide>(1, divided(bytes * kMillion, time + 1));
  if (grid.tile > 0) {
    constexpr Wide kParts = 1024;
    const Wide cached = divided(stays * kParts, bytes);
    const Wide a_byte = divided(cached * (kMillion * kMillion / from_cache) +  // a millionth of a nanosecond
                                    (kParts - cached) * (kMillion * kMillion / from_memory),
                                kParts);
    pace.tile_moves = divided_up(static_cast<Wide>(grid.tile) * 4 * sm.multiprocessors * a_byte, kMillion);
  }
  pace.work = bounded(divided_up(pace.elements * grid.fma * 1000, static_cast<Wide>(sm.clock_mhz) * sm.fma_a_clock));
  // With less data than threads some of a block's threads have nothing to do.
  pace.threads = std::min<Wide>(grid.threads, divided_up(divided_up(fours, pace.working), kWarp) * kWarp);
  // All blocks take part in the whole steps; in the last one the first of them only.
  const Wide at_once = static_cast<Wide>(grid.blocks) * of_a_block;
  pace.whole_steps = divided(items, at_once);
  pace.last_blocks = divided_up(items - pace.whole_steps * at_once, of_a_block);
  pace.steps = std::max<Wide>(1, pace.whole_steps + (pace.last_blocks > 0 ? 1 : 0));
  pace.work_a_step = bounded(divided(Wide{pace.work}, pace.steps));
  return pace;
}

BatchTime batch_time(const Profile& profile, const Grid& grid, const Pace& pace, std::uint64_t first,
                     std::uint64_t blocks, std::uint32_t busiest, Nanoseconds handing_out) {
  const Profile::Compute& sm = profile.compute;
  const Wide overhead = Wide{sm.block_overhead} + handing_out;
  if (!grid.shares_rates) return {bounded(grid.spin + overhead), 0};
  if (first >= pace.working) return {std::max<Nanoseconds>(1, bounded(overhead)), 0};

  const std::uint64_t working = std::min(blocks, pace.working - first);
  const Wide elements = std::min<Wide>(pace.elements * working, grid.elements);
  const Wide last = std::clamp<Wide>(pace.last_blocks - static_cast<Wide>(first), 0, static_cast<Wide>(blocks));
  Wide stepping = 0;
  if (grid.tile > 0) {
    stepping = tiles_time(profile, grid, pace, pace.whole_steps + (last > 0 ? 1 : 0), busiest);
  } else {
    if (pace.whole_steps > 0) stepping += pace.whole_steps * step_time(sm, grid, pace, busiest);
    if (last > 0) stepping += step_time(sm, grid, pace, divided_up(last * busiest, static_cast<Wide>(blocks)));
  }

  const Wide memory = divided_up(elements * kBytesAnElement * kMillion, pace.rate);
  const Wide bus = grid.over_the_bus
                       ? static_cast<Wide>(profile.managed.mapped.at(static_cast<std::uint64_t>(elements) * 4))
                       : Wide{0};

  BatchTime time;
  time.alone = std::max<Nanoseconds>(1, bounded(overhead + std::max({stepping, memory, bus})));
  time.memory = std::min<Wide>(std::max(memory, bus), kLongestTime);
  return time;
}

Nanoseconds time_alone(const Profile& profile, const Grid& grid) {
  const std::uint32_t fit = blocks_that_fit(profile, grid);
  if (fit == 0) return 0;
  const auto multiprocessors = static_cast<std::uint64_t>(profile.compute.multiprocessors);
  const std::uint64_t wave = std::min<std::uint64_t>(grid.blocks, fit * multiprocessors);
  const auto busiest = static_cast<std::uint32_t>((wave + multiprocessors - 1) / multiprocessors);
  const Pace pace = pace_of(profile, grid);
  const Nanoseconds handing =
      bounded(divided_up(static_cast<Wide>(wave) * 1'000'000'000, static_cast<Wide>(profile.compute.block_rate)));
  const Wide working_waves = divided_up(pace.working, wave), waves = divided_up(grid.blocks, wave);
  return bounded(static_cast<Wide>(batch_time(profile, grid, pace, 0, wave, busiest, handing).alone) * working_waves +
                 static_cast<Wide>(batch_time(profile, grid, pace, grid.blocks, wave, busiest, handing).alone) *
                     (waves - working_waves) +
                 grid.extra);
}

}  // namespace streamscope
