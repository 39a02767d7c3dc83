// The whole block copies a tile with one call (cooperative_groups::memcpy_async), which chooses the width of the copies
// by the alignment given.
#include <cooperative_groups.h>
#include <cooperative_groups/memcpy_async.h>

#include <cuda/barrier>

#include "kernels/tiles/loop.cuh"

namespace streamscope::kernels {
namespace {

namespace groups = cooperative_groups;

struct Groups {
  __device__ Groups(const TileWork& work, unsigned char*) : align(work.align) {}
  template <int kAlign>
  __device__ static void copy(float* to, const float* from, std::uint32_t size) {
    // The size must be a multiple of the alignment too; the rest is loaded and stored.
    constexpr std::uint32_t kFloats = kAlign / 4;
    const std::uint32_t whole = size / kFloats * kFloats;
    groups::memcpy_async(groups::this_thread_block(), to, from, cuda::aligned_size_t<kAlign>(whole * sizeof(float)));
    for (std::uint32_t i = whole + threadIdx.x; i < size; i += blockDim.x) to[i] = from[i];
  }
  __device__ void load(const Turn&, float* to, const float* from, std::uint32_t size) const {
    if (align >= 128) {
      copy<128>(to, from, size);
    } else if (align >= 16) {
      copy<16>(to, from, size);
    } else {
      copy<4>(to, from, size);
    }
  }
  __device__ void wait(const Turn&, std::uint32_t later) const {
    const auto block = groups::this_thread_block();
    switch (later) {
      case 0: return groups::wait(block);
      case 1: return groups::wait_prior<1>(block);
      case 2: return groups::wait_prior<2>(block);
      case 3: return groups::wait_prior<3>(block);
      case 4: return groups::wait_prior<4>(block);
      case 5: return groups::wait_prior<5>(block);
      default: return groups::wait_prior<6>(block);
    }
  }
  __device__ void done() const {}
  std::uint32_t align;
};

}  // namespace

TileForms cg_tiles(std::uint32_t align) { return tile_forms<Groups>(align); }

}  // namespace streamscope::kernels
