// `tiles` on the GPU: the kernels a program needs, and their launch parameters.
#pragma once

#include <optional>
#include <span>
#include <string>
#include <vector>

#include "engine/device/cuda/runtime/context.h"
#include "engine/program/program.h"
#include "kernels/tiles/tiles.h"

namespace streamscope::cuda {

kernels::Tiles launch_of(const program::op::Tiles& tiles, void* data, std::uint32_t multiprocessors);

// One of each kernel that the program launches, its graphs included, with no data.
std::vector<kernels::Tiles> tile_kernels(const program::Program& program);

// Why the GPU cannot run it, naming the line: a way of copying it does not support, or too much shared memory.
std::optional<std::string> lacking_for_tiles(const program::Program& program, const CudaContext& context);

}  // namespace streamscope::cuda
