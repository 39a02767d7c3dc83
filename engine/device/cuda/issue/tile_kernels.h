// `tiles` on the GPU: which of its kernels a program needs, and how they are launched.
#pragma once

#include <optional>
#include <span>
#include <string>
#include <vector>

#include "engine/device/cuda/runtime/context.h"
#include "engine/program/program.h"
#include "kernels/tiles/tiles.h"

namespace streamscope::cuda {

kernels::Tiles launched(const program::op::Tiles& tiles, void* data, std::uint32_t multiprocessors);

// One of each kernel that the program launches, its graphs included, with no data.
std::vector<kernels::Tiles> tile_kernels(const program::Program& program);

// What the GPU cannot do of it, by line: a way of copying that it does not have, more shared memory than a block gets.
std::optional<std::string> lacking_for_tiles(const program::Program& program, const CudaContext& context);

}  // namespace streamscope::cuda
