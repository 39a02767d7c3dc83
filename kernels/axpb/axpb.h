// axpb: float32 in place, v = v*a + b, `fma` times an element, grid-stride.
#pragma once

#include "kernels/axpb/options.h"
#include "kernels/kernel.h"

namespace streamscope::kernels {

const Kernel& axpb_kernel();

AxpbOptions axpb_options(const Values& values, std::uint32_t multiprocessors);

}  // namespace streamscope::kernels
