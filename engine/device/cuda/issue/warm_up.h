// Runs each kernel once before it is timed: the first launch of a kernel loads its code and takes longer.
#pragma once

#include <span>

#include "engine/device/cuda/runtime/context.h"
#include "engine/program/program.h"

namespace streamscope::cuda {

// Launches every kernel of the program once in each stream, with nothing to do; attention, and tiles that record
// stages, are only loaded. `in_graphs`: also the variants that graphs use.
Result<void> warm_up(const CudaContext& context, const program::Program& program, std::span<const cudaStream_t> streams,
                     bool in_graphs);

}  // namespace streamscope::cuda
