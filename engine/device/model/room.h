// What the multiprocessors have free, as blocks of one sort of kernel see it (cuda-rules 14).
//
// How many blocks fit is kept for the sort that was asked about last and follows every change, so that kernels of one
// sort, however many, cost what they change and not a look at all multiprocessors.
#pragma once

#include <cstdint>
#include <utility>
#include <vector>

#include "engine/device/model/kernel_time.h"

namespace streamscope {

class Room {
 public:
  explicit Room(const Profile& profile);

  // So many blocks on that multiprocessor.
  using Placed = std::vector<std::pair<std::uint32_t, std::uint32_t>>;

  // Takes room for as many blocks as fit, `most` of them at most, on the multiprocessors with the most room first;
  // among equals those of the lower number. Tells where they went, and how many there are.
  std::uint64_t take(const Grid& grid, std::uint64_t most, Placed& placed);
  void give_back(const Grid& grid, const Placed& placed);

 private:
  // What one block takes, or one multiprocessor has free.
  struct Needs {
    std::uint32_t blocks = 1, threads = 0, shared_bytes = 0, registers = 0;
    std::uint32_t carveout = 0;  // how shared memory and cache are divided: only an empty one can be divided anew
    friend bool operator==(const Needs&, const Needs&) = default;
  };
  static Needs needs(const Grid& grid) { return {1, grid.threads, grid.shared_bytes, grid.registers, grid.carveout}; }
  std::uint32_t fit(const Needs& free) const;
  void look_at(const Needs& sort);
  void change(std::uint32_t at, const Needs& sort, std::int32_t blocks);

  const std::uint32_t blocks_;  // of an empty multiprocessor
  std::vector<Needs> free_;     // of each multiprocessor
  Needs sort_;
  std::vector<std::uint32_t> fit_;       // of each: blocks of that sort
  std::vector<std::uint32_t> how_many_;  // multiprocessors, by that number
};

}  // namespace streamscope
