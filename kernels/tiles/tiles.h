// tiles: the work of axpb, tile by tile through shared memory, one CUDA kernel for each way that CUDA has of copying.
//
// A block takes every gridDim-th tile, copies it into one of `stages` places in shared memory, works on it and writes
// it back. With more than one stage the copies of the next tiles overlap the work. All leave the same bits.
#pragma once

#include "kernels/parts.h"
#include "kernels/tiles/choice.h"

namespace streamscope::kernels {

TilesOptions tiles_options(const Values& values, std::uint32_t multiprocessors);
const Kernel& tiles_kernel();
// As it is taught: a function (float* data, size_t count, int fma) with these options.
CudaCode tiles_code(const TilesOptions& options, std::string_view name);
// Its launches take data aligned to `align`, of which the last tile may be incomplete. Blocks record their stages only
// where the launch has a stamp of its own: one with tickets, for graphs, is refused.
std::unique_ptr<Launcher> tiles_launcher(const TilesOptions& options);

}  // namespace streamscope::kernels
