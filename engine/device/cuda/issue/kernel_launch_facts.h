// Facts of a program's kernels that record stages, on this GPU: registers, resident blocks, and the GPU's peak rates.
#pragma once

#include <vector>

#include "engine/device/cuda/issue/issue_targets.h"
#include "engine/device/cuda/runtime/context.h"
#include "engine/program/program.h"
#include "engine/trace/stages.h"

namespace streamscope::cuda {

// Measures the device's copy rate when it is needed for the first time; the device must be idle. Kernels must have been
// prepared (warm_up.h).
Result<std::vector<trace::KernelFacts>> facts_of_kernels(CudaContext& context, const program::Program& program,
                                                         Launchers kernels);

}  // namespace streamscope::cuda
