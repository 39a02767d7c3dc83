// cuda::memcpy_async on a cuda::barrier for each stage: the copy arrives at the barrier like a thread.
#include <cooperative_groups.h>
#include <cuda/barrier>

#include "kernels/tiles/loop.cuh"

namespace streamscope::kernels {
namespace {

using Barrier = cuda::barrier<cuda::thread_scope_block>;

struct Barriers {
  __device__ Barriers(const TileWork& work, unsigned char* behind)
      : barriers(reinterpret_cast<Barrier*>(behind)), stages(work.stages), align(work.align) {
    static_assert(sizeof(Barrier) <= kTileCountersPerStage);
    for (std::uint32_t i = threadIdx.x; i < stages; i += blockDim.x) init(barriers + i, blockDim.x);
#if __CUDA_ARCH__ >= 900
    // There copies of 16-byte aligned data are bulk copies; makes the initialised barriers visible to them.
    asm volatile("fence.mbarrier_init.release.cluster;" ::: "memory");
#endif
    __syncthreads();
  }
  template <int kAlign>
  __device__ static void copy(float* to, const float* from, std::uint32_t size, Barrier& barrier) {
    constexpr std::uint32_t kFloats = kAlign / 4;
    const std::uint32_t whole = size / kFloats * kFloats;
    cuda::memcpy_async(cooperative_groups::this_thread_block(), to, from,
                       cuda::aligned_size_t<kAlign>(whole * sizeof(float)), barrier);
    for (std::uint32_t i = whole + threadIdx.x; i < size; i += blockDim.x) to[i] = from[i];
  }
  __device__ void load(const Turn& turn, float* to, const float* from, std::uint32_t size) const {
    Barrier& barrier = barriers[turn.place];
    if (align >= 128) {
      copy<128>(to, from, size, barrier);
    } else if (align >= 16) {
      copy<16>(to, from, size, barrier);
    } else {
      copy<4>(to, from, size, barrier);
    }
    (void)barrier.arrive();
  }
  __device__ void wait(const Turn& turn, std::uint32_t) const { barriers[turn.place].wait_parity(turn.round != 0); }
  __device__ void done() const {}
  Barrier* barriers;
  std::uint32_t stages, align;
};

}  // namespace

TileForms barrier_tiles(std::uint32_t align) { return tile_forms<Barriers>(align); }

}  // namespace streamscope::kernels
