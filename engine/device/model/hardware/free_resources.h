// What each multiprocessor has free (thread slots, block slots, registers, shared memory), and where the next blocks go
// (docs/cuda-rules.md 14).
//
// Neighbouring multiprocessors in the same state are kept as one run, so that a grid larger than the device costs a few
// runs and not a look at every multiprocessor. How many blocks fit is kept for one shape of block at a time, the one
// that was asked about last, and is updated with every change.
#pragma once

#include <cstdint>
#include <vector>

#include "engine/device/model/hardware/kernel_time.h"

namespace streamscope::model {

class FreeResources {
 public:
  explicit FreeResources(const Profile& profile);

  // `blocks` on each of `multiprocessors` neighbours.
  struct Placement {
    std::uint32_t first, multiprocessors, blocks;
    Nanoseconds others;  // arithmetic of one step of the blocks that each multiprocessor has already
    Nanoseconds wait;    // until the arithmetic of those is done, if no more come
    friend bool operator==(const Placement&, const Placement&) = default;
  };
  using Placements = std::vector<Placement>;

  // How many blocks of that grid fit now, on the whole device.
  std::uint64_t fitting(const Grid& grid) {
    count_for(needs(grid));
    return fitting_;
  }
  // Blocks go to the multiprocessors where the most fit first; among equals to those of the lower number.
  struct Request {
    const Grid& grid;
    std::uint64_t most;    // blocks
    std::uint32_t places;  // before the others get any, so many multiprocessors, one after the other,
    std::uint32_t each;    // get so many blocks each
    Nanoseconds work;      // arithmetic of a block
    Nanoseconds step;      // arithmetic of one step of a block
  };
  // Takes what as many blocks need as fit, at most Request::most. Returns how many, and in `placed` where.
  std::uint64_t take(const Request& request, Nanoseconds now, Placements& placed);
  void give_back(const Grid& grid, Nanoseconds step, const Placements& placed);
  // How many multiprocessors have arithmetic to do.
  std::uint32_t working(Nanoseconds now) const;

 private:
  // What one block takes, or what one multiprocessor has free. Two numbers share a word, so that one operation counts
  // both.
  struct Needs {
    std::uint64_t blocks_threads = 0, shared_registers = 0;
    std::uint32_t carveout = 0;    // set aside as shared memory; only an empty multiprocessor can change that
    std::uint32_t sets_aside = 0;  // of a block: to how much
    friend bool operator==(const Needs&, const Needs&) = default;
  };
  // Stored in runs_ at the index of its first multiprocessor.
  struct Run {
    std::uint32_t end;  // where the next one begins
    std::uint32_t fit;  // blocks of the current shape that fit, on each of its multiprocessors
    Needs free;         // of each
    Nanoseconds busy;   // each has arithmetic to do until then
    Nanoseconds step;   // arithmetic of one step of all its blocks
  };
  static std::uint64_t packed(std::uint32_t upper, std::uint32_t lower) { return std::uint64_t{upper} << 32 | lower; }
  static Needs needs(const Grid& grid) {
    return {packed(1, grid.threads), packed(grid.shared_bytes, grid.registers), grid.carveout, grid.sets_aside};
  }
  std::uint32_t fit(const Needs& free) const;
  void count_for(const Needs& shape) {
    if (!(shape == shape_)) count_anew(shape);
  }
  void count_anew(const Needs& shape);
  std::uint64_t place(std::uint32_t run, std::uint32_t blocks, const Request& request, Placements& placed);
  void change(std::uint32_t run, const Needs& shape, bool is_counted, std::int32_t blocks);
  std::uint32_t run_of(std::uint32_t at) const;
  void split(std::uint32_t run, std::uint32_t at);
  void join_around(std::uint32_t first, std::uint32_t end);

  const Needs empty_;                  // what an empty multiprocessor has free
  std::vector<Run> runs_;              // by multiprocessor
  std::vector<std::uint64_t> begins_;  // one bit for each multiprocessor: whether a run begins there
  Nanoseconds now_ = 0;                // of the latest take()
  Needs shape_;                        // of the blocks that are counted below
  std::uint32_t fit_when_empty_ = 0;   // on one multiprocessor
  std::uint64_t per_threads_ = 0, per_shared_bytes_ = 0, per_registers_ = 0;  // reciprocals of what a block needs
  std::vector<std::uint32_t> multiprocessors_by_fit_;                         // how many have room for n blocks
  std::uint64_t fitting_ = 0;                                                 // blocks, on all of them
};

}  // namespace streamscope::model
