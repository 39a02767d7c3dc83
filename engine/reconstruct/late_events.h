// Events fire a little late: what is known to have begun after an operation tells by when it had ended.
#pragma once

#include <limits>
#include <vector>

#include "engine/reconstruct/reconstruction.h"

namespace streamscope::reconstruct {

// By operation.
struct Limits {
  static constexpr Nanoseconds kNever = std::numeric_limits<Nanoseconds>::max();

  std::vector<Nanoseconds> at;             // something that comes after it had begun by then
  std::vector<OperationIndex> awaited_by;  // and what, where it was a kernel by its stamp
};

// Moves ends that events tell back to their limits, where an event's lag explains the difference.
Limits set_late_events_right(Reconstruction& run);

}  // namespace streamscope::reconstruct
