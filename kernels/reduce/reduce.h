// reduce: sums of 32-bit unsigned integers modulo 2^32, one for each block. Block b takes the elements
// [b * share, (b + 1) * share) of x, as far as there are any, and leaves their sum in y[b]; share: reduce_share().
#pragma once

#include "kernels/kernel.h"
#include "kernels/reduce/options.h"

namespace streamscope::kernels {

const Kernel& reduce_kernel();

ReduceOptions reduce_options(const Values& values);

}  // namespace streamscope::kernels
