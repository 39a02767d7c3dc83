#include "engine/device/stage_plan.h"

#include <algorithm>
#include <bit>
#include <limits>
#include <utility>

#include "engine/device/kernel_facts.h"

namespace streamscope::device {

StagePlan stage_plan(const program::Program& program, std::uint32_t multiprocessors, std::uint32_t every) {
  StagePlan plan;
  if (every == 0) return plan;
  std::vector<std::pair<RecordedKernel, std::uint64_t>> all;  // each with its tiles
  for (std::size_t i = 0; i < program.operations.size(); ++i) {
    const program::Operation& operation = program.operations[i];
    const kernels::Shape shape = shape_of(program, operation.work, multiprocessors);
    if (shape.tiles == 0 || shape.blocks == 0) continue;
    if (operation.launch != kNoOperation) {
      ++plan.in_graphs;
      continue;
    }
    RecordedKernel kernel;
    kernel.operation = static_cast<OperationIndex>(i);
    kernel.grid = static_cast<std::uint32_t>(shape.blocks);
    kernel.every = every;
    kernel.blocks = (kernel.grid - 1) / every + 1;
    kernel.places = shape.places;
    kernel.warp = shape.warp;
    all.emplace_back(kernel, shape.tiles);
  }
  std::uint64_t left = kMostStagesKept;
  for (std::size_t i = 0; i < all.size(); ++i) {
    auto [kernel, tiles] = all[i];
    const std::uint64_t per_block = left / (all.size() - i) / kernel.blocks;
    const std::uint64_t wanted = std::bit_ceil(std::max<std::uint64_t>(tiles, kFewestTilesKept));
    std::uint64_t ring = std::min(wanted, std::bit_floor(per_block));
    // The blocks of a kernel with very many of them keep a few tiles each, as long as there is room.
    ring = std::max<std::uint64_t>(ring, kFewestTilesKept);
    // Tiles are counted in 32 bits.
    if (ring * kernel.blocks > left || tiles > std::numeric_limits<std::uint32_t>::max()) {
      ++plan.left_out;
      continue;
    }
    left -= ring * kernel.blocks;
    kernel.ring = static_cast<std::uint32_t>(ring);
    plan.kernels.push_back(kernel);
  }
  return plan;
}

}  // namespace streamscope::device
