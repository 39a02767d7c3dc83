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

template <int kStages, int kAlign>
struct SpecialisedBlock {
  static constexpr int kThreads = 1024, kResident = 0, kArchitecture = 0;
  template <bool kRecords>
  __device__ static void run(const TileWork& work, const StagesTo& stages) {
    using State = cuda::pipeline_shared_state<kBlock, kStages>;
    static_assert(sizeof(State) <= kTileCounters + kStages * kTileCountersPerStage);
    auto* const places = reinterpret_cast<float*>(tile_memory + work.shift);
    auto* const state = reinterpret_cast<State*>(tile_memory + (work.shift + 15) / 16 * 16 +
                                                 static_cast<std::size_t>(kStages) * work.tile * sizeof(float));
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
        // No read of the tile may move before the wait: there is no barrier of the block in between.
        asm volatile("" ::: "memory");
        work_on<kAlign>(place, tiles.at(k), tiles.size(k), threadIdx.x - producers, blockDim.x - producers, work.fma,
                        work.a, work.b);
        notes.compute_over();
        pipeline.consumer_release();
      }
    }
    if (!produces) notes.end(tiles.mine);
  }
};

template <int kStages>
TileForms forms(std::uint32_t align) {
  return align >= 16 ? staged_forms<SpecialisedBlock<kStages, 16>, TileWork>()
                     : staged_forms<SpecialisedBlock<kStages, 4>, TileWork>();
}

}  // namespace

TileForms specialised_tiles(std::uint32_t align, std::uint32_t stages) {
  static constexpr TileForms (*kForms[kMostStages])(std::uint32_t) = {forms<1>, forms<2>, forms<3>, forms<4>,
                                                                      forms<5>, forms<6>, forms<7>, forms<8>};
  return kForms[stages - 1](align);
}

}  // namespace streamscope::kernels
