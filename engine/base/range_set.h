// Which bytes of something are in a set, as ranges: those of a managed buffer that are on the device, those of an
// allocation that have been written.
#pragma once

#include <cstdint>
#include <map>

namespace streamscope {

class RangeSet {
 public:
  // Afterwards the whole range is in it; returns how many of its bytes were not.
  std::uint64_t add(std::uint64_t offset, std::uint64_t bytes);
  // Afterwards nothing of the range is in it; returns how many of its bytes were.
  std::uint64_t remove(std::uint64_t offset, std::uint64_t bytes);
  bool contains(std::uint64_t offset, std::uint64_t bytes) const;

 private:
  std::map<std::uint64_t, std::uint64_t> ranges_;  // begin to end, apart from each other
};

}  // namespace streamscope
