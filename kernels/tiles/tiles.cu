#include "kernels/tiles/launch.h"

#include "kernels/launch.cuh"
#include "kernels/tiles/loop.cuh"

namespace streamscope::kernels {
namespace {

TileForms forms_of(TileCopy copy, std::uint32_t stages) {
  switch (copy) {
    case TileCopy::sync: return sync_tiles();
    case TileCopy::cp_async: return cp_async_tiles();
    case TileCopy::primitives: return primitives_tiles();
    case TileCopy::cg: return cg_tiles();
    case TileCopy::barrier: return barrier_tiles();
    case TileCopy::pipeline: return pipeline_tiles();
    case TileCopy::specialised: return specialised_tiles(stages);
    case TileCopy::bulk: break;
  }
  return bulk_tiles();
}

TileKernel kernel_of(const Tiles& launched, int form) {
  return forms_of(launched.copy, launched.stages).of[launched.align >= 16 ? 1 : 0][form];
}

}  // namespace

int tiles(const Tiles& launched, const StampTo& stamp, const StagesTo& stages, Stream stream) {
  const bool records = stages.blocks != nullptr;
  if (records && stamped(stamp) != Stamped::once) return cudaErrorInvalidValue;
  const TileWork work{launched.data,
                      launched.count,
                      launched.tile_bytes / static_cast<std::uint32_t>(sizeof(float)),
                      launched.stages,
                      launched.fma,
                      launched.copy_bytes,
                      launched.through_l1 ? 1u : 0u,
                      launched.align,
                      launched.diverge,
                      launched.producers,
                      kAxpbA,
                      kAxpbB};
  return launch(kernel_of(launched, records ? kRecordsStages : static_cast<int>(stamped(stamp))), launched.blocks,
                launched.threads, tiles_shared_bytes(launched.stages, launched.tile_bytes), stream, work, stamp,
                stages);
}

int tiles_fit(const Tiles& launched, TilesFit* fit) {
  const TileKernel kernel = kernel_of(launched, static_cast<int>(Stamped::no));
  cudaFuncAttributes attributes{};
  cudaError_t code = cudaFuncGetAttributes(&attributes, kernel);
  if (code == cudaSuccess) {
    fit->registers = attributes.numRegs;
    code = cudaOccupancyMaxActiveBlocksPerMultiprocessor(&fit->blocks, kernel, static_cast<int>(launched.threads),
                                                         tiles_shared_bytes(launched.stages, launched.tile_bytes));
  }
  if (code != cudaSuccess) cudaGetLastError();
  return code;
}

int prepare_tiles(TileCopy copy, std::uint32_t stages, std::size_t shared_bytes_limit) {
  for (const auto& by_stamp : forms_of(copy, stages).of) {
    for (const TileKernel kernel : by_stamp) {
      // What it has of its own counts as well.
      cudaFuncAttributes attributes{};
      cudaError_t code = cudaFuncGetAttributes(&attributes, kernel);
      if (code == cudaSuccess) {
        code = cudaFuncSetAttribute(kernel, cudaFuncAttributeMaxDynamicSharedMemorySize,
                                    static_cast<int>(shared_bytes_limit - attributes.sharedSizeBytes));
      }
      if (code != cudaSuccess) return code;
    }
  }
  return cudaSuccess;
}

}  // namespace streamscope::kernels
