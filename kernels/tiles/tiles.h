// tiles: the work of axpb, tile by tile through shared memory, one CUDA kernel for each way that CUDA has of copying.
//
// A block takes every gridDim-th tile, copies it into one of `stages` places in shared memory, works on it and writes
// it back. With more than one stage the copies of the next tiles overlap the work.
#pragma once

#include "kernels/kernel.h"
#include "kernels/tiles/options.h"

namespace streamscope::kernels {

const Kernel& tiles_kernel();

TilesOptions tiles_options(const Values& values, std::uint32_t multiprocessors);

}  // namespace streamscope::kernels
