// What operations move beside copies between host and device, and how long it can hold up what comes behind it: an
// event reaches the host, and a kernel's stores the host's memory, behind all that is on its way there.
#pragma once

#include <cstdint>
#include <utility>
#include <vector>

#include "engine/reconstruct/reconstruction.h"

namespace streamscope::reconstruct {

// How many bytes were being moved at some time, at the most.
class BytesOverTime {
 public:
  void add(Nanoseconds from, Nanoseconds until, std::uint64_t bytes);
  void sort();
  // Of all that were under way at some moment of it.
  std::uint64_t between(Nanoseconds from, Nanoseconds until) const;

 private:
  using Sums = std::vector<std::pair<Nanoseconds, std::uint64_t>>;  // up to and with each time
  static std::uint64_t before(const Sums& sums, Nanoseconds time);
  Sums begun_, ended_;
};

class Traffic {
 public:
  // Ready times and ends are known where they can be.
  explicit Traffic(const Reconstruction& run);

  // How much earlier than it was seen something can have happened that the host sees only behind such traffic: an
  // event, a store to its memory.
  Nanoseconds seen_late(Nanoseconds time) const;
  // Whether other operations move data within this device's memory meanwhile. `own`: bytes that this one moves.
  bool memory_busy(std::size_t device, Nanoseconds from, Nanoseconds until, std::uint64_t own) const {
    return within_[device].between(from, until) > own;
  }
  // Whether managed memory was in use at some moment, so that its pages may have been on their way.
  bool migrations(Nanoseconds from, Nanoseconds until) const { return managed_.between(from, until) > 0; }

 private:
  Nanoseconds drain(std::uint64_t bytes) const;

  double rate_;  // ns per byte
  std::uint64_t cache_;
  BytesOverTime to_host_, managed_;    // of all devices: their ways to the host may have a part in common
  std::vector<BytesOverTime> within_;  // by device
};

// Bytes that it moves within a device's memory: its own, or of a copy between devices that which it writes to.
std::uint64_t bytes_within(const program::Program& program, const program::Operation& operation);
// Whether it touches managed memory.
bool uses_managed(const program::Program& program, const program::Operation& operation);
// Bytes that it writes to the host's memory other than by a copy, whose end says that they have arrived.
std::uint64_t bytes_to_host(const program::Program& program, const program::Operation& operation);

}  // namespace streamscope::reconstruct
