// What kernels note of themselves: when they ran, and the stages that blocks go through with each tile, for the
// timeline inside the kernel.
//
// In a launch every `every`-th block records. One thread does it: the first of the block; in a warp-specialised kernel
// the first of the producers records when a copy was issued, and the first of the consumers all the rest. A kernel
// without a place to record to is another instance of the template and carries no code for it.
#pragma once

#include <cstdint>

namespace streamscope::kernels {

// %globaltimer, nanoseconds: the earliest begin and the latest end over all blocks of a launch. A launch without a
// stamp uses another instance of the kernel, which has no code for it.
struct Stamp {
  std::uint64_t start, end;
};

// Where a launch writes its stamp; nowhere by default. With `tickets` the launch is one that a graph repeats, and its
// nth execution (from 0) writes stamps[n]: each block increments that word, which is 0 at first, and the old value
// divided by the number of blocks is n. This requires that one execution ends before the next begins, as those of one
// executable graph do (docs/cuda-rules.md 20). Neither the host nor the graph has to do anything between launches.
struct StampTo {
  StampTo(Stamp* to = nullptr, unsigned long long* drawn_from = nullptr)  // NOLINT: most are just a stamp
      : stamps(to), tickets(drawn_from) {}
  Stamp* stamps;
  unsigned long long* tickets;
};

// The stages of a tile in a block, by clock64 of its multiprocessor.
struct StageClocks {
  std::int64_t load_issued;   // its copy is issued from here on
  std::int64_t wait_begun;    // the block has nothing else to do
  std::int64_t wait_over;     // it has arrived, for all threads
  std::int64_t compute_over;  // the work on it is done, by the warp that records
};

// A block: both clocks at its begin and its end, so that one can be converted into the other.
struct BlockClocks {
  std::uint64_t time_begin, time_end;   // %globaltimer, ns
  std::int64_t clock_begin, clock_end;  // clock64
  std::uint32_t multiprocessor;         // %smid
  std::uint32_t tiles;                  // that it worked on
};

// In device memory. Block b * `every` writes to blocks[b], and its tile k to stages[b * ring + k % ring]: the last
// tiles stay.
struct StagesTo {
  BlockClocks* blocks = nullptr;
  StageClocks* stages = nullptr;
  std::uint32_t ring = 0;   // tiles of a block: a power of two, no fewer than it has stages
  std::uint32_t every = 1;  // 1 or more
};

}  // namespace streamscope::kernels
