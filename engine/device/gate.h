// Which programs can run with a gate, and where it has to open. The gate itself is the device's.
//
// A gate holds every stream until all operations are queued, so that the timeline shows the device's scheduling and not
// the speed of the host. For that the host must not wait for the device before the last operation is queued.
#pragma once

#include "engine/base/result.h"
#include "engine/program/program.h"

namespace streamscope::device {

// A stream's queue is finite: behind a long kernel the 1022nd launch blocked the host (docs/cuda-rules.md 16). With a
// gate that would be a deadlock.
inline constexpr std::size_t kMostHeldInStream = 1000;

// The gate opens before this operation: the first of the host waits that end the program, or one past the last
// operation. Error bad_input: the line that cannot be held, why, and what to do.
Result<OperationIndex> gate_opens_before(const program::Program& program);

}  // namespace streamscope::device
