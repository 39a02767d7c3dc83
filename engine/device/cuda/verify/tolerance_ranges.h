// Which parts of a program's data the CPU can compute only within a tolerance, or are integers: what some kernels have
// written, and copies of it. The rest is computed bit for bit and compared as float32, of which all NaNs are equal.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <utility>
#include <vector>

#include "engine/program/program.h"

namespace streamscope::cuda {

struct RoughPart {
  std::uint64_t begin = 0, end = 0;  // bytes of a side of a buffer
  kernels::Precision precision;      // of its elements
};

class RoughData {
 public:
  // A side of a buffer: the host's, or that of a device.
  enum class Side : std::uint8_t { host, device };  // device: the first, and those behind it the next
  static Side on(DeviceId device) { return static_cast<Side>(1 + device.value); }

  void add(Side side, const program::Range& range, const kernels::Precision& precision);
  void clear(Side side, const program::Range& range);
  // Together with the data.
  void copy(Side from_side, const program::Range& from, Side to_side, const program::Range& to);
  // Whether any of the range is known only within a tolerance.
  bool touches(Side side, const program::Range& range) const;
  // Disjoint and in order.
  const std::vector<RoughPart>& parts(Side side, BufferId buffer) const;

 private:
  std::map<std::pair<std::uint32_t, Side>, std::vector<RoughPart>> parts_;
};

// The offset of the first wrong element: outside the parts and in integers any differing bit counts, in the others a
// difference beyond the part's tolerance, relative to what was expected. `found` and `expected` are bytes
// [at, at + bytes) of a side; the result is an offset in the side.
std::optional<std::uint64_t> first_wrong(const char* found, const char* expected, std::uint64_t at, std::uint64_t bytes,
                                         const std::vector<RoughPart>& parts);

}  // namespace streamscope::cuda
