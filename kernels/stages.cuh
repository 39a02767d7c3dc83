// How a block writes its stages down (stages.h).
#pragma once

#include <cstdint>

#include "kernels/stages.h"
#include "kernels/timer.cuh"

namespace streamscope::kernels {

// Told by one thread of a block that writes; for all others, and where nothing is traced, its functions do nothing.
template <bool kTraced>
class StageNotes {
 public:
  __device__ StageNotes(const StagesTo&, bool) {}
  __device__ void begin() {}
  __device__ void load_issued(std::uint64_t) {}
  __device__ void wait_begun(std::uint64_t) {}
  __device__ void wait_over(std::uint64_t) {}
  __device__ void compute_over(std::uint64_t) {}
  __device__ void end(std::uint64_t) {}
};

template <>
class StageNotes<true> {
 public:
  // `tells`: this thread is the one.
  __device__ StageNotes(const StagesTo& to, bool tells) : ring_(to.ring - 1) {
    if (!tells || blockIdx.x % to.every != 0) return;
    const std::uint32_t block = blockIdx.x / to.every;
    block_ = to.blocks + block;
    stages_ = to.stages + static_cast<std::size_t>(block) * to.ring;
  }
  __device__ void begin() {
    if (block_ == nullptr) return;
    std::uint32_t multiprocessor;
    asm volatile("mov.u32 %0, %%smid;" : "=r"(multiprocessor));
    block_->multiprocessor = multiprocessor;
    block_->time_begin = globaltimer();
    block_->clock_begin = clock();
  }
  __device__ void load_issued(std::uint64_t k) {
    if (stages_ != nullptr) at(k).load_issued = clock();
  }
  __device__ void wait_begun(std::uint64_t k) {
    if (stages_ != nullptr) at(k).wait_begun = clock();
  }
  __device__ void wait_over(std::uint64_t k) {
    if (stages_ != nullptr) at(k).wait_over = clock();
  }
  __device__ void compute_over(std::uint64_t k) {
    if (stages_ != nullptr) at(k).compute_over = clock();
  }
  __device__ void end(std::uint64_t tiles) {
    if (block_ == nullptr) return;
    block_->clock_end = clock();
    block_->time_end = globaltimer();
    block_->tiles = static_cast<std::uint32_t>(tiles);
  }

 private:
  // Not moved by the compiler across what it measures.
  __device__ static std::int64_t clock() {
    std::int64_t now;
    asm volatile("mov.u64 %0, %%clock64;" : "=l"(now)::"memory");
    return now;
  }
  __device__ StageClocks& at(std::uint64_t k) const { return stages_[static_cast<std::uint32_t>(k) & ring_]; }

  BlockClocks* block_ = nullptr;
  StageClocks* stages_ = nullptr;
  std::uint32_t ring_;
};

}  // namespace streamscope::kernels
