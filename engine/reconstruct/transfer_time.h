// How long the bytes of a copy or a memset are on their way, by how fast the device was seen to move some.
#pragma once

#include <limits>

#include "engine/reconstruct/reconstruction.h"

namespace streamscope::reconstruct {

struct Moving {
  static constexpr Nanoseconds kUnbounded = std::numeric_limits<Nanoseconds>::max();

  Nanoseconds shortest = 0;
  Nanoseconds longest = kUnbounded;
  Nanoseconds usual = 0;
  bool bounded() const { return longest != kUnbounded; }
};
// `both`: while the bus is busy the other way too. Not of pageable memory: the host has a hand in it.
Moving moving_time(const Reconstruction& run, OperationIndex i, bool both);

}  // namespace streamscope::reconstruct
