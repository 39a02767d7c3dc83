// Which programs a gate can hold: where it has to open, or why there can be none. Pure; what holds the streams is the
// device's own.
//
// A gate holds every stream until all is queued, so that what the timeline shows is the device's scheduling and not the
// host's pace. That needs a host that never waits for the device before the last operation is queued.
#pragma once

#include "engine/base/result.h"
#include "engine/program/program.h"

namespace streamscope::device {

// A stream's queue is finite: behind a long kernel the 1022nd launch held the host (cuda-rules 16). Then the host would
// wait for the gate, and the gate for the host.
inline constexpr std::size_t kMostHeldInStream = 1000;

// The gate opens before this operation: the first of the host waits that end the program, or one past the last
// operation. Error bad_input: the line that cannot be held, why, and what to do.
Result<OperationIndex> gate_opens_before(const program::Program& program);

}  // namespace streamscope::device
