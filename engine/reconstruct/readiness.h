// When an operation could have started: when it was issued and all it depends on had ended.
#pragma once

#include "engine/reconstruct/late_events.h"
#include "engine/reconstruct/reconstruction.h"

namespace streamscope::reconstruct {

// What it depends on has been made ready, and where its end had to be inferred, that is known. One that takes no time
// of its own starts and ends then.
void make_ready(Reconstruction& run, const Limits& limits, OperationIndex i);

}  // namespace streamscope::reconstruct
