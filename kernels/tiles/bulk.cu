// One thread issues the copy of a whole tile (PTX ISA, cp.async.bulk), which completes on an mbarrier.
#include "kernels/tiles/loop.cuh"

namespace streamscope::kernels {
namespace {

#if __CUDA_ARCH__ >= 900
__device__ inline std::uint32_t shared_address(const void* at) {
  return static_cast<std::uint32_t>(__cvta_generic_to_shared(at));
}
__device__ inline void make_barrier(std::uint64_t* barrier) {
  asm volatile("mbarrier.init.shared.b64 [%0], 1;" ::"r"(shared_address(barrier)) : "memory");
}
// Makes the initialised barriers visible to bulk copies.
__device__ inline void publish_barriers() { asm volatile("fence.mbarrier_init.release.cluster;" ::: "memory"); }
__device__ inline void arrive_and_expect(std::uint64_t* barrier, std::uint32_t bytes) {
  asm volatile("mbarrier.arrive.expect_tx.shared.b64 _, [%0], %1;" ::"r"(shared_address(barrier)), "r"(bytes)
               : "memory");
}
__device__ inline void copy(void* to, const void* from, std::uint32_t bytes, std::uint64_t* barrier) {
  asm volatile("cp.async.bulk.shared::cluster.global.mbarrier::complete_tx::bytes [%0], [%1], %2, [%3];" ::"r"(
                   shared_address(to)),
               "l"(from), "r"(bytes), "r"(shared_address(barrier))
               : "memory");
}
__device__ inline void wait_for(std::uint64_t* barrier, std::uint32_t parity) {
  asm volatile(
      "{\n"
      ".reg .pred done;\n"
      "again:\n"
      "mbarrier.try_wait.parity.shared.b64 done, [%0], %1;\n"
      "@!done bra again;\n"
      "}\n" ::"r"(shared_address(barrier)),
      "r"(parity)
      : "memory");
}
#else
// Such a launch is refused.
__device__ inline void make_barrier(std::uint64_t*) { __trap(); }
__device__ inline void publish_barriers() {}
__device__ inline void arrive_and_expect(std::uint64_t*, std::uint32_t) {}
__device__ inline void copy(void*, const void*, std::uint32_t, std::uint64_t*) {}
__device__ inline void wait_for(std::uint64_t*, std::uint32_t) {}
#endif

struct Bulk {
  __device__ Bulk(const TileWork& work, unsigned char* behind)
      : barriers(reinterpret_cast<std::uint64_t*>(behind)), stages(work.stages) {
    if (threadIdx.x == 0) {
      for (std::uint32_t i = 0; i < stages; ++i) make_barrier(barriers + i);
      publish_barriers();
    }
    __syncthreads();
  }
  __device__ void load(const Turn& turn, float* to, const float* from, std::uint32_t size) const {
    const std::uint32_t whole = size / 4 * 4;  // 16 bytes at a time
    if (threadIdx.x == 0) {
      std::uint64_t* const barrier = barriers + turn.place;
      arrive_and_expect(barrier, whole * sizeof(float));
      if (whole > 0) copy(to, from, whole * sizeof(float), barrier);
    }
    for (std::uint32_t i = whole + threadIdx.x; i < size; i += blockDim.x) to[i] = from[i];
  }
  __device__ void wait(const Turn& turn, std::uint32_t) const { wait_for(barriers + turn.place, turn.round); }
  __device__ void done() const {}
  std::uint64_t* barriers;
  std::uint32_t stages;
};

}  // namespace

TileForms bulk_tiles(std::uint32_t align) { return tile_forms<Bulk>(align); }

}  // namespace streamscope::kernels
