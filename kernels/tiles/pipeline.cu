// cuda::memcpy_async on a cuda::pipeline of thread scope.
#include <cuda/pipeline>

#include "kernels/tiles/loop.cuh"

namespace streamscope::kernels {
namespace {

struct Pipeline {
  __device__ Pipeline(const TileWork& work, unsigned char*)
      : pipeline(cuda::make_pipeline()), copy_bytes(work.copy_bytes), diverge(work.diverge) {}
  template <int kBytes>
  __device__ void copy(float* to, const float* from, std::uint32_t size) {
    by_words<kBytes>(to, from, size, threadIdx.x, blockDim.x, [&](auto* place, const auto* source) {
      cuda::memcpy_async(place, source, cuda::aligned_size_t<kBytes>(kBytes), pipeline);
    });
  }
  __device__ void load(const Turn&, float* to, const float* from, std::uint32_t size) {
    pipeline.producer_acquire();
    of_width(copy_bytes, [&](auto width) { copy<width.bytes>(to, from, size); });
    diverged(diverge, [&] { pipeline.producer_commit(); });
  }
  __device__ void wait(const Turn&, std::uint32_t) { pipeline.consumer_wait(); }
  __device__ void done() { pipeline.consumer_release(); }
  cuda::pipeline<cuda::thread_scope_thread> pipeline;
  std::uint32_t copy_bytes, diverge;
};

}  // namespace

TileForms pipeline_tiles(std::uint32_t align) { return tile_forms<Pipeline>(align); }

}  // namespace streamscope::kernels
