// How long blocks that start together take, and how much of the device they use while they run.
//
// axpb goes in steps: each thread loads four elements, works on four chains of dependent multiply-adds, stores them and
// goes on. The warps of a multiprocessor proceed together, so a step takes the latency of memory and then the
// arithmetic of all warps; memory traffic sets a lower bound. A spin takes the time the program gives it.
//
// tiles and attention go tile by tile (block_pipeline.h).
#pragma once

#include <array>
#include <cstdint>

#include "engine/device/model/int128.h"
#include "engine/device/model/profile/profile.h"
#include "engine/program/program.h"

namespace streamscope::model {

// A kernel as the block scheduler sees it.
struct Grid {
  std::uint64_t blocks = 1;
  std::uint32_t threads = 32;                        // of a block, whole warps
  std::uint32_t shared_bytes = 0;                    // of a block, with what the system reserves
  std::uint32_t registers = 0;                       // of a block
  std::uint32_t carveout = 0;                        // bytes of on-chip memory it wants set aside as shared memory
  bool shares_rates = false;                         // axpb, tiles, attention: slowed by others that run at once
  Nanoseconds spin = 0;                              // else: the time of each block
  std::uint64_t elements = 0;                        // axpb, tiles; attention: 4 bytes each
  std::uint32_t fma = 0;                             // of each element
  std::uint32_t tile = 0;                            // tiles, attention: elements of one
  std::uint32_t stages = 0;                          // tiles in shared memory at once
  program::TileCopy copy = program::TileCopy::sync;  // of tiles
  std::uint32_t copy_bytes = 16;                     // of one thread's copy
  std::uint32_t word_bytes = 16;                     // of what a thread works on at once
  std::uint32_t diverge = 1;                         // parts in which a warp commits
  std::uint32_t producers = 0;                       // warps that only copy
  std::uint64_t pairs = 0;                           // attention: tiles of K, and as many of V, of each block
  std::uint32_t head = 0;                            // elements of a row
  std::uint32_t element = 4;                         // bytes of one
  bool over_the_bus = false;                         // of mapped memory
  Nanoseconds extra = 0;                             // of the whole kernel: pages that must come from the host first
  friend bool operator==(const Grid&, const Grid&) = default;
};
// A default Grid for an operation that is no kernel.
Grid grid_of(const Profile& profile, const program::Program& program, const program::Work& work);
// Of one thread, before the system rounds up to whole warps.
std::uint32_t registers_of(const program::Work& work);

// Blocks of one grid that one multiprocessor holds at once; 0: not even one.
std::uint32_t blocks_that_fit(const Profile& profile, const Grid& grid);

// What all batches of a grid have in common.
struct GridCosts {
  std::uint64_t working = 0;                // blocks with data, the first ones; the others end at once
  Int128 elements = 0, threads = 0;         // axpb, tiles: of a block that works
  Int128 whole_steps = 0, last_blocks = 0;  // steps of all blocks, and how many take part in one more
  Int128 steps = 1;                         // of a block, at most
  Int128 latency = 0, rate = 1;             // of memory and cache, by how much of its data each serves: ns, kB/s
  Int128 alone = 0;                         // one step of a warp alone on its multiprocessor
  Int128 tile_moves = 0;                    // one tile, while every multiprocessor moves one: ns
  Nanoseconds work = 0, work_per_step = 0;  // arithmetic of a block that works, on a multiprocessor of its own
};
GridCosts costs_of(const Profile& profile, const Grid& grid);

struct BatchTime {
  static constexpr std::int64_t kWhole = 1 << 20;  // of shares
  Nanoseconds alone = 0;                           // if nothing else runs
  Int128 memory = 0;                               // of it, at the whole rate of memory
};
// `blocks` of the grid, from block `first` on, start together, at most `busiest` of them on one multiprocessor, the
// last of them `handing_out` later.
BatchTime batch_time(const Profile& profile, const Grid& grid, const GridCosts& costs, std::uint64_t first,
                     std::uint64_t blocks, std::uint32_t busiest, Nanoseconds handing_out);

// The kernel alone on the device, wave by wave: what load() adds up.
Nanoseconds time_alone(const Profile& profile, const Grid& grid);

// Remembers what was computed for the grids seen last: a program repeats few of them.
template <class Value>
class GridCache {
 public:
  const Value& at(const Grid& grid, const auto& compute) {
    const std::uint64_t mixed = (grid.blocks + 3 * grid.threads + 5 * grid.shared_bytes + grid.elements + grid.fma +
                                 static_cast<std::uint64_t>(grid.spin)) *
                                0x9E3779B97F4A7C15u;
    auto& [known, value] = known_[mixed >> (64 - kBits)];
    if (!(known == grid)) {
      value = compute(grid);
      known = grid;
    }
    return value;
  }

 private:
  static constexpr int kBits = 6;
  struct Known {
    Grid grid{.blocks = 0};  // no kernel's
    Value value{};
  };
  std::array<Known, 1 << kBits> known_;
};

}  // namespace streamscope::model
