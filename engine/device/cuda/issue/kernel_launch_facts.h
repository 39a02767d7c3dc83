// Facts of a program's kernels on its GPUs: registers, shared memory and resident blocks; of those that record stages
// the GPU's peak rates as well.
#pragma once

#include <span>
#include <string>
#include <vector>

#include "engine/device/cuda/issue/issue_targets.h"
#include "engine/device/cuda/runtime/gpus.h"
#include "engine/program/program.h"
#include "engine/trace/device_facts.h"
#include "engine/trace/stages.h"

namespace streamscope::cuda {

// One for each of Program::kernels. They must have been prepared (warm_up.h).
Result<std::vector<kernels::Fit>> fits_of(Launchers kernels);

// By DeviceId, those of fits_of().
using FitsByDevice = std::vector<std::vector<kernels::Fit>>;

// `names`: the trace's.
std::vector<trace::LaunchShape> shapes_of_launches(const Gpus& gpus, const program::Program& program,
                                                   const std::vector<std::string>& names, const FitsByDevice& fits);

// Measures a device's copy rate when it is needed for the first time; the devices must be idle.
Result<std::vector<trace::KernelFacts>> facts_of_kernels(const Gpus& gpus, const program::Program& program,
                                                         const FitsByDevice& fits);

}  // namespace streamscope::cuda
