// Which blocks of a program's kernels record their stages, and how many tiles of each are kept.
#pragma once

#include <cstdint>
#include <vector>

#include "engine/program/program.h"

namespace streamscope::device {

// Of all kernels of a pass together; 6 MiB of a trace.
inline constexpr std::uint64_t kMostStagesKept = 1 << 17;
inline constexpr std::uint32_t kFewestTilesKept = 8;  // of a block: no fewer than the most places a block can have

struct RecordedKernel {
  OperationIndex operation = kNoOperation;
  std::uint32_t grid = 0;   // blocks of it
  std::uint32_t every = 1;  // block b * every records, for b below `blocks`
  std::uint32_t blocks = 0;
  std::uint32_t ring = 0;                 // tiles kept of each: a power of two
  std::uint32_t places = 1;               // of a block's shared memory
  std::uint32_t warp = 0, copy_warp = 0;  // see StageBlock
};
struct StagePlan {
  std::vector<RecordedKernel> kernels;  // by operation
  std::uint32_t left_out = 0;           // kernels with stages for which there is no room
  std::uint32_t in_graphs = 0;  // kernels with stages in graphs: their repeated launches could not be distinguished
};
// In each launch of a kernel with tiles one block in `every` records; 0: none.
StagePlan stage_plan(const program::Program& program, std::uint32_t multiprocessors, std::uint32_t every);

}  // namespace streamscope::device
