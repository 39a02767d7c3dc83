// Kernels whose blocks go through tiles and record their stages (stages.h).
//
// It must cost next to nothing: one reading of the clock serves for all that happens at that moment, and stores are
// made while the block has nothing else to do. Blocks that record nothing have no code for it.
#pragma once

#include <array>

#include "kernels/launch.cuh"
#include "kernels/timer.cuh"

namespace streamscope::kernels {

__device__ inline bool records_stages(const StagesTo& to) { return blockIdx.x % to.every == 0; }

// Called by all threads of a block; one of them records. For each tile, in this order: load_issued(), which may come
// before calls for earlier tiles; then wait_begun(), wait_over(), compute_over().
template <bool kRecords>
class StageRecorder {
 public:
  __device__ StageRecorder(const StagesTo&, bool) {}
  __device__ void begin() {}
  __device__ void look() {}
  __device__ void load_issued(std::uint64_t) {}
  __device__ void wait_begun(std::uint64_t) {}
  __device__ void wait_over() {}
  __device__ void compute_over() {}
  __device__ void end(std::uint64_t) {}
};

template <>
class StageRecorder<true> {
 public:
  // `records`: this thread is the one that records.
  __device__ StageRecorder(const StagesTo& to, bool records)
      : records_(records),
        ring_(to.ring - 1),
        block_(to.blocks + blockIdx.x / to.every),
        stages_(to.stages + static_cast<std::size_t>(blockIdx.x / to.every) * to.ring) {}
  __device__ void begin() {
    if (!records_) return;
    std::uint32_t multiprocessor;
    asm volatile("mov.u32 %0, %%smid;" : "=r"(multiprocessor));
    block_->multiprocessor = multiprocessor;
    block_->time_begin = globaltimer();
    now_ = clock();
    block_->clock_begin = now_;
  }
  __device__ void look() {
    if (records_) now_ = clock();
  }
  // At the time of the last reading of the clock: in look(), or in the call before.
  __device__ void load_issued(std::uint64_t k) {
    if (records_) at(k).load_issued = now_;
  }
  __device__ void wait_begun(std::uint64_t k) {
    if (!records_) return;
    store();
    last_ = &at(k);
    wait_begun_ = now_;
  }
  __device__ void wait_over() {
    if (!records_) return;
    now_ = clock();
    wait_over_ = now_;
  }
  __device__ void compute_over() { look(); }
  __device__ void end(std::uint64_t tiles) {
    if (!records_) return;
    block_->clock_end = clock();
    block_->time_end = globaltimer();
    block_->tiles = static_cast<std::uint32_t>(tiles);
    store();
  }

 private:
  // volatile and with a memory clobber, so that the compiler does not move it across the code it measures.
  __device__ static std::int64_t clock() {
    std::int64_t now;
    asm volatile("mov.u64 %0, %%clock64;" : "=l"(now)::"memory");
    return now;
  }
  __device__ StageClocks& at(std::uint64_t k) const { return stages_[static_cast<std::uint32_t>(k) & ring_]; }
  // The times of the tile before. A store may have to wait for memory; while the block waits for data there is time.
  __device__ void store() const {
    if (last_ == nullptr) return;
    last_->wait_begun = wait_begun_;
    last_->wait_over = wait_over_;
    last_->compute_over = now_;
  }

  bool records_;
  std::uint32_t ring_;
  BlockClocks* block_;
  StageClocks* stages_;
  StageClocks* last_ = nullptr;
  std::int64_t now_ = 0, wait_begun_ = 0, wait_over_ = 0;
};

// Body::run<kRecords>(work, stages) is what a block does; it has kThreads at most, and kResident of them fit on a
// multiprocessor at least (0: nothing is asked for). Launches on architectures before kArchitecture, as __CUDA_ARCH__,
// are refused.
template <class Body, class Work, Stamped kStamped, bool kTraced>
__global__ void __launch_bounds__(Body::kThreads, Body::kResident)
    staged_kernel(Work work, StampTo stamp, StagesTo stages) {
#ifdef __CUDA_ARCH__
  if constexpr (__CUDA_ARCH__ < Body::kArchitecture) {
    __trap();
  } else {
    const BlockStamp block = stamp_start<kStamped>(stamp);
    if (kTraced && records_stages(stages)) {
      Body::template run<kTraced>(work, stages);
    } else {
      Body::template run<false>(work, stages);
    }
    stamp_end<kStamped>(stamp, block);
  }
#endif
}

// By Stamped; the last one is stamped once and records its stages.
template <class Work>
using StagedForms = std::array<void (*)(Work, StampTo, StagesTo), 4>;

template <class Body, class Work>
StagedForms<Work> staged_forms() {
  return {staged_kernel<Body, Work, Stamped::no, false>, staged_kernel<Body, Work, Stamped::once, false>,
          staged_kernel<Body, Work, Stamped::repeatedly, false>, staged_kernel<Body, Work, Stamped::once, true>};
}

template <class Work>
int launch(const StagedForms<Work>& forms, unsigned blocks, unsigned threads, std::size_t shared_bytes, Stream stream,
           const Work& work, const StampTo& stamp, const StagesTo& stages) {
  const bool records = stages.blocks != nullptr;
  if (records && stamped(stamp) != Stamped::once) return cudaErrorInvalidValue;
  return launch(forms[records ? 3 : static_cast<int>(stamped(stamp))], blocks, threads, shared_bytes, stream, work,
                stamp, stages);
}

}  // namespace streamscope::kernels
