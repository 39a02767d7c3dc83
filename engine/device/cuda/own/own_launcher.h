// Launches a program's own kernel, compiled when the program was loaded.
#pragma once

#include <array>
#include <cstdint>
#include <map>
#include <memory>

#include "engine/device/cuda/runtime/context.h"
#include "engine/device/device.h"
#include "kernels/cuda_kernel.h"

namespace streamscope::cuda {

// What its launchers are launched with: a value for each parameter, in its first bytes.
struct OwnLaunchData : kernels::LaunchData {
  std::array<std::uint64_t, kernels::kMostParameters> arguments{};
};

// By file and declaration: code that several launchers share.
struct OwnModule;
using OwnModules = std::map<const kernels::OwnKernel*, std::shared_ptr<OwnModule>>;

// For the GPU that is current. Error bad_input, with the line of the declaration: no source was given for it, which is
// how it is refused, or it does not compile.
Result<std::unique_ptr<kernels::Launcher>> own_launcher(const CudaContext& context, const program::Program& program,
                                                        const kernels::Choice& choice,
                                                        const device::LoadOptions& options, OwnModules& modules);

}  // namespace streamscope::cuda
