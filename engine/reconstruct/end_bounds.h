// The latest that each operation can have ended: something that must come after it had begun by then. An event fires a
// little after what it marks, so an end measured by an event can lie beyond this bound.
#pragma once

#include <limits>
#include <vector>

#include "engine/reconstruct/reconstruction.h"

namespace streamscope::reconstruct {

// By operation.
struct EndBounds {
  static constexpr Nanoseconds kNone = std::numeric_limits<Nanoseconds>::max();

  std::vector<Nanoseconds> latest;
  std::vector<OperationIndex> set_by;  // the kernel whose stamped start sets the bound; else kNoOperation
};

// Moves ends that were measured by events back to their bounds, where the lag of an event explains the difference.
EndBounds correct_late_events(Reconstruction& run);

}  // namespace streamscope::reconstruct
