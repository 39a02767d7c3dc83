// The CUDA parts of the kernels of the registry.
#pragma once

#include "kernels/cuda_kernel.h"

namespace streamscope::kernels {

std::unique_ptr<Launcher> launcher(const Choice& choice, std::uint32_t multiprocessors);

}  // namespace streamscope::kernels
