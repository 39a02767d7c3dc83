// Why each operation waited: the last thing that kept it from starting.
#pragma once

#include <span>

#include "engine/reconstruct/reconstruction.h"

namespace streamscope::reconstruct {

// `before_on_engine`: by operation, see find_start_times().
void find_wait_reasons(Reconstruction& run, std::span<const OperationIndex> before_on_engine);

}  // namespace streamscope::reconstruct
