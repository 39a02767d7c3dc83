// An estimate of the start of each operation whose start was not observed, and which operation came before each one on
// its engine.
#pragma once

#include <vector>

#include "engine/reconstruct/reconstruction.h"

namespace streamscope::reconstruct {

// By operation: of a copy the one of its direction that ended before it, of a kernel the one that started before it.
std::vector<OperationIndex> find_start_times(Reconstruction& run);

}  // namespace streamscope::reconstruct
