// How a block writes its stages down (stages.h).
//
// It shall cost next to nothing: one reading of the clock stands for all that happens at that moment, and what is
// stored is stored while the block has nothing else to do. Blocks that tell nothing carry
// nothing of it.
#pragma once

#include <cstdint>

#include "kernels/stages.h"
#include "kernels/timer.cuh"

namespace streamscope::kernels {

__device__ inline bool tells_stages(const StagesTo& to) { return blockIdx.x % to.every == 0; }

// Told by all threads of a block, written by the one that tells. Of each tile, in this order: load_issued, which may
// come earlier than what was told of tiles before it; then wait_begun, wait_over, compute_over.
template <bool kTells>
class StageNotes {
 public:
  __device__ StageNotes(const StagesTo&, bool) {}
  __device__ void begin() {}
  __device__ void look() {}
  __device__ void load_issued(std::uint64_t) {}
  __device__ void wait_begun(std::uint64_t) {}
  __device__ void wait_over() {}
  __device__ void compute_over() {}
  __device__ void end(std::uint64_t) {}
};

template <>
class StageNotes<true> {
 public:
  // `tells`: this thread is the one.
  __device__ StageNotes(const StagesTo& to, bool tells)
      : tells_(tells),
        ring_(to.ring - 1),
        block_(to.blocks + blockIdx.x / to.every),
        stages_(to.stages + static_cast<std::size_t>(blockIdx.x / to.every) * to.ring) {}
  __device__ void begin() {
    if (!tells_) return;
    std::uint32_t multiprocessor;
    asm volatile("mov.u32 %0, %%smid;" : "=r"(multiprocessor));
    block_->multiprocessor = multiprocessor;
    block_->time_begin = globaltimer();
    now_ = clock();
    block_->clock_begin = now_;
  }
  __device__ void look() {
    if (tells_) now_ = clock();
  }
  // At the time of the last reading: that of look(), or of what was told last.
  __device__ void load_issued(std::uint64_t k) {
    if (tells_) at(k).load_issued = now_;
  }
  __device__ void wait_begun(std::uint64_t k) {
    if (!tells_) return;
    store();
    told_ = &at(k);
    wait_begun_ = now_;
  }
  __device__ void wait_over() {
    if (!tells_) return;
    now_ = clock();
    wait_over_ = now_;
  }
  __device__ void compute_over() { look(); }
  __device__ void end(std::uint64_t tiles) {
    if (!tells_) return;
    block_->clock_end = clock();
    block_->time_end = globaltimer();
    block_->tiles = static_cast<std::uint32_t>(tiles);
    store();
  }

 private:
  // Not moved by the compiler across what it measures.
  __device__ static std::int64_t clock() {
    std::int64_t now;
    asm volatile("mov.u64 %0, %%clock64;" : "=l"(now)::"memory");
    return now;
  }
  __device__ StageClocks& at(std::uint64_t k) const { return stages_[static_cast<std::uint32_t>(k) & ring_]; }
  // Of the tile that was worked on last. A store may have to wait for memory: there is time for that now.
  __device__ void store() const {
    if (told_ == nullptr) return;
    told_->wait_begun = wait_begun_;
    told_->wait_over = wait_over_;
    told_->compute_over = now_;
  }

  bool tells_;
  std::uint32_t ring_;
  BlockClocks* block_;
  StageClocks* stages_;
  StageClocks* told_ = nullptr;
  std::int64_t now_ = 0, wait_begun_ = 0, wait_over_ = 0;
};

}  // namespace streamscope::kernels
