// What the multiprocessors have free, as blocks of one sort of kernel see it (cuda-rules 14).
//
// Neighbours in the same state are kept as one run: a grid larger than the device costs a few runs and not a look at
// all multiprocessors. How many blocks fit is kept for the sort that was asked about last and follows every change.
#pragma once

#include <cstdint>
#include <vector>

#include "engine/device/model/hardware/kernel_time.h"

namespace streamscope::model {

class Room {
 public:
  explicit Room(const Profile& profile);

  // So many blocks on each of some neighbours.
  struct Some {
    std::uint32_t first, multiprocessors, blocks;
    Nanoseconds others;  // arithmetic of one step of those that each has already
    Nanoseconds wait;    // until the arithmetic of those is done, should nobody else get any
    friend bool operator==(const Some&, const Some&) = default;
  };
  using Placed = std::vector<Some>;

  // How many blocks of that sort fit now.
  std::uint64_t room(const Grid& grid) {
    look_at(needs(grid));
    return room_;
  }
  // Blocks go to the multiprocessors with the most room first; among equals to those of the lower number.
  struct Asked {
    const Grid& grid;
    std::uint64_t most;    // blocks
    std::uint32_t places;  // on so many multiprocessors, one after the other,
    std::uint32_t each;    // go so many blocks before the others get any
    Nanoseconds work;      // arithmetic of each block
    Nanoseconds step;      // and of one of its steps
  };
  // Takes room for as many blocks as fit, `most` of them at most. Tells where they went, and how many there are.
  std::uint64_t take(const Asked& asked, Nanoseconds now, Placed& placed);
  void give_back(const Grid& grid, Nanoseconds step, const Placed& placed);
  // Multiprocessors that have arithmetic to do.
  std::uint32_t working(Nanoseconds now) const;

 private:
  // What one block takes, or one multiprocessor has free. Two numbers share a word, so that they are counted at once.
  struct Needs {
    std::uint64_t blocks_threads = 0, shared_registers = 0;
    std::uint32_t carveout = 0;  // set aside as shared memory; only an empty one can get more set aside, and keeps it
    friend bool operator==(const Needs&, const Needs&) = default;
  };
  // Kept where it begins.
  struct Run {
    std::uint32_t end;  // where the next one begins
    std::uint32_t fit;  // blocks of the sort, on each of its multiprocessors
    Needs free;         // of each
    Nanoseconds busy;   // with arithmetic until then, each
    Nanoseconds step;   // arithmetic of one step of all its blocks
  };
  static std::uint64_t both(std::uint32_t upper, std::uint32_t lower) { return std::uint64_t{upper} << 32 | lower; }
  static Needs needs(const Grid& grid) {
    return {both(1, grid.threads), both(grid.shared_bytes, grid.registers), grid.carveout};
  }
  std::uint32_t fit(const Needs& free) const;
  void look_at(const Needs& sort) {
    if (!(sort == sort_)) look_anew(sort);
  }
  void look_anew(const Needs& sort);
  std::uint64_t place(std::uint32_t run, std::uint32_t blocks, const Asked& asked, Placed& placed);
  void change(std::uint32_t run, const Needs& sort, bool is_sort, std::int32_t blocks);
  std::uint32_t run_of(std::uint32_t at) const;
  void split(std::uint32_t run, std::uint32_t at);
  void join_around(std::uint32_t first, std::uint32_t end);

  const Needs empty_;                  // what an empty multiprocessor has free
  std::vector<Run> runs_;              // by multiprocessor
  std::vector<std::uint64_t> begins_;  // of each multiprocessor a bit: whether a run begins there
  Nanoseconds now_ = 0;                // of the latest take()
  Needs sort_;
  std::uint32_t most_ = 0;                                                    // blocks of it, on an empty one
  std::uint64_t per_threads_ = 0, per_shared_bytes_ = 0, per_registers_ = 0;  // reciprocals of the sort's needs
  std::vector<std::uint32_t> how_many_;                                       // multiprocessors, by fit
  std::uint64_t room_ = 0;                                                    // blocks, on all of them
};

}  // namespace streamscope::model
