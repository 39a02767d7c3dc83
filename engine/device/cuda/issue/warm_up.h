// The first time of all that takes longer the first time.
#pragma once

#include <span>

#include "engine/device/cuda/runtime/context.h"
#include "engine/program/program.h"

namespace streamscope::cuda {

// Every kernel of the program once in each stream, as a launch that does nothing, as a kernel's first launch loads its
// code; attention and tiles that tell are only loaded. `in_graphs`: the form for graphs too.
Result<void> warm_up(const CudaContext& context, const program::Program& program, std::span<const cudaStream_t> streams,
                     bool in_graphs);

}  // namespace streamscope::cuda
