// Which blocks of a program's kernels tell their stages, and how many tiles of each are kept.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "engine/program/program.h"

namespace streamscope::device {

// Of all kernels of a pass together; 6 MiB of a trace.
inline constexpr std::uint64_t kMostStagesKept = 1 << 17;
inline constexpr std::uint32_t kFewestTilesKept = 8;  // of a block: no fewer than it can have places

struct ToldKernel {
  OperationIndex operation = kNoOperation;
  std::uint32_t grid = 0;   // blocks of it
  std::uint32_t every = 1;  // block b * every tells, for b below `blocks`
  std::uint32_t blocks = 0;
  std::uint32_t ring = 0;                 // tiles kept of each: a power of two
  std::uint32_t places = 1;               // of a block's shared memory
  std::uint32_t warp = 0, copy_warp = 0;  // see StageBlock
};
struct StagePlan {
  std::vector<ToldKernel> kernels;  // by operation
  std::uint32_t left_out = 0;       // kernels that could tell and for which there is no room
  std::uint32_t in_graphs = 0;      // nodes of graphs tell nothing: who repeats a launch cannot tell its times apart
};
// One block in `every` tells, of each launch of tiles and attention by itself; 0: none does.
StagePlan stage_plan(const program::Program& program, std::uint32_t multiprocessors, std::uint32_t every);

// Blocks and tiles that such a kernel has; nothing of others.
struct TiledGrid {
  std::uint32_t blocks = 0;
  std::uint64_t tiles = 0;  // of the block that has the most
  std::uint32_t places = 1;
};
std::optional<TiledGrid> tiled_grid(const program::Work& work, std::uint32_t multiprocessors);

}  // namespace streamscope::device
