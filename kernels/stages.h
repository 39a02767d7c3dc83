// What the blocks of a kernel write down of their tiles, for the timeline inside it.
//
// Of a launch every `every`-th block writes. One thread does it, of the warp that tells: the first one; where warps
// have roles, the first of those that copy tells when a copy was asked for, and the first of the others all the rest. A
// kernel that is given nowhere to write carries nothing of it: it is another instance of the template.
#pragma once

#include <cstdint>

namespace streamscope::kernels {

// A tile's way through a block: clock64 of its multiprocessor.
struct StageClocks {
  std::int64_t load_issued;   // all of its copy is asked for from here on
  std::int64_t wait_begun;    // the block has nothing else to do
  std::int64_t wait_over;     // it has arrived, for all threads
  std::int64_t compute_over;  // it is worked on, by the warp that tells
};

// A block: both clocks at its begin and its end, so that one can be told by the other.
struct BlockClocks {
  std::uint64_t time_begin, time_end;   // %globaltimer, ns
  std::int64_t clock_begin, clock_end;  // clock64
  std::uint32_t multiprocessor;         // %smid
  std::uint32_t tiles;                  // that it worked on
};

// In device memory. Block b * `every` has blocks[b], and its tile k has stages[b * ring + k % ring]: the newest stay.
struct StagesTo {
  BlockClocks* blocks = nullptr;
  StageClocks* stages = nullptr;
  std::uint32_t ring = 0;   // tiles of a block: a power of two, no fewer than it has stages
  std::uint32_t every = 1;  // 1 or more
};

}  // namespace streamscope::kernels
