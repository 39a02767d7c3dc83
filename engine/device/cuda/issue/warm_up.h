// Runs each kernel once before it is timed: the first launch of a kernel loads its code and takes longer.
#pragma once

#include "engine/device/cuda/issue/issue_targets.h"
#include "engine/device/cuda/runtime/context.h"

namespace streamscope::cuda {

// One for each of Program::kernels, ready to launch. Errors: those of own_launcher(), too.
Result<std::vector<std::unique_ptr<kernels::Launcher>>> launchers_of(const CudaContext& context,
                                                                     const program::Program& program,
                                                                     const device::LoadOptions& options);

// Launches every kernel of the program once in each stream, with nothing to do, where its launcher does so; others, and
// blocks that record stages, are only loaded. `in_graphs`: also the variants that graphs use.
Result<void> warm_up(const CudaContext& context, Launchers kernels, std::span<const cudaStream_t> streams,
                     bool in_graphs);

}  // namespace streamscope::cuda
