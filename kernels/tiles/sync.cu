// Through registers: every thread loads, waits for its data and stores it.
#include "kernels/tiles/loop.cuh"

namespace streamscope::kernels {
namespace {

struct Sync {
  __device__ Sync(const TileWork& work, unsigned char*) : align(work.align) {}
  __device__ void load(const Turn&, float* to, const float* from, std::uint32_t size) const {
    const auto through_registers = [](auto* place, const auto* source) { *place = *source; };
    if (align >= 16) {
      by_words<16>(to, from, size, threadIdx.x, blockDim.x, through_registers);
    } else {
      by_words<4>(to, from, size, threadIdx.x, blockDim.x, through_registers);
    }
  }
  __device__ void wait(const Turn&, std::uint32_t) const {}
  __device__ void done() const {}
  std::uint32_t align;
};

}  // namespace

TileForms sync_tiles(std::uint32_t align) { return tile_forms<Sync>(align); }

}  // namespace streamscope::kernels
