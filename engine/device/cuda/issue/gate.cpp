#include "engine/device/cuda/issue/gate.h"

#include <atomic>

#include "engine/base/translate.h"
#include "engine/device/cuda/runtime/cuda_error.h"
#include "kernels/launch.h"

namespace streamscope::cuda {

struct Gate::Words {
  alignas(128) std::uint32_t open;
  alignas(128) std::uint32_t expired;
};

Result<std::unique_ptr<Gate>> Gate::make(Gpus gpus) {
  std::unique_ptr<Gate> gate(new Gate(std::move(gpus)));
  gate->words_ = TRY(gate->gpus_.first().pool->take(MemoryKind::pinned, sizeof(Words), tr("the gate")));
  *gate->words_.as<Words>() = Words{1, 0};
  for (const auto& gpu : gate->gpus_) {
    TRY(gpu->use());
    auto stream = TRY(make_stream(cudaStreamNonBlocking, gpu->info.highest_priority));
    auto behind = TRY(make_event(false));
    gate->on_device_.push_back({std::move(stream), std::move(behind)});
  }
  TRY(gate->gpus_.first().use());
  return gate;
}

Result<void> Gate::close(std::span<const std::vector<cudaStream_t>> streams) {
  constexpr const char* kDoing = tr_later("while closing the gate");
  auto& words = *words_.as<Words>();
  auto* const on_device = reinterpret_cast<Words*>(TRY(device_view(&words, tr(kDoing))));
  std::atomic_ref(words.expired).store(0, std::memory_order_relaxed);
  std::atomic_ref(words.open).store(0, std::memory_order_release);

  const auto close_all = [&]() -> Result<void> {
    for (std::size_t d = gpus_.size(); d-- > 0;) {
      TRY(gpus_[device_id(d)].use());
      const cudaStream_t own = on_device_[d].stream.get();
      const cudaEvent_t behind = on_device_[d].behind.get();
      CUDA_TRY(kernels::gate(&on_device->open, &on_device->expired, static_cast<std::uint64_t>(kLongest), own),
               tr(kDoing));
      CUDA_TRY(cudaEventRecord(behind, own), tr(kDoing));
      for (const cudaStream_t stream : streams[d]) CUDA_TRY(cudaStreamWaitEvent(stream, behind, 0), tr(kDoing));
    }
    return {};
  };
  auto closed = close_all();
  if (!closed) open();
  return closed;
}

void Gate::open() noexcept {
  if (words_) std::atomic_ref(words_.as<Words>()->open).store(1, std::memory_order_release);
}

bool Gate::expired() const { return std::atomic_ref(words_.as<Words>()->expired).load(std::memory_order_acquire) != 0; }

}  // namespace streamscope::cuda
