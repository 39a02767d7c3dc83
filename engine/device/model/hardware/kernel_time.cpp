#include "engine/device/model/hardware/kernel_time.h"

#include <algorithm>
#include <array>
#include <optional>

#include "engine/device/model/hardware/block_pipeline.h"
#include "engine/device/model/hardware/tile_copy_costs.h"
#include "engine/program/attention_shape.h"

namespace streamscope::model {
namespace {

constexpr std::uint32_t kWarp = 32;
constexpr Wide kChains = 4;          // elements a thread works on at once (kernels/axpb/axpb.cu)
constexpr Wide kBytesAnElement = 8;  // 4 read and 4 written
// Registers of a thread, as compiled for compute capability 9.0.
constexpr std::uint32_t kSpinRegisters = 16, kAxpbRegisters = 32, kAttentionRegisters = 128;
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

// One step with so many blocks on a multiprocessor: the chains of one warp, or all warps in turn.
Wide step_time(const Profile::Compute& sm, const Grid& grid, const Pace& pace, Wide resident) {
  const Wide threads = resident * pace.threads;
  const Wide in_turn = divided_up(kChains * kMillion * threads, std::max(1u, sm.fma_a_clock));
  // Where many warps keep a multiprocessor busy, some of them wait for memory while others go on.
  const Wide seen = divided(pace.latency * kBusyWarps, std::max(kBusyWarps, divided(threads, kWarp)));
  return std::max(pace.alone, seen + divided(grid.fma * in_turn, cycles_a_millisecond(sm)));
}

// One tile from memory and back, or from the cache alone, while every multiprocessor moves one: ns.
Wide tile_moves(const Profile::Compute& sm, Wide bytes, Wide a_byte) {
  return divided_up(bytes * sm.multiprocessors * a_byte, kMillion);
}

Grid tiles_grid(const Profile& profile, const program::op::Tiles& tiles) {
  const bool aligned = tiles.align >= 16;
  Grid grid;
  grid.blocks = tiles.blocks != 0 ? tiles.blocks
                                  : tiles.blocks_per_sm * static_cast<std::uint32_t>(profile.compute.multiprocessors);
  grid.threads = tiles.threads;
  grid.shared_bytes = static_cast<std::uint32_t>(program::tile_shared_bytes(tiles.stages, tiles.tile_bytes));
  grid.elements = tiles.range.bytes / 4;
  grid.fma = tiles.fma;
  grid.tile = static_cast<std::uint32_t>(
      std::min<std::uint64_t>(tiles.tile_bytes / 4, std::max<std::uint64_t>(1, grid.elements)));
  grid.stages = tiles.stages;
  grid.copy = tiles.copy;
  grid.word_bytes = aligned ? 16 : 4;
  grid.copy_bytes = program::has_copy_bytes(tiles.copy) ? tiles.copy_bytes : grid.word_bytes;
  if (program::can_diverge(tiles.copy)) grid.diverge = tiles.diverge;
  if (tiles.copy == program::TileCopy::specialised) grid.producers = tiles.producers;
  return grid;
}

Grid attention_grid(const Profile& profile, const program::op::Attention& attention) {
  const Profile::Compute& sm = profile.compute;
  const std::uint64_t its_rows = program::rows(attention);
  Grid grid;
  grid.blocks = std::max<std::uint64_t>(1, program::attention_blocks(attention, its_rows));
  grid.threads = program::kAttentionThreads;
  // One block a multiprocessor: it asks for so much that a second one does not fit, since that would hide its waits.
  const std::uint64_t alone = std::min<std::uint64_t>(sm.block_shared, sm.shared_bytes / 2);
  grid.shared_bytes = static_cast<std::uint32_t>(std::max(program::attention_shared_bytes(attention), alone));
  grid.elements = attention.range.bytes / 4;
  grid.pairs = std::max<std::uint64_t>(1, program::attention_tiles(its_rows) / 2);
  grid.tile = program::kAttentionKeys * attention.head;
  grid.stages = attention.buffers;
  grid.copy = program::TileCopy::cp_async;
  grid.head = attention.head;
  grid.element = attention.bf16 ? 2 : 4;
  return grid;
}

// All blocks take each tile of K and V of their head from the second-level cache: one of them had it brought there.
Pace attention_pace(const Profile& profile, const Grid& grid) {
  const Profile::Compute& sm = profile.compute;
  Pace pace;
  pace.working = grid.blocks;
  pace.elements = divided_up(grid.elements, grid.blocks);
  pace.threads = grid.threads;
  pace.steps = pace.whole_steps = 2 * static_cast<Wide>(grid.pairs);
  const Wide of_a_head =
      divided_up(static_cast<Wide>(grid.pairs) * program::kAttentionKeys, program::kAttentionQueries);
  pace.latency = sm.cache_latency + divided(std::max<Wide>(0, sm.memory_latency - sm.cache_latency), of_a_head);
  const Wide rate = std::max<Wide>(1, static_cast<Wide>(std::max(sm.cache_rate, sm.memory_rate) / 1000));
  pace.rate = rate;
  pace.tile_moves = tile_moves(sm, static_cast<Wide>(grid.tile) * grid.element, kMillion * kMillion / rate);
  const Wide multiply_adds = pace.steps * grid.tile * program::kAttentionQueries;
  pace.work = bounded(divided_up(multiply_adds * 1000, static_cast<Wide>(sm.clock_mhz) * sm.fma_a_clock));
  pace.work_a_step = bounded(divided(Wide{pace.work}, pace.steps));
  return pace;
}

// What blocks of attention bring from the cache, and their rows of Q and O.
Wide attention_moves(const Grid& grid, Wide blocks) {
  const Wide rows = 2 * static_cast<Wide>(grid.pairs) * program::kAttentionKeys + Wide{2} * program::kAttentionQueries;
  return blocks * rows * grid.head * grid.element;
}

}  // namespace

std::uint32_t registers_of(const program::Work& work) {
  if (const auto* tiles = std::get_if<program::op::Tiles>(&work)) return tile_way(tiles->copy).registers;
  if (std::holds_alternative<program::op::Attention>(work)) return kAttentionRegisters;
  return std::holds_alternative<program::op::Axpb>(work) ? kAxpbRegisters : kSpinRegisters;
}

Grid grid_of(const Profile& profile, const program::Program& program, const program::Work& work) {
  Grid grid;
  std::optional<program::Range> moved;
  if (const auto* spin = std::get_if<program::op::Spin>(&work)) {
    grid.blocks = spin->blocks;
    grid.threads = spin->threads;
    grid.shared_bytes = spin->shared_bytes;
    grid.spin = spin->duration;
  } else if (const auto* axpb = std::get_if<program::op::Axpb>(&work)) {
    grid.blocks = axpb->blocks != 0 ? axpb->blocks : 2u * static_cast<std::uint32_t>(profile.compute.multiprocessors);
    grid.threads = axpb->threads;
    grid.elements = axpb->range.bytes / 4;
    grid.fma = axpb->fma;
    moved = axpb->range;
  } else if (const auto* tiles = std::get_if<program::op::Tiles>(&work)) {
    grid = tiles_grid(profile, *tiles);
    moved = tiles->range;
  } else if (const auto* attention = std::get_if<program::op::Attention>(&work)) {
    grid = attention_grid(profile, *attention);
    moved = attention->range;
  } else {
    return grid;
  }
  grid.threads = (grid.threads + kWarp - 1) / kWarp * kWarp;
  grid.registers = registers_of(work) * grid.threads;
  grid.shared_bytes += profile.compute.block_shared_reserved;
  if (moved) {
    grid.shares_rates = true;
    grid.over_the_bus = program.buffers[moved->buffer.value].host == program::HostMemory::mapped;
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
  if (grid.pairs > 0) return attention_pace(profile, grid);
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
  const Wide memory_rate = grid.tile > 0 ? tile_rate(profile) : static_cast<Wide>(sm.memory_rate);
  const Wide from_memory = std::max<Wide>(1, divided(memory_rate, 1000));
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
    pace.tile_moves = tile_moves(sm, static_cast<Wide>(grid.tile) * kBytesAnElement, a_byte);
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
    stepping = block_pipeline(profile, grid, pace, busiest).time(pace.whole_steps + (last > 0 ? 1 : 0));
  } else {
    if (pace.whole_steps > 0) stepping += pace.whole_steps * step_time(sm, grid, pace, busiest);
    if (last > 0) stepping += step_time(sm, grid, pace, divided_up(last * busiest, static_cast<Wide>(blocks)));
  }

  const Wide bytes = grid.pairs > 0 ? attention_moves(grid, working) : elements * kBytesAnElement;
  const Wide memory = divided_up(bytes * kMillion, pace.rate);
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

}  // namespace streamscope::model
