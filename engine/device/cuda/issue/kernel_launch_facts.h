// What this GPU makes of a program's tiles and attention: registers, blocks at once, and its own rates beside them.
#pragma once

#include <vector>

#include "engine/device/cuda/runtime/context.h"
#include "engine/program/program.h"
#include "engine/trace/stages.h"

namespace streamscope::cuda {

// For programs with such kernels the device's rate of copying is measured once; it must be idle. Kernels must have been
// prepared (warm_up.h).
Result<std::vector<trace::KernelFacts>> facts_of_kernels(CudaContext& context, const program::Program& program);

}  // namespace streamscope::cuda
