#include "kernels/model_time.h"

#include <algorithm>
#include <cmath>

namespace streamscope::kernels {
namespace {

constexpr Int128 kMillion = 1'000'000;
constexpr Int128 kBusyWarps = 8;  // more than these hide memory's latency (H200: axpb of 24 MiB, 4 to 64 warps)
constexpr Int128 kLongestForRoots = Int128{1} << 58;  // ns: the squares can be added and rooted (int128.h)
constexpr Int128 kQueue = 4;
constexpr Int128 kParts = 4;  // of a multiprocessor, each with a warp scheduler: since compute capability 7.0

// Tiles are read and written in long runs and reach this many thousandths of the rate of a large copy within the
// device. Loops over single elements reach memory_rate. So that a change of that number also affects tiles, they get at
// most this many thousandths of it (or the whole of it, where the copy is slower).
constexpr Int128 kOfCopyRate = 928, kOfMemoryRate = 1200;

Int128 tile_rate(const Hardware& hardware) {
  const auto rate = static_cast<Int128>(hardware.memory_rate);
  return std::min(rate * kOfMemoryRate / 1000, std::max(rate, hardware.copy_rate * kOfCopyRate / 1000));
}

Int128 cycles_per_millisecond(const Hardware& hardware) { return static_cast<Int128>(hardware.clock_mhz) * 1000; }

// The multiply-add chains of one warp that is alone on its multiprocessor.
Int128 chained(const Hardware& hardware, std::uint32_t fma) {
  const Int128 cycles = std::max<Int128>(
      hardware.fma_latency, divided_up(kChains * kWarpThreads * kMillion, std::max(1u, hardware.fma_per_clock / 4)));
  return divided(fma * cycles, cycles_per_millisecond(hardware));
}

// One step with `resident` blocks on a multiprocessor: the chains of one warp, or the arithmetic of all warps.
Int128 step_time(const Hardware& hardware, std::uint32_t fma, const Costs& costs, Int128 resident) {
  // Warps are dealt out to the parts of a multiprocessor, each with a fourth of its arithmetic; the part with the most
  // takes longest (H100: the same work in 396 blocks of two warps takes 240 us, in 264 also 236, in 528 185).
  const Int128 threads = divided_up(resident * costs.threads, kParts * kWarpThreads) * kParts * kWarpThreads;
  const Int128 in_turn = divided_up(kChains * kMillion * threads, std::max(1u, hardware.fma_per_clock));
  // Where many warps keep a multiprocessor busy, some of them wait for memory while others go on.
  const Int128 seen = divided(costs.latency * kBusyWarps, std::max(kBusyWarps, divided(threads, kWarpThreads)));
  return std::max(costs.alone, seen + divided(fma * in_turn, cycles_per_millisecond(hardware)));
}

}  // namespace

Costs elementwise_costs(const Hardware& hardware, const Elementwise& work) {
  Costs costs;
  // The items that a grid distributes: four elements to each thread, or a tile to each block.
  const Int128 fours = divided_up(work.elements, kChains);
  const Int128 items = work.tile > 0 ? divided_up(work.elements, work.tile) : fours;
  const Int128 per_block = work.tile > 0 ? 1 : work.threads;
  costs.working =
      static_cast<std::uint64_t>(std::min<Int128>(work.blocks, divided_up(std::max<Int128>(1, items), per_block)));
  costs.elements = divided_up(work.elements, costs.working);
  // Items go to the threads of the first block, then to those of the next. With fewer items than threads all blocks
  // that work but the last are full, and these are what the kernel takes as long as.
  const bool deals_out_once = work.tile == 0 && fours <= static_cast<Int128>(work.blocks) * per_block;
  if (deals_out_once) costs.elements = std::min<Int128>(work.elements, per_block * kChains);
  // How much of the data stays in the L2 cache.
  const Int128 bytes = std::max<Int128>(1, static_cast<Int128>(work.elements) * 4);
  const Int128 stays = std::min<Int128>(bytes, static_cast<Int128>(hardware.cache_bytes / work.ranges));
  const Int128 memory_rate = work.tile > 0 ? tile_rate(hardware) : static_cast<Int128>(hardware.memory_rate);
  const Int128 from_memory = std::max<Int128>(1, divided(memory_rate, 1000));
  const Int128 from_cache = std::max<Int128>(from_memory, static_cast<Int128>(hardware.cache_rate / 1000));
  costs.latency = divided(stays * hardware.cache_latency + (bytes - stays) * hardware.memory_latency, bytes);
  costs.alone = costs.latency + chained(hardware, work.fma);
  const Int128 time = divided(stays * kMillion, from_cache) + divided((bytes - stays) * kMillion, from_memory);
  costs.rate = std::max<Int128>(1, divided(bytes * kMillion, time + 1));
  if (work.tile > 0) {
    constexpr Int128 kWhole = 1024;
    const Int128 cached = divided(stays * kWhole, bytes);
    const Int128 per_byte = divided(cached * (kMillion * kMillion / from_cache) +  // a millionth of a nanosecond
                                        (kWhole - cached) * (kMillion * kMillion / from_memory),
                                    kWhole);
    costs.tile_moves = tile_moves(hardware, static_cast<Int128>(work.tile) * work.bytes_per_element, per_byte);
  }
  costs.work = bounded(
      divided_up(costs.elements * work.fma * 1000, static_cast<Int128>(hardware.clock_mhz) * hardware.fma_per_clock));
  // With less data than threads, some threads of a block have nothing to do.
  const Int128 of_block = deals_out_once ? fours : divided_up(fours, costs.working);
  costs.threads = std::min<Int128>(work.threads, divided_up(of_block, kWarpThreads) * kWarpThreads);
  // All blocks take part in the whole steps; in the last one only the first of them.
  const Int128 at_once = static_cast<Int128>(work.blocks) * per_block;
  costs.whole_steps = divided(items, at_once);
  costs.last_blocks = divided_up(items - costs.whole_steps * at_once, per_block);
  costs.steps = std::max<Int128>(1, costs.whole_steps + (costs.last_blocks > 0 ? 1 : 0));
  costs.work_per_step = bounded(divided(Int128{costs.work}, costs.steps));
  return costs;
}

Int128 elementwise_stepping(const Hardware& hardware, std::uint32_t fma, const Costs& costs, std::uint32_t busiest,
                            Int128 blocks, Int128 last) {
  Int128 time = 0;
  if (costs.whole_steps > 0) time += costs.whole_steps * step_time(hardware, fma, costs, busiest);
  if (last > 0) time += step_time(hardware, fma, costs, divided_up(last * busiest, blocks));
  return time;
}

double chains_take(double elements, double fma, double blocks, double in_turn, std::uint32_t multiprocessors,
                   double cycle) {
  const double by_rate = elements * fma / (std::min<double>(blocks, std::max(1u, multiprocessors)) * 128);
  const double by_latency = std::max(1.0, in_turn) * fma * 4;
  return std::max(by_rate, by_latency) * cycle;
}

Int128 tile_moves(const Hardware& hardware, Int128 bytes, Int128 per_byte) {
  return divided_up(bytes * hardware.multiprocessors * per_byte, kMillion);
}

Nanoseconds bounded(Int128 time) { return static_cast<Nanoseconds>(std::min<Int128>(time, kLongestModelled)); }

Int128 from_thousandths(const Hardware& hardware, Int128 thousandths) {
  return std::min(kLongestForRoots, divided(thousandths, hardware.clock_mhz));
}
Int128 from_clocks(const Hardware& hardware, Int128 clocks) { return from_thousandths(hardware, clocks * 1000); }

// The result c solves c = alone + contention * turn / (c - turn), the waiting time of a queue.
Int128 queued(Int128 turn, Int128 alone, Int128 contention) {
  turn = std::min(turn, kLongestForRoots);
  alone = std::min(alone, kLongestForRoots);
  contention = std::min(contention, kLongestForRoots);
  const Int128 apart = alone - turn;
  return std::max({turn, alone, (turn + alone + root(apart * apart + 4 * contention * turn)) / 2});
}
Int128 waiting_in_line(const Costs& costs) { return costs.latency * kQueue / 10; }

}  // namespace streamscope::kernels
