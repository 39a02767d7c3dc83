// Warp-specialised: the first warps (producers) only copy, the others (consumers) only work, and a cuda::pipeline of
// the block hands the tiles over. No barrier of the whole block is needed.
#include <cooperative_groups.h>
#include <cuda/pipeline>

#include "kernels/tiles/loop.cuh"

namespace streamscope::kernels {
namespace {

constexpr cuda::thread_scope kBlock = cuda::thread_scope_block;

template <int kBytes>
__device__ inline void produce(const TileWork& work, float* to, const float* from, std::uint32_t size,
                               cuda::pipeline<kBlock>& pipeline) {
  by_words<kBytes>(to, from, size, threadIdx.x, work.producers * 32, [&](auto* place, const auto* source) {
    cuda::memcpy_async(place, source, cuda::aligned_size_t<kBytes>(kBytes), pipeline);
  });
}

template <int kStages, int kAlign, bool kRecords>
__device__ inline void run_specialised(const TileWork& work, const StagesTo& stages) {
  using State = cuda::pipeline_shared_state<kBlock, kStages>;
  static_assert(sizeof(State) <= kTileCounters + kStages * kTileCountersPerStage);
  auto* const places = reinterpret_cast<float*>(tile_memory);
  auto* const state =
      reinterpret_cast<State*>(tile_memory + static_cast<std::size_t>(kStages) * work.tile * sizeof(float));
  const std::uint32_t producers = work.producers * 32;
  const bool produces = threadIdx.x < producers;
  StageRecorder<kRecords> notes(stages, threadIdx.x == 0 || threadIdx.x == producers);
  if (!produces) notes.begin();
  auto pipeline = cuda::make_pipeline(cooperative_groups::this_thread_block(), state,
                                      produces ? cuda::pipeline_role::producer : cuda::pipeline_role::consumer);
  const BlockTiles tiles(work);
  Turn turn;
  for (std::uint64_t k = 0; k < tiles.mine; ++k, turn.next(kStages)) {
    float* const place = places + turn.place * work.tile;
    if (produces) {
      pipeline.producer_acquire();
      notes.look();
      notes.load_issued(k);
      of_width(work.copy_bytes,
               [&](auto width) { produce<width.bytes>(work, place, tiles.at(k), tiles.size(k), pipeline); });
      pipeline.producer_commit();
    } else {
      notes.wait_begun(k);
      pipeline.consumer_wait();
      notes.wait_over();
      asm volatile(
          "" ::
              : "memory");  // no read of the tile may move before the wait: there is no barrier of the block in between
      work_on<kAlign>(place, tiles.at(k), tiles.size(k), threadIdx.x - producers, blockDim.x - producers, work.fma,
                      work.a, work.b);
      notes.compute_over();
      pipeline.consumer_release();
    }
  }
  if (!produces) notes.end(tiles.mine);
}

template <int kStages, int kAlign, Stamped kStamped, bool kTraced>
__global__ void __launch_bounds__(1024) specialised_kernel(TileWork work, StampTo stamp, StagesTo stages) {
  const BlockStamp block = stamp_start<kStamped>(stamp);
  if (kTraced && records_stages(stages)) {
    run_specialised<kStages, kAlign, kTraced>(work, stages);
  } else {
    run_specialised<kStages, kAlign, false>(work, stages);
  }
  stamp_end<kStamped>(stamp, block);
}

template <int kStages>
struct OfStages {
  template <int kAlign, Stamped kStamped, bool kTraced>
  struct One {
    static constexpr TileKernel kernel = specialised_kernel<kStages, kAlign, kStamped, kTraced>;
  };
};
template <int kStages>
TileForms forms() {
  return tile_forms_of<OfStages<kStages>::template One>();
}

}  // namespace

TileForms specialised_tiles(std::uint32_t stages) {
  switch (stages) {
    case 1: return forms<1>();
    case 2: return forms<2>();
    case 3: return forms<3>();
    case 4: return forms<4>();
    case 5: return forms<5>();
    case 6: return forms<6>();
    case 7: return forms<7>();
    default: return forms<8>();
  }
}

}  // namespace streamscope::kernels
