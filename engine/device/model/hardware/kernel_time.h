// How long blocks that start together take, and how much of the device they use while they run. The kernels say how
// long their steps or tiles take (kernels/model_time.h); here is what all of them have in common.
#pragma once

#include <array>
#include <cstdint>

#include "engine/base/int128.h"
#include "engine/device/model/profile/profile.h"
#include "engine/program/program.h"

namespace streamscope::model {

using kernels::Costs;

// A kernel as the block scheduler sees it.
struct Grid {
  std::uint64_t blocks = 1;
  std::uint32_t threads = 32;      // of a block, whole warps
  std::uint32_t shared_bytes = 0;  // of a block, with what the system reserves
  std::uint32_t registers = 0;     // of a block
  std::uint32_t carveout = 0;      // bytes of on-chip memory that must be set aside as shared memory where it begins
  std::uint32_t sets_aside = 0;    // that an empty multiprocessor sets aside for it
  bool shares_rates = false;       // it works on data: slowed by others that run at once
  Nanoseconds duration = 0;        // else: the time of each block
  const kernels::Choice* kernel = nullptr;  // what it is, of the program
  std::uint64_t bytes = 0;                  // of its data
  bool over_the_bus = false;                // of mapped memory
  Nanoseconds migration = 0;                // of the whole kernel: its managed pages that must come from the host first
  friend bool operator==(const Grid&, const Grid&) = default;
};
// A default Grid for an operation that is no kernel.
Grid grid_of(const Profile& profile, const program::Program& program, const program::Work& work);
kernels::Hardware hardware_of(const Profile& profile);
// The rate of large copies within the device: bytes a second, read plus written.
double copy_rate(const Profile& profile);

// Blocks of one grid that one multiprocessor holds at once; 0: not even one.
std::uint32_t blocks_that_fit(const Profile& profile, const Grid& grid);

Costs costs_of(const kernels::Hardware& hardware, const Grid& grid);

struct BatchTime {
  static constexpr std::int64_t kWhole = 1 << 20;  // of shares
  Nanoseconds alone = 0;                           // if nothing else runs
  Int128 memory = 0;                               // of it, at the whole rate of memory
};
// `blocks` of the grid, from block `first` on, start together, at most `busiest` of them on one multiprocessor, the
// last of them `handing_out` later.
BatchTime batch_time(const Profile& profile, const kernels::Hardware& hardware, const Grid& grid, const Costs& costs,
                     std::uint64_t first, std::uint64_t blocks, std::uint32_t busiest, Nanoseconds handing_out);

// The kernel alone on the device, wave by wave: what load() adds up.
Nanoseconds time_alone(const Profile& profile, const kernels::Hardware& hardware, const Grid& grid);

// Remembers what was computed for the grids seen last: a program repeats few of them.
template <class Value>
class GridCache {
 public:
  const Value& at(const Grid& grid, const auto& compute) {
    const std::uint64_t mixed =
        (grid.blocks + 3 * grid.threads + 5 * grid.shared_bytes + grid.bytes / 4 +
         reinterpret_cast<std::uintptr_t>(grid.kernel) + static_cast<std::uint64_t>(grid.duration)) *
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
