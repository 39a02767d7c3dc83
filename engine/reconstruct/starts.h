// When operations started whose start nothing tells, and what went before each on its engine.
#pragma once

#include <vector>

#include "engine/reconstruct/reconstruction.h"

namespace streamscope::reconstruct {

// By operation: of a copy the one of its direction that ended before it, of a kernel the one that started before it.
std::vector<OperationIndex> find_starts(Reconstruction& run);

}  // namespace streamscope::reconstruct
