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
constexpr Int128 kChains = 4;           // elements a thread works on at once (kernels/axpb/axpb.cu)
constexpr Int128 kBytesPerElement = 8;  // 4 read and 4 written
// Registers of a thread, as compiled for compute capability 9.0.
constexpr std::uint32_t kSpinRegisters = 16, kAxpbRegisters = 32, kAttentionRegisters = 128;
constexpr Int128 kBusyWarps = 8;  // more than these hide memory's latency (H200: axpb of 24 MiB, 4 to 64 warps)
constexpr Int128 kMillion = 1'000'000;

Nanoseconds bounded(Int128 time) { return static_cast<Nanoseconds>(std::min<Int128>(time, kLongestTime)); }

// The part of a multiprocessor's on-chip memory that is set aside as shared memory has one of these sizes: CUDA C++
// Programming Guide, compute capability 9.0. The driver takes the smallest that does not reduce how many blocks fit,
// but never 16 KiB: on an H200 blocks that need 32 KiB begin beside blocks that need 16.
std::uint32_t carveout(std::uint32_t bytes) {
  constexpr std::array<std::uint32_t, 9> kKib{0, 8, 32, 64, 100, 132, 164, 196, 228};
  for (const std::uint32_t kib : kKib) {
    if (bytes <= kib << 10) return kib << 10;
  }
  return bytes;
}

Int128 cycles_per_millisecond(const Profile::Compute& sm) { return static_cast<Int128>(sm.clock_mhz) * 1000; }

// The multiply-add chains of one warp that is alone on its multiprocessor.
Int128 chained(const Profile::Compute& sm, const Grid& grid) {
  const Int128 cycles =
      std::max<Int128>(sm.fma_latency, divided_up(kChains * kWarp * kMillion, std::max(1u, sm.fma_per_clock / 4)));
  return divided(grid.fma * cycles, cycles_per_millisecond(sm));
}

// One step with `resident` blocks on a multiprocessor: the chains of one warp, or the arithmetic of all warps.
Int128 step_time(const Profile::Compute& sm, const Grid& grid, const GridCosts& costs, Int128 resident) {
  const Int128 threads = resident * costs.threads;
  const Int128 in_turn = divided_up(kChains * kMillion * threads, std::max(1u, sm.fma_per_clock));
  // Where many warps keep a multiprocessor busy, some of them wait for memory while others go on.
  const Int128 seen = divided(costs.latency * kBusyWarps, std::max(kBusyWarps, divided(threads, kWarp)));
  return std::max(costs.alone, seen + divided(grid.fma * in_turn, cycles_per_millisecond(sm)));
}

// One tile from memory and back, or from the cache alone, while every multiprocessor moves one: ns.
Int128 tile_moves(const Profile::Compute& sm, Int128 bytes, Int128 per_byte) {
  return divided_up(bytes * sm.multiprocessors * per_byte, kMillion);
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
  // One block per multiprocessor: it asks for so much shared memory that a second one does not fit, since that would
  // hide its waits.
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

// Each tile of K and V is read from memory once, by the first block of its head that needs it; the others find it in
// the L2 cache.
GridCosts attention_costs(const Profile& profile, const Grid& grid) {
  const Profile::Compute& sm = profile.compute;
  GridCosts costs;
  costs.working = grid.blocks;
  costs.elements = divided_up(grid.elements, grid.blocks);
  costs.threads = grid.threads;
  costs.steps = costs.whole_steps = 2 * static_cast<Int128>(grid.pairs);
  const Int128 per_head =
      divided_up(static_cast<Int128>(grid.pairs) * program::kAttentionKeys, program::kAttentionQueries);
  costs.latency = sm.cache_latency + divided(std::max<Int128>(0, sm.memory_latency - sm.cache_latency), per_head);
  const Int128 rate = std::max<Int128>(1, static_cast<Int128>(std::max(sm.cache_rate, sm.memory_rate) / 1000));
  costs.rate = rate;
  costs.tile_moves = tile_moves(sm, static_cast<Int128>(grid.tile) * grid.element, kMillion * kMillion / rate);
  const Int128 multiply_adds = costs.steps * grid.tile * program::kAttentionQueries;
  costs.work = bounded(divided_up(multiply_adds * 1000, static_cast<Int128>(sm.clock_mhz) * sm.fma_per_clock));
  costs.work_per_step = bounded(divided(Int128{costs.work}, costs.steps));
  return costs;
}

// Bytes that blocks of attention move: tiles of K and V from the cache, and their rows of Q and O.
Int128 attention_moves(const Grid& grid, Int128 blocks) {
  const Int128 rows =
      2 * static_cast<Int128>(grid.pairs) * program::kAttentionKeys + Int128{2} * program::kAttentionQueries;
  return blocks * rows * grid.head * grid.element;
}

}  // namespace

