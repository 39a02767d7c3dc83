// What this GPU makes of a program's tiles and attention: registers, blocks at once, and its own rates beside them.
#pragma once

#include <vector>

#include "engine/device/cuda/runtime/context.h"
#include "engine/program/program.h"
#include "engine/trace/stages.h"

namespace streamscope {

// For programs with such kernels the device's rate of copying is measured once; it must be idle. Kernels must have been
// prepared (warm_up.h).
Result<std::vector<KernelFacts>> facts_of_kernels(CudaContext& context, const Program& program);

}  // namespace streamscope
