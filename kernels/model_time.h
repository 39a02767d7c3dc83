// How long a kernel's blocks take on a modelled GPU: plain numbers in and out.
//
// Blocks go in steps, in which each thread loads a few elements, works on them and stores them; or tile by tile through
// shared memory. The model's block scheduler says which blocks run together; the kernel, how long they then take.
#pragma once

#include <cstdint>

#include "engine/base/int128.h"
#include "engine/base/time.h"

namespace streamscope::kernels {

// Multiprocessors and memory, of a device profile.
struct Hardware {
  std::uint32_t multiprocessors = 0;
  std::uint32_t clock_mhz = 0;
  std::uint32_t fma_per_clock = 0;                    // float32 multiply-adds of one multiprocessor
  std::uint32_t fma_latency = 0;                      // millionths of a clock, until a dependent one can start
  Nanoseconds memory_latency = 0, cache_latency = 0;  // of one load and store
  std::uint64_t memory_rate = 0, cache_rate = 0;      // bytes a second, read plus written
  std::uint64_t cache_bytes = 0;
  Int128 copy_rate = 0;  // of large copies within the device: bytes a second, read plus written
};

// A launch as the block scheduler sees it, and what it moves and computes.
struct Shape {
  std::uint64_t blocks = 1;
  std::uint32_t threads = 32;      // of a block
  std::uint64_t shared_bytes = 0;  // of a block
  std::uint32_t registers = 0;     // of a thread, as compiled for compute capability 9.0
  bool alone = false;              // asks for so much shared memory that a multiprocessor has one block
  Nanoseconds duration = 0;        // of each block, where it does not depend on data
  std::uint64_t bytes = 0;         // read and written, at the least
  double flops = 0;
  // Of kernels that record stages: tiles of the block that has the most (0: records none), places for them, and the
  // warp that records all but when copies are issued.
  std::uint64_t tiles = 0;
  std::uint32_t places = 1, warp = 0;
};

// What all blocks of a launch have in common.
struct Costs {
  std::uint64_t working = 0;                // blocks with data, the first ones; the others end at once
  Int128 elements = 0, threads = 0;         // of a block that works
  Int128 whole_steps = 0, last_blocks = 0;  // steps of all blocks, and how many take part in one more
  Int128 steps = 1;                         // of a block, at most
  Int128 latency = 0, rate = 1;             // of memory and cache, by how much of its data each serves: ns, kB/s
  Int128 alone = 0;                         // one step of a warp alone on its multiprocessor
  Int128 tile_moves = 0;                    // one tile, while every multiprocessor moves one: ns
  Nanoseconds work = 0, work_per_step = 0;  // arithmetic of a block that works, on a multiprocessor of its own
};

// How a block brings tiles into shared memory and works on them. The kernel's time comes from this, and so do the
// stages that its blocks would record.
struct BlockPipeline {
  // When the copy of tile k begins; those of the first tiles begin at once.
  enum class CopyBegins : std::uint8_t {
    ahead,      // when tile k - places + 1 has arrived: all threads have then finished with tile k - places
    when_free,  // when the work on tile k - places is done
    in_pairs,   // tiles 2j and 2j + 1: when the work on tile 2j - 1 is done
  };
  CopyBegins begins = CopyBegins::ahead;
  std::uint32_t places = 1;   // tiles in shared memory at once
  Int128 copy = 0, work = 0;  // of one tile among many: ns
  // The part of `work` that a block spends waiting for its own barriers, flags and results. The first half comes before
  // the arithmetic and counts as a wait; the second half counts as work (15 % of the time of an H200's blocks).
  Int128 barriers = 0;
  Int128 first = 0, each = 0;  // time of the first tile, from its copy to the end of its work; of each further one
  Int128 time(Int128 tiles) const { return tiles == 0 ? 0 : first + (tiles - 1) * each; }
};

// The steps of kernels that work on elements one by one, and what such kernels with tiles share with them.
struct Elementwise {
  std::uint64_t elements = 0;
  std::uint64_t blocks = 1;
  std::uint32_t threads = 32;    // of a block, whole warps
  std::uint32_t fma = 0;         // of each element
  std::uint32_t tile = 0;        // elements; 0: no tiles
  Int128 bytes_per_element = 8;  // read and written
  std::uint32_t ranges = 1;      // 2: what is written lies elsewhere than what is read, and the cache has to hold both
};
// A thread works on so many elements at once, in chains of dependent multiply-adds.
inline constexpr std::uint32_t kChains = 4;
Costs elementwise_costs(const Hardware& hardware, const Elementwise& work);
Int128 elementwise_stepping(const Hardware& hardware, std::uint32_t fma, const Costs& costs, std::uint32_t busiest,
                            Int128 blocks, Int128 last);
// A lower bound for multiply-add chains, by the rate of the multiprocessors (128 a cycle each) and by the latency of
// one thread's chains (4 cycles), of which `in_turn` follow each other: ns, with a cycle of so many.
double chains_take(double elements, double fma, double blocks, double in_turn, std::uint32_t multiprocessors,
                   double cycle);

// One tile from memory and back, or from the cache alone, while every multiprocessor moves one: ns. `per_byte`:
// millionths of a nanosecond.
Int128 tile_moves(const Hardware& hardware, Int128 bytes, Int128 per_byte);
Nanoseconds bounded(Int128 time);  // at most kLongestTime
// From thousandths of a clock, and from clocks, to ns.
Int128 from_thousandths(const Hardware& hardware, Int128 thousandths);
Int128 from_clocks(const Hardware& hardware, Int128 clocks);
// The time of something that takes `alone` by itself and shares a resource that serves one request every `turn`. If the
// two are far apart the longer one decides; if they are close, queueing makes it longer than either, by more the larger
// `contention` is.
Int128 queued(Int128 turn, Int128 alone, Int128 contention);
// What requests wait for where memory is busy: tenths of its latency, at half of its rate.
Int128 waiting_in_line(const Costs& costs);
inline constexpr Int128 kWarpThreads = 32, kSchedulers = 4;  // of a multiprocessor

}  // namespace streamscope::kernels
