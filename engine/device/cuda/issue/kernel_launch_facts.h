// Facts of a program's kernels on this GPU: registers, shared memory and resident blocks; of those that record stages
// the GPU's peak rates as well.
#pragma once

#include <span>
#include <string>
#include <vector>

#include "engine/device/cuda/issue/issue_targets.h"
#include "engine/device/cuda/runtime/context.h"
#include "engine/program/program.h"
#include "engine/trace/device_facts.h"
#include "engine/trace/stages.h"

namespace streamscope::cuda {

// One for each of Program::kernels. They must have been prepared (warm_up.h).
Result<std::vector<kernels::Fit>> fits_of(Launchers kernels);

// `names`: the trace's.
std::vector<trace::LaunchShape> shapes_of_launches(const CudaContext& context, const program::Program& program,
                                                   const std::vector<std::string>& names,
                                                   std::span<const kernels::Fit> fits);

// Measures the device's copy rate when it is needed for the first time; the device must be idle.
Result<std::vector<trace::KernelFacts>> facts_of_kernels(CudaContext& context, const program::Program& program,
                                                         std::span<const kernels::Fit> fits);

}  // namespace streamscope::cuda
