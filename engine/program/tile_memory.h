// Shared memory for the tiles of a block: the most that any device has, and how many stages fit.
#pragma once

#include <cstdint>

#include "engine/program/program.h"

namespace streamscope::program {

// Of one block, in bytes: CUDA C++ Programming Guide, technical specifications, compute capability 9.0; others have
// less.
inline constexpr std::uint64_t kMostSharedBytes = 227 << 10;

// How many of them fit into so many bytes; 0: not even one.
constexpr std::uint32_t stages_that_fit(std::uint32_t stages, std::uint32_t tile_bytes, std::uint64_t shared_bytes) {
  while (stages > 0 && tile_shared_bytes(stages, tile_bytes) > shared_bytes) --stages;
  return stages;
}

}  // namespace streamscope::program
