#include "engine/device/cuda/issue/tile_kernels.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstdlib>
#include <set>
#include <tuple>

#include "engine/device/cuda/issue/each_operation.h"
#include "engine/program/tile_memory.h"

namespace streamscope::cuda {
namespace {

static_assert(static_cast<int>(program::TileCopy::sync) == static_cast<int>(kernels::TileCopy::sync) &&
              static_cast<int>(program::TileCopy::cp_async) == static_cast<int>(kernels::TileCopy::cp_async) &&
              static_cast<int>(program::TileCopy::primitives) == static_cast<int>(kernels::TileCopy::primitives) &&
              static_cast<int>(program::TileCopy::cg) == static_cast<int>(kernels::TileCopy::cg) &&
              static_cast<int>(program::TileCopy::barrier) == static_cast<int>(kernels::TileCopy::barrier) &&
              static_cast<int>(program::TileCopy::pipeline) == static_cast<int>(kernels::TileCopy::pipeline) &&
              static_cast<int>(program::TileCopy::specialised) == static_cast<int>(kernels::TileCopy::specialised) &&
              static_cast<int>(program::TileCopy::bulk) == static_cast<int>(kernels::TileCopy::bulk));
static_assert(program::kMostTileStages == kernels::kMostStages);
static_assert(program::tile_shared_bytes(1, 16) == kernels::tiles_shared_bytes(1, 16) &&
              program::tile_shared_bytes(7, 4096) == kernels::tiles_shared_bytes(7, 4096));

}  // namespace

kernels::Tiles launch_of(const program::op::Tiles& tiles, void* data, std::uint32_t multiprocessors) {
  kernels::Tiles launch{};
  launch.data = static_cast<float*>(data);
  launch.count = tiles.range.bytes / sizeof(float);
  launch.fma = tiles.fma;
  launch.blocks = tiles.blocks != 0 ? tiles.blocks : tiles.blocks_per_sm * multiprocessors;
  launch.threads = tiles.threads;
  launch.copy = static_cast<kernels::TileCopy>(tiles.copy);
  launch.stages = tiles.stages;
  launch.tile_bytes = tiles.tile_bytes;
  launch.copy_bytes = tiles.copy_bytes;
  launch.through_l1 = tiles.through_l1;
  launch.align = tiles.align;
  launch.diverge = tiles.diverge;
  launch.producers = tiles.producers;
  return launch;
}

std::vector<kernels::Tiles> tile_kernels(const program::Program& program) {
  std::set<std::tuple<program::TileCopy, int, bool>> known;
  std::vector<kernels::Tiles> all;
  each_of<program::op::Tiles>(program, [&](const program::Operation&, const program::op::Tiles& tiles) {
    const int stages = tiles.copy == program::TileCopy::specialised ? tiles.stages : 0;
    if (!known.insert({tiles.copy, stages, tiles.align >= 16}).second) return;
    all.push_back(launch_of(tiles, nullptr, 1));
    all.back().count = 0;
    all.back().blocks = 1;
  });
  return all;
}

std::optional<std::string> lacking_for_tiles(const program::Program& program, const CudaContext& context) {
  std::optional<std::string> lacks;
  const double capability = std::strtod(context.info.compute_capability.c_str(), nullptr);
  each_of<program::op::Tiles>(program, [&](const program::Operation& operation, const program::op::Tiles& tiles) {
    if (lacks) return;
    const double needs = program::needs_capability(tiles.copy);
    if (capability < needs) {
      lacks = fmt::format(
          "line {}: copy={} needs compute capability {:.1f} or later, and {} has {}; write another copy, such "
          "as copy={}",
          operation.line, program::name(tiles.copy), needs, context.info.name, context.info.compute_capability,
          capability >= 8.0 ? "cp.async" : "pipeline");
      return;
    }
    const std::uint64_t needed = program::tile_shared_bytes(tiles.stages, tiles.tile_bytes);
    if (needed <= context.shared_bytes_limit) return;
    const std::uint32_t fit = program::stages_that_fit(tiles.stages, tiles.tile_bytes, context.shared_bytes_limit);
    lacks = fmt::format(
        "line {}: {} stages of {} bytes take {} bytes of shared memory, and {} gives a block at most {}: {}",
        operation.line, tiles.stages, tiles.tile_bytes, needed, context.info.name, context.shared_bytes_limit,
        fit > 0 ? fmt::format("{} fit", fit) : "not one fits; write a smaller tile");
  });
  return lacks;
}

}  // namespace streamscope::cuda
