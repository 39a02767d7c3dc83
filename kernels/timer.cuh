// %globaltimer and the stamps that kernels write with it.
#pragma once

#include <cstdint>

#include "kernels/stages.h"

namespace streamscope::kernels {

__device__ inline std::uint64_t globaltimer() {
  std::uint64_t now;
  asm volatile("mov.u64 %0, %%globaltimer;" : "=l"(now)::"memory");
  return now;
}

// What StampTo asks for: no stamp, one, or one for each time a graph repeats the launch.
enum class Stamped { no, once, repeatedly };

inline Stamped stamped(const StampTo& to) {
  return to.stamps == nullptr ? Stamped::no : to.tickets == nullptr ? Stamped::once : Stamped::repeatedly;
}

// What a block remembers from its begin to its end.
struct BlockStamp {
  std::uint64_t begin;
  unsigned long long ticket;
};

__device__ inline unsigned long long* word(std::uint64_t* of_stamp) {
  return reinterpret_cast<unsigned long long*>(of_stamp);
}

// By one thread of the block. The atomics return nothing to wait for; the ticket is not used before the end, so that
// nothing waits for it either.
template <Stamped kStamped>
__device__ inline BlockStamp begin_stamp(const StampTo& to, std::uint64_t begin) {
  BlockStamp block{};
  if constexpr (kStamped == Stamped::once) atomicMin(word(&to.stamps->start), begin);
  if constexpr (kStamped == Stamped::repeatedly) {
    block.begin = begin;
    block.ticket = atomicAdd(to.tickets, 1ull);
  }
  return block;
}

template <Stamped kStamped>
__device__ inline BlockStamp stamp_start(const StampTo& to) {
  if constexpr (kStamped != Stamped::no) {
    if (threadIdx.x == 0) return begin_stamp<kStamped>(to, globaltimer());
  }
  return {};
}

// All threads of the block must come here.
template <Stamped kStamped>
__device__ inline void stamp_end(const StampTo& to, const BlockStamp& block) {
  if constexpr (kStamped != Stamped::no) {
    __syncthreads();
    if (threadIdx.x != 0) return;
    const std::uint64_t now = globaltimer();
    Stamp* stamp = to.stamps;
    if constexpr (kStamped == Stamped::repeatedly) {
      stamp += block.ticket / gridDim.x;
      atomicMin(word(&stamp->start), block.begin);
    }
    atomicMax(word(&stamp->end), now);
  }
}

}  // namespace streamscope::kernels