std::uint32_t registers_of(const program::Work& work) {
  if (const auto* tiles = std::get_if<program::op::Tiles>(&work)) return tile_copy_cost(tiles->copy).registers;
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

GridCosts costs_of(const Profile& profile, const Grid& grid) {
  const Profile::Compute& sm = profile.compute;
  GridCosts costs;
  costs.working = grid.blocks;
  if (!grid.shares_rates) return costs;
  if (grid.pairs > 0) return attention_costs(profile, grid);
  // The items that a grid distributes: four elements to each thread, or a tile to each block.
  const Int128 fours = divided_up(grid.elements, kChains);
  const Int128 items = grid.tile > 0 ? divided_up(grid.elements, grid.tile) : fours;
  const Int128 per_block = grid.tile > 0 ? 1 : grid.threads;
  costs.working =
      static_cast<std::uint64_t>(std::min<Int128>(grid.blocks, divided_up(std::max<Int128>(1, items), per_block)));
  costs.elements = divided_up(grid.elements, costs.working);
  // How much of the data stays in the L2 cache.
  const Int128 bytes = std::max<Int128>(1, static_cast<Int128>(grid.elements) * 4);
  const Int128 stays = std::min<Int128>(bytes, static_cast<Int128>(sm.cache_bytes));
  const Int128 memory_rate = grid.tile > 0 ? tile_rate(profile) : static_cast<Int128>(sm.memory_rate);
  const Int128 from_memory = std::max<Int128>(1, divided(memory_rate, 1000));
  const Int128 from_cache = std::max<Int128>(from_memory, static_cast<Int128>(sm.cache_rate / 1000));
  costs.latency = divided(stays * sm.cache_latency + (bytes - stays) * sm.memory_latency, bytes);
  costs.alone = costs.latency + chained(sm, grid);
  const Int128 time = divided(stays * kMillion, from_cache) + divided((bytes - stays) * kMillion, from_memory);
  costs.rate = std::max<Int128>(1, divided(bytes * kMillion, time + 1));
  if (grid.tile > 0) {
    constexpr Int128 kParts = 1024;
    const Int128 cached = divided(stays * kParts, bytes);
    const Int128 per_byte = divided(cached * (kMillion * kMillion / from_cache) +  // a millionth of a nanosecond
                                        (kParts - cached) * (kMillion * kMillion / from_memory),
                                    kParts);
    costs.tile_moves = tile_moves(sm, static_cast<Int128>(grid.tile) * kBytesPerElement, per_byte);
  }
  costs.work =
      bounded(divided_up(costs.elements * grid.fma * 1000, static_cast<Int128>(sm.clock_mhz) * sm.fma_per_clock));
  // With less data than threads, some threads of a block have nothing to do.
  costs.threads = std::min<Int128>(grid.threads, divided_up(divided_up(fours, costs.working), kWarp) * kWarp);
  // All blocks take part in the whole steps; in the last one only the first of them.
  const Int128 at_once = static_cast<Int128>(grid.blocks) * per_block;
  costs.whole_steps = divided(items, at_once);
  costs.last_blocks = divided_up(items - costs.whole_steps * at_once, per_block);
  costs.steps = std::max<Int128>(1, costs.whole_steps + (costs.last_blocks > 0 ? 1 : 0));
  costs.work_per_step = bounded(divided(Int128{costs.work}, costs.steps));
  return costs;
}

BatchTime batch_time(const Profile& profile, const Grid& grid, const GridCosts& costs, std::uint64_t first,
                     std::uint64_t blocks, std::uint32_t busiest, Nanoseconds handing_out) {
  const Profile::Compute& sm = profile.compute;
  const Int128 overhead = Int128{sm.block_overhead} + handing_out;
  if (!grid.shares_rates) return {bounded(grid.spin + overhead), 0};
  if (first >= costs.working) return {std::max<Nanoseconds>(1, bounded(overhead)), 0};

  const std::uint64_t working = std::min(blocks, costs.working - first);
  const Int128 elements = std::min<Int128>(costs.elements * working, grid.elements);
  const Int128 last =
      std::clamp<Int128>(costs.last_blocks - static_cast<Int128>(first), 0, static_cast<Int128>(blocks));
  Int128 stepping = 0;
  if (grid.tile > 0) {
    stepping = block_pipeline(profile, grid, costs, busiest).time(costs.whole_steps + (last > 0 ? 1 : 0));
  } else {
    if (costs.whole_steps > 0) stepping += costs.whole_steps * step_time(sm, grid, costs, busiest);
    if (last > 0) stepping += step_time(sm, grid, costs, divided_up(last * busiest, static_cast<Int128>(blocks)));
  }

  const Int128 bytes = grid.pairs > 0 ? attention_moves(grid, working) : elements * kBytesPerElement;
  const Int128 memory = divided_up(bytes * kMillion, costs.rate);
  const Int128 bus = grid.over_the_bus
                         ? static_cast<Int128>(profile.managed.mapped.at(static_cast<std::uint64_t>(elements) * 4))
                         : Int128{0};

  BatchTime time;
  time.alone = std::max<Nanoseconds>(1, bounded(overhead + std::max({stepping, memory, bus})));
  time.memory = std::min<Int128>(std::max(memory, bus), kLongestTime);
  return time;
}

Nanoseconds time_alone(const Profile& profile, const Grid& grid) {
  const std::uint32_t fit = blocks_that_fit(profile, grid);
  if (fit == 0) return 0;
  const auto multiprocessors = static_cast<std::uint64_t>(profile.compute.multiprocessors);
  const std::uint64_t wave = std::min<std::uint64_t>(grid.blocks, fit * multiprocessors);
  const auto busiest = static_cast<std::uint32_t>((wave + multiprocessors - 1) / multiprocessors);
  const GridCosts costs = costs_of(profile, grid);
  const Nanoseconds handing =
      bounded(divided_up(static_cast<Int128>(wave) * 1'000'000'000, static_cast<Int128>(profile.compute.block_rate)));
  const Int128 working_waves = divided_up(costs.working, wave), waves = divided_up(grid.blocks, wave);
  return bounded(static_cast<Int128>(batch_time(profile, grid, costs, 0, wave, busiest, handing).alone) *
                     working_waves +
                 static_cast<Int128>(batch_time(profile, grid, costs, grid.blocks, wave, busiest, handing).alone) *
                     (waves - working_waves) +
                 grid.extra);
}

}  // namespace streamscope::model
