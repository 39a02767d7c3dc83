// What can be chosen of tiles, as plain values, and what follows from them: for its options, its time on a model, and
// the kernels.
#pragma once

#include <cstddef>
#include <cstdint>

namespace streamscope::kernels {

// CUDA C++ Programming Guide, "Asynchronous Data Copies"; PTX ISA for the two that are instructions.
enum class TileCopy : std::uint8_t {
  sync,         // loads into registers, stores into shared memory; one stage only
  cp_async,     // cp.async, commit_group, wait_group; compute capability 8.0 and later
  primitives,   // __pipeline_memcpy_async, __pipeline_commit, __pipeline_wait_prior
  cg,           // cooperative_groups::memcpy_async and wait_prior
  barrier,      // cuda::memcpy_async on a cuda::barrier for each stage
  pipeline,     // cuda::memcpy_async on a cuda::pipeline of thread scope
  specialised,  // and on one of block scope: warp-specialised, some warps produce and the others consume
  bulk,         // cp.async.bulk on an mbarrier for each stage; compute capability 9.0 and later
};
inline constexpr int kTileCopies = 8;
// Each thread commits its own copies.
constexpr bool can_diverge(TileCopy copy) {
  return copy == TileCopy::cp_async || copy == TileCopy::primitives || copy == TileCopy::pipeline;
}
inline constexpr std::uint32_t kMostStages = 8;

// A mistake that is made on purpose.
enum class LeaveOut : std::uint8_t {
  nothing,
  wait,     // for the copy of a tile
  barrier,  // behind it, so that threads read what others have not yet copied
};
// Each thread counts the groups that it has committed, and may wait for any number of them.
constexpr bool counts_groups(TileCopy copy) { return copy == TileCopy::cp_async || copy == TileCopy::primitives; }
inline constexpr std::int32_t kAsNeeded = -1;

struct TilesOptions {
  std::uint32_t fma, blocks, threads;
  TileCopy copy;
  std::uint32_t stages;      // 1 to kMostStages
  std::uint32_t tile_bytes;  // a multiple of 16 and of `align`
  std::uint32_t copy_bytes;  // of one thread's copy: 4, 8 or 16, no more than `align`; for cp_async, primitives,
                             // pipeline and specialised
  bool through_l1;           // cp_async of 16 bytes: .ca and not .cg
  std::uint32_t align;       // of the data, in bytes: 4, 16 or 128; at least 16 for bulk
  std::uint32_t diverge;     // 1 to 32: a warp commits in so many parts (cp_async, primitives, pipeline)
  std::uint32_t producers;   // specialised: warps that copy, fewer than there are
  // Of the ways that count groups: how many of them, the newest, are not waited for.
  std::int32_t wait = kAsNeeded;
  LeaveOut leave_out = LeaveOut::nothing;
  std::uint32_t shift = 0;  // bytes by which tiles in shared memory lie off a boundary of 128: 4, 16 or none
};
// Groups that are committed after that of the tile which is worked on next.
constexpr std::int32_t needed_wait(std::uint32_t stages) {
  return stages > 1 ? static_cast<std::int32_t>(stages) - 2 : 0;
}
// Whether it does anything that the usual loop does not.
constexpr bool deviates(const TilesOptions& options) {
  return options.wait != kAsNeeded || options.leave_out != LeaveOut::nothing;
}
constexpr bool reads_too_early(const TilesOptions& options) {
  return options.leave_out != LeaveOut::nothing || options.wait > needed_wait(options.stages);
}

// Shared memory of a block, in bytes: the tiles, and behind them the barriers or pipeline state.
inline constexpr std::size_t kTileCounters = 16, kTileCountersPerStage = 16;
constexpr std::size_t tiles_shared_bytes(std::uint32_t stages, std::uint32_t tile_bytes, std::uint32_t shift = 0) {
  return stages * (tile_bytes + kTileCountersPerStage) + kTileCounters + (shift > 0 ? 16 : 0);
}

}  // namespace streamscope::kernels
