// The instruction cp.async (PTX ISA): copies of 4, 8 or 16 bytes per thread, in groups.
#include "kernels/tiles/loop.cuh"

namespace streamscope::kernels {
namespace {

#if __CUDA_ARCH__ >= 800
__device__ inline std::uint32_t shared_address(const void* at) {
  return static_cast<std::uint32_t>(__cvta_generic_to_shared(at));
}
template <int kBytes>
__device__ inline void copy_ca(void* to, const void* from) {
  asm volatile("cp.async.ca.shared.global [%0], [%1], %2;" ::"r"(shared_address(to)), "l"(from), "n"(kBytes)
               : "memory");
}
__device__ inline void copy_cg(void* to, const void* from) {
  asm volatile("cp.async.cg.shared.global [%0], [%1], 16;" ::"r"(shared_address(to)), "l"(from) : "memory");
}
__device__ inline void commit_group() { asm volatile("cp.async.commit_group;" ::: "memory"); }
template <int kGroups>
__device__ inline void wait_group() {
  asm volatile("cp.async.wait_group %0;" ::"n"(kGroups) : "memory");
}
#else
// Such a launch is refused.
template <int kBytes>
__device__ inline void copy_ca(void*, const void*) {
  __trap();
}
__device__ inline void copy_cg(void*, const void*) { __trap(); }
__device__ inline void commit_group() {}
template <int kGroups>
__device__ inline void wait_group() {}
#endif

struct CpAsync {
  __device__ CpAsync(const TileWork& work, unsigned char*)
      : copy_bytes(work.copy_bytes), through_l1(work.through_l1), diverge(work.diverge) {}
  template <int kBytes>
  __device__ void by_ca(float* to, const float* from, std::uint32_t size) const {
    by_words<kBytes>(to, from, size, threadIdx.x, blockDim.x,
                     [](auto* place, const auto* source) { copy_ca<kBytes>(place, source); });
  }
  __device__ void load(const Turn&, float* to, const float* from, std::uint32_t size) const {
    if (copy_bytes == 16 && through_l1 == 0) {
      by_words<16>(to, from, size, threadIdx.x, blockDim.x,
                   [](auto* place, const auto* source) { copy_cg(place, source); });
    } else {
      of_width(copy_bytes, [&](auto width) { by_ca<width.bytes>(to, from, size); });
    }
    commit();
  }
  __device__ void wait(const Turn&, std::uint32_t later) const {
    switch (later) {  // the number is part of the instruction
      case 0: return wait_group<0>();
      case 1: return wait_group<1>();
      case 2: return wait_group<2>();
      case 3: return wait_group<3>();
      case 4: return wait_group<4>();
      case 5: return wait_group<5>();
      case 6: return wait_group<6>();
      default: return wait_group<7>();
    }
  }
  __device__ void commit() const {
    diverged(diverge, [] { commit_group(); });
  }
  __device__ void done() const {}
  std::uint32_t copy_bytes, through_l1, diverge;
};

}  // namespace

TileForms cp_async_tiles(std::uint32_t align, bool deviates) {
  return deviates ? deviating_forms<CpAsync>(align) : tile_forms<CpAsync>(align);
}

}  // namespace streamscope::kernels
