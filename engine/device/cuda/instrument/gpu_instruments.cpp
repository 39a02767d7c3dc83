#include "engine/device/cuda/instrument/gpu_instruments.h"

#include <tuple>

#include "engine/base/translate.h"
#include "engine/device/cuda/runtime/cuda_error.h"

namespace streamscope::cuda {

Result<std::unique_ptr<GpuInstruments>> GpuInstruments::make(std::shared_ptr<CudaContext> context, DeviceId device,
                                                             std::span<const std::uint8_t> device_of,
                                                             const Slots& slots, bool outlives) {
  std::unique_ptr<GpuInstruments> made(new GpuInstruments(std::move(context), device, device_of, slots));
  GpuInstruments& on = *made;
  for (UniqueEvent* const event : {&on.base_, &on.before_, &on.after_}) {
    *event = TRY(make_event());
  }
  const std::size_t stamps = outlives ? 0 : slots.stamps * sizeof(kernels::Stamp);
  if (outlives && slots.stamps > 0) {
    on.kept_stamps_ = TRY(KeptStamps::make(slots.stamps));
  }
  for (const auto& [memory, kind, bytes] :
       {std::tuple{&on.stamps_, MemoryKind::device, stamps},
        {&on.seen_stamps_, MemoryKind::pinned, stamps},
        {&on.tickets_, MemoryKind::device, slots.kernel_nodes * sizeof(unsigned long long)},
        {&on.tie_stamp_, MemoryKind::device, sizeof(std::uint64_t)}}) {
    *memory = TRY(on.context_->pool->take(kind, bytes, tr("the instrument's stamps")));
  }
  return made;
}

Result<void> GpuInstruments::arm(bool times_of_events) {
  const cudaStream_t stream = control();
  constexpr const char* kDoing = tr_later("while making the instrument ready");
  CUDA_TRY(kernels::reset_stamps(stamps(), kernels_, stream), tr(kDoing));
  if (kernel_nodes_ > 0) {
    CUDA_TRY(cudaMemsetAsync(tickets_.data(), 0, kernel_nodes_ * sizeof(unsigned long long), stream), tr(kDoing));
  }
  CUDA_TRY(cudaStreamSynchronize(stream), tr(kDoing));
  event_clock_ = EventClock();
  if (times_of_events) {
    CUDA_TRY(cudaEventRecord(base_.get(), stream), tr(kDoing));
    CUDA_TRY(cudaStreamSynchronize(stream), tr(kDoing));
    event_clock_ =
        TRY(EventClock::tie(stream, base_.get(), before_.get(), after_.get(), tie_stamp_.as<std::uint64_t>()));
  }
  map_ = TRY(context_->clock.map());
  return {};
}

Result<void> GpuInstruments::watch(const program::Program& program, std::span<const cudaEvent_t> events,
                                   std::span<const std::uint8_t> event_of, const IssueProgress& issued) {
  if (!watcher_) {
    watched_.assign(events.begin(), events.end());
    for (std::size_t i = 0; i < watched_.size(); ++i) {
      if (event_of[i] != device_.value) watched_[i] = nullptr;
    }
    watcher_.emplace(context_->index, context_->options.host_clock, program, watched_, issued);
  }
  return watcher_->start();
}

void GpuInstruments::finish() noexcept {
  if (watcher_) watcher_->finish();
}

Result<void> GpuInstruments::record_stages(const program::Program& program, std::span<const std::uint32_t> slot,
                                           std::uint32_t every, std::span<kernels::StagesTo> by_slot) {
  recording_stages_ = every > 0;
  if (!recording_stages_) return {};
  if (!stages_ || stages_->every() != every) {
    stages_.reset();  // frees its memory first
    const auto is_here = [this](OperationIndex i) { return has(i); };
    stages_ = TRY(StageRecords::make(context_, program, is_here, slot, kernels_, every));
  }
  const std::span<const kernels::StagesTo> own = stages_->targets();
  for (std::size_t i = 0; i < own.size(); ++i) {
    if (own[i].blocks != nullptr) by_slot[i] = own[i];
  }
  return stages_->arm(control());
}

Result<trace::Stages> GpuInstruments::stages(Nanoseconds zero) {
  if (!recording_stages_) return trace::Stages{};
  return stages_->read(control(), map_, context_->clock.step(), zero);
}

Result<void> GpuInstruments::read_stamps() {
  if (kernels_ == 0 || kept_stamps_) return {};
  constexpr const char* kDoing = tr_later("while reading the kernels' stamps");
  CUDA_TRY(cudaMemcpyAsync(seen_stamps_.data(), stamps_.data(), kernels_ * sizeof(kernels::Stamp),
                           cudaMemcpyDeviceToHost, control()),
           tr(kDoing));
  CUDA_TRY(cudaStreamSynchronize(control()), tr(kDoing));
  return {};
}

Result<Nanoseconds> GpuInstruments::close_map(bool sent_ahead) {
  const auto later = TRY(context_->clock.ask());
  if (sent_ahead) return map_.uncertainty_until(later);
  map_ = map_.through(later);
  return map_.uncertainty();
}

}  // namespace streamscope::cuda
