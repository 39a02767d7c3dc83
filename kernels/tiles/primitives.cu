// The pipeline primitives (cuda_pipeline_primitives.h): cp.async as C functions.
#include <cuda_pipeline_primitives.h>

#include "kernels/tiles/loop.cuh"

namespace streamscope::kernels {
namespace {

struct Primitives {
  __device__ Primitives(const TileWork& work, unsigned char*) : copy_bytes(work.copy_bytes), diverge(work.diverge) {}
  template <int kBytes>
  __device__ static void copy(float* to, const float* from, std::uint32_t size) {
    by_words<kBytes>(to, from, size, threadIdx.x, blockDim.x,
                     [](auto* place, const auto* source) { __pipeline_memcpy_async(place, source, kBytes); });
  }
  __device__ void load(const Turn&, float* to, const float* from, std::uint32_t size) const {
    of_width(copy_bytes, [&](auto width) { copy<width.bytes>(to, from, size); });
    commit();
  }
  __device__ void commit() const {
    diverged(diverge, [] { __pipeline_commit(); });
  }
  __device__ void wait(const Turn&, std::uint32_t later) const { __pipeline_wait_prior(later); }
  __device__ void done() const {}
  std::uint32_t copy_bytes, diverge;
};

}  // namespace

TileForms primitives_tiles(std::uint32_t align, bool deviates) {
  return deviates ? deviating_forms<Primitives>(align) : tile_forms<Primitives>(align);
}

}  // namespace streamscope::kernels
