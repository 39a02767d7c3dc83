// The first time of all that takes longer the first time.
#pragma once

#include <span>

#include "engine/device/cuda/context.h"
#include "engine/program/program.h"

namespace streamscope {

// Every kernel of the program once in each stream, as a launch that does nothing, in each of its forms: a kernel's code
// is loaded by its first launch. `in_graphs`: in the form for graphs too.
Result<void> warm_up(const CudaContext& context, const Program& program, std::span<const cudaStream_t> streams,
                     bool in_graphs);

}  // namespace streamscope
