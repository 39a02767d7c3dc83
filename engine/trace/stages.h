// What happens inside kernels that copy data into shared memory tile by tile: the times at which some of their blocks
// copied, waited and computed; and the launch parameters of such a kernel.
//
// A block works on its tiles one after the other. Tile k is in place k % places of the block's ring in shared memory:
//
//   load_issued   its copy is issued
//   wait_begun    the block has nothing else to do
//   wait_over     the copy has arrived
//   compute_over  the work on it is done, and its place is free
//
// A block's time is the sum of its work, wait_over..compute_over, and of its waiting (block_time()).
// All times are nanoseconds on the trace's axis.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "engine/base/id.h"
#include "engine/base/time.h"

namespace streamscope::trace {

struct Stage {
  std::uint32_t tile = 0;  // of its block, counted from 0
  Nanoseconds load_issued = kAbsent, wait_begun = kAbsent, wait_over = kAbsent, compute_over = kAbsent;
  friend bool operator==(const Stage&, const Stage&) = default;
};

struct StageBlock {
  OperationIndex operation = kNoOperation;
  std::uint32_t block = 0;           // of the grid
  std::uint32_t multiprocessor = 0;  // that ran it
  std::uint32_t warp = 0;            // that recorded waiting and working
  std::uint32_t copy_warp = 0;       // that recorded the copies: another one where the kernel is warp-specialised
  std::uint32_t places = 1;          // tiles in shared memory at once
  std::uint32_t tiles = 0;           // that it worked on; `stages` has the last of them
  Nanoseconds begin = kAbsent, end = kAbsent;
  std::vector<Stage> stages;      // in order
  std::uint32_t uncertainty = 0;  // of each of its times on the trace's axis, plus or minus; 0: a model's
  // Of a duration within it, as a part of the duration, plus or minus: cycles are converted by two readings of a timer
  // that moves on in steps.
  double rate_uncertainty = 0;
  friend bool operator==(const StageBlock&, const StageBlock&) = default;
};

// A launch of such a kernel on the device.
struct KernelFacts {
  OperationIndex operation = kNoOperation;
  std::uint32_t blocks = 0, threads = 0;  // of the grid, of a block
  std::uint32_t registers = 0;            // of a thread
  std::uint64_t shared_bytes = 0;         // of a block
  std::uint32_t blocks_at_once = 0;       // that a multiprocessor holds
  std::uint32_t most_threads = 0;         // that a multiprocessor holds of any kernel
  std::uint32_t multiprocessors = 0;      // of the device
  std::uint64_t bytes = 0;                // read from and written to the device's memory, at the least
  double flops = 0;                       // floating-point operations; a multiply-add is two
  double copy_rate = 0, peak_flops = 0;   // of the device, a second: a copy within it, read and written; of float32
  // What stands in the kernel where its stages begin and end (kernels::StageCalls); empty: nothing, or not known.
  std::string acquire, commit, wait, barrier, release;
  friend bool operator==(const KernelFacts&, const KernelFacts&) = default;
};

inline constexpr std::size_t kMostKernelFacts = 65'536;  // those of later launches are left out

struct Stages {
  std::uint32_t every = 0;         // one block in so many was recorded; 0: none
  std::vector<StageBlock> blocks;  // by operation, then by block
  friend bool operator==(const Stages&, const Stages&) = default;
};

}  // namespace streamscope::trace
