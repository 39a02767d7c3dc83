// %globaltimer and the stamps that kernels write with it.
#pragma once

#include <cstdint>

#include "kernels/launch.h"

namespace streamscope::kernels {

__device__ inline std::uint64_t globaltimer() {
  std::uint64_t now;
  asm volatile("mov.u64 %0, %%globaltimer;" : "=l"(now)::"memory");
  return now;
}

// One atomic a block without a result to wait for.
template <bool kStamped>
__device__ inline void stamp_start(Stamp* stamp) {
  if constexpr (kStamped) {
    if (threadIdx.x == 0) atomicMin(reinterpret_cast<unsigned long long*>(&stamp->start), globaltimer());
  }
}

// All threads of the block must come here.
template <bool kStamped>
__device__ inline void stamp_end(Stamp* stamp) {
  if constexpr (kStamped) {
    __syncthreads();
    if (threadIdx.x == 0) atomicMax(reinterpret_cast<unsigned long long*>(&stamp->end), globaltimer());
  }
}

}  // namespace streamscope::kernels
