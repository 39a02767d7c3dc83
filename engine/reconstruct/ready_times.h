// When an operation could have started: when it was issued and all it depends on had ended.
#pragma once

#include "engine/reconstruct/end_bounds.h"
#include "engine/reconstruct/reconstruction.h"

namespace streamscope::reconstruct {

// What the operation depends on has its ready time set, and its end where that had to be estimated. An operation that
// takes no time (a record, a wait) starts and ends when it is ready.
void set_ready_time(Reconstruction& run, const EndBounds& bounds, OperationIndex i);

}  // namespace streamscope::reconstruct
