#include "engine/device/stage_plan.h"

#include <algorithm>
#include <bit>
#include <limits>

#include "engine/program/attention_shape.h"

namespace streamscope::device {
namespace {

std::uint64_t divided_up(std::uint64_t a, std::uint64_t b) { return (a + b - 1) / b; }

}  // namespace

std::optional<TiledGrid> tiled_grid(const program::Work& work, std::uint32_t multiprocessors) {
  TiledGrid grid;
  if (const auto* tiles = std::get_if<program::op::Tiles>(&work)) {
    grid.blocks = tiles->blocks != 0 ? tiles->blocks : tiles->blocks_per_sm * multiprocessors;
    grid.tiles = divided_up(divided_up(tiles->range.bytes, tiles->tile_bytes), std::max(1u, grid.blocks));
    grid.places = tiles->stages;
    return grid;
  }
  if (const auto* attention = std::get_if<program::op::Attention>(&work)) {
    grid.blocks = static_cast<std::uint32_t>(program::attention_blocks(*attention, program::rows(*attention)));
    grid.tiles = program::attention_tiles(program::rows(*attention));
    grid.places = 2u * attention->buffers;
    return grid;
  }
  return std::nullopt;
}

StagePlan stage_plan(const program::Program& program, std::uint32_t multiprocessors, std::uint32_t every) {
  StagePlan plan;
  if (every == 0) return plan;
  struct Candidate {
    RecordedKernel kernel;
    std::uint64_t tiles;
  };
  std::vector<Candidate> all;
  for (std::size_t i = 0; i < program.operations.size(); ++i) {
    const program::Operation& operation = program.operations[i];
    const auto grid = tiled_grid(operation.work, multiprocessors);
    if (!grid || grid->blocks == 0) continue;
    if (operation.launch != kNoOperation) {
      ++plan.in_graphs;
      continue;
    }
    RecordedKernel kernel;
    kernel.operation = static_cast<OperationIndex>(i);
    kernel.grid = grid->blocks;
    kernel.every = every;
    kernel.blocks = (grid->blocks - 1) / every + 1;
    kernel.places = grid->places;
    const auto* tiles = std::get_if<program::op::Tiles>(&operation.work);
    if (tiles != nullptr && tiles->copy == program::TileCopy::specialised) kernel.warp = tiles->producers;
    all.push_back({kernel, grid->tiles});
  }
  std::uint64_t left = kMostStagesKept;
  for (std::size_t i = 0; i < all.size(); ++i) {
    RecordedKernel kernel = all[i].kernel;
    const std::uint64_t per_block = left / (all.size() - i) / kernel.blocks;
    const std::uint64_t wanted = std::bit_ceil(std::max<std::uint64_t>(all[i].tiles, kFewestTilesKept));
    std::uint64_t ring = std::min(wanted, std::bit_floor(per_block));
    // The blocks of a kernel with very many of them keep a few tiles each, as long as there is room.
    ring = std::max<std::uint64_t>(ring, kFewestTilesKept);
    // Tiles are counted in 32 bits.
    if (ring * kernel.blocks > left || all[i].tiles > std::numeric_limits<std::uint32_t>::max()) {
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
