// Why each operation waited: what fell away last.
#pragma once

#include <span>

#include "engine/reconstruct/reconstruction.h"

namespace streamscope::reconstruct {

// `before_on_engine`: by operation, see find_starts().
void find_reasons(Reconstruction& run, std::span<const OperationIndex> before_on_engine);

}  // namespace streamscope::reconstruct
