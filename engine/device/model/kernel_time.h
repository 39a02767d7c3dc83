// How long blocks that start together take, and how much of the device they use while they run.
//
// axpb goes in steps: each thread loads four elements, works on four chains of dependent multiply-adds, stores them and
// goes on. The warps of a multiprocessor go along together, so a step takes the latency of memory and then the
// arithmetic of all warps; traffic to memory sets a lower bound. A spin takes what it was told.
#pragma once

#include <cstdint>

#include "engine/device/model/profile.h"
#include "engine/device/model/wide.h"
#include "engine/program/program.h"

namespace streamscope {

// A kernel as the block scheduler sees it.
struct Grid {
  std::uint64_t blocks = 1;
  std::uint32_t threads = 32;      // of a block, whole warps
  std::uint32_t shared_bytes = 0;  // of a block, with what the system reserves
  std::uint32_t registers = 0;     // of a block
  std::uint32_t carveout = 0;      // of a multiprocessor's shared memory, that it asks for
  bool shares_rates = false;       // axpb: slowed by others that run at once
  Nanoseconds spin = 0;            // else: the time of each block
  std::uint64_t elements = 0;      // axpb
  std::uint32_t fma = 0;           // axpb, each element
  bool over_the_bus = false;       // axpb of mapped memory
  Nanoseconds extra = 0;           // of the whole kernel: pages that must come from the host first
};
// Nothing for an operation that is no kernel.
Grid grid_of(const Profile& profile, const Program& program, const Work& work);

// Blocks of one grid that one multiprocessor holds at once; 0: not even one.
std::uint32_t blocks_that_fit(const Profile& profile, const Grid& grid);

// What all batches of a grid have in common.
struct Pace {
  std::uint64_t working = 0;              // blocks with something to do, from the first on; those beyond end at once
  Wide elements = 0, threads = 0;         // axpb: of a block that works
  Wide whole_steps = 0, last_blocks = 0;  // steps of all blocks, and how many take part in one more
  Wide latency = 0, rate = 1;             // of memory and cache as its data needs them: ns, kB a second
};
Pace pace_of(const Profile& profile, const Grid& grid);

struct BatchTime {
  static constexpr std::int64_t kWhole = 1 << 20;  // of shares
  Nanoseconds alone = 0;                           // if nothing else runs
  std::int64_t arithmetic = 0;                     // share of the device's multiply-adds, and
  std::int64_t memory = 0;                         // of its memory rate, while it runs at that speed
};
// `blocks` of the grid, from block `first` on, start together, at most `busiest` of them on one multiprocessor, and
// `in_a_row` are handed out one after the other.
BatchTime batch_time(const Profile& profile, const Grid& grid, const Pace& pace, std::uint64_t first,
                     std::uint64_t blocks, std::uint32_t busiest, std::uint64_t in_a_row);

// The kernel alone on the device, wave by wave: what load() adds up.
Nanoseconds time_alone(const Profile& profile, const Grid& grid);

}  // namespace streamscope
