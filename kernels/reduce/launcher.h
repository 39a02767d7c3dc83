#pragma once

#include "kernels/cuda_kernel.h"

namespace streamscope::kernels {

std::unique_ptr<Launcher> reduce_launcher(const Values& values, std::uint32_t multiprocessors);

}  // namespace streamscope::kernels
