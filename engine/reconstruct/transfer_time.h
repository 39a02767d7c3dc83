// How long a copy or a memset takes to move its bytes, from the rates measured on this device.
#pragma once

#include <limits>

#include "engine/reconstruct/reconstruction.h"

namespace streamscope::reconstruct {

struct TransferTime {
  static constexpr Nanoseconds kUnbounded = std::numeric_limits<Nanoseconds>::max();

  Nanoseconds shortest = 0;
  Nanoseconds longest = kUnbounded;
  Nanoseconds usual = 0;
  bool bounded() const { return longest != kUnbounded; }
};
// `both_ways`: while the bus is busy in the other direction too. Unbounded for pageable memory, where the host does
// part of the work.
TransferTime transfer_time(const Reconstruction& run, OperationIndex i, bool both_ways);

}  // namespace streamscope::reconstruct
