#include "engine/device/cuda/instrument.h"

#include <algorithm>

#include "engine/device/cuda/check.h"

namespace streamscope {
namespace {

constexpr std::uint64_t kNoStart = ~0ull;

std::uint32_t narrow(Nanoseconds uncertainty) {
  return static_cast<std::uint32_t>(std::clamp<Nanoseconds>(uncertainty, 0, 0xFFFFFFFF));
}

}  // namespace

bool has_end_event(const Program& program, const Operation& operation) {
  if (const auto* copy = std::get_if<op::BlockingCopy>(&operation.work)) {
    // Others have ended when the call returns; this one may return with the copy still under way (cuda-rules 10).
    return copy->direction == Direction::h2d && program.buffers[copy->range.buffer.value].host == HostMemory::pageable;
  }
  return std::holds_alternative<op::Copy>(operation.work) || std::holds_alternative<op::CopyOnDevice>(operation.work) ||
         std::holds_alternative<op::Memset>(operation.work);
}

Result<std::unique_ptr<Instruments>> Instruments::make(std::shared_ptr<CudaContext> context, const Program& program,
                                                       const Trace& frame, const IssueTargets& targets,
                                                       std::size_t kernels) {
  std::unique_ptr<Instruments> made(new Instruments);
  Instruments& on = *made;
  on.context_ = std::move(context);
  on.program_ = &program;
  on.slot_ = targets.slot;
  on.host_functions_ = targets.host_functions;
  on.kernels_ = kernels;
  on.dependencies_.emplace(program);
  const std::size_t count = program.operations.size();

  on.end_events_.resize(count, nullptr);
  for (std::size_t i = 0; i < count; ++i) {
    if (!has_end_event(program, program.operations[i])) continue;
    auto event = make_event();
    if (!event) return fail(event.error());
    on.end_events_[i] = event->get();
    on.owned_events_.push_back(std::move(*event));
  }
  for (UniqueEvent* const event : {&on.base_, &on.before_, &on.after_}) {
    auto made_event = make_event();
    if (!made_event) return fail(made_event.error());
    *event = std::move(*made_event);
  }
  struct Wanted {
    Memory* memory;
    MemoryKind kind;
    std::uint64_t bytes;
  };
  for (const Wanted& wanted : {Wanted{&on.stamps_, MemoryKind::device, kernels * sizeof(kernels::Stamp)},
                               Wanted{&on.seen_stamps_, MemoryKind::pinned, kernels * sizeof(kernels::Stamp)},
                               Wanted{&on.tie_stamp_, MemoryKind::device, sizeof(std::uint64_t)}}) {
    auto memory = on.context_->pool->take(wanted.kind, wanted.bytes, "the instrument's stamps");
    if (!memory) return fail(memory.error());
    *wanted.memory = std::move(*memory);
  }
  on.streams_ = targets.streams;
  on.ended_before_.resize(targets.streams.size(), 0);
  on.has_end_.resize(count);
  for (std::size_t i = 0; i < count; ++i) {
    const OperationKind is = kind(program.operations[i].work);
    on.has_end_[i] = on.end_events_[i] != nullptr || is == OperationKind::kernel || is == OperationKind::hostfn ||
                     std::holds_alternative<op::BlockingCopy>(program.operations[i].work);
  }
  on.calls_.resize(count);
  on.observed_.resize(count);
  on.spans_ = blank_spans(program, frame);
  on.carried_ = IssueInstruments{on.calls_, on.stamps_.as<kernels::Stamp>(), on.end_events_, &on.issued_};
  return made;
}

Result<void> Instruments::arm() {
  const cudaStream_t stream = context_->control.get();
  constexpr const char* kDoing = "while making the instrument ready";
  CUDA_TRY(static_cast<cudaError_t>(kernels::reset_stamps(stamps_.as<kernels::Stamp>(), kernels_, stream)), kDoing);
  CUDA_TRY(cudaEventRecord(base_.get(), stream), kDoing);
  CUDA_TRY(cudaStreamSynchronize(stream), kDoing);
  auto tied = EventClock::tie(stream, base_.get(), before_.get(), after_.get(), tie_stamp_.as<std::uint64_t>());
  if (!tied) return fail(tied.error());
  event_clock_ = *tied;
  auto map = context_->clock.map();
  if (!map) return fail(map.error());
  map_ = *map;
  std::fill(calls_.begin(), calls_.end(), HostCall{});
  std::fill(observed_.begin(), observed_.end(), Observed{});
  std::fill(ended_before_.begin(), ended_before_.end(), 0);
  first_pending_ = 0;
  issued_.store(0, std::memory_order_release);
  return {};
}

Result<void> Instruments::look(std::size_t issued, bool all_done) {
  if (issued == 0) return {};
  if (const auto evidence = find_what_ended(issued, all_done); !evidence) return evidence;
  // Read after the evidence: the end stamps of what had ended by then are final.
  if (kernels_ > 0) {
    const cudaStream_t stream = context_->control.get();
    constexpr const char* kDoing = "while reading the kernels' stamps";
    CUDA_TRY(cudaMemcpyAsync(seen_stamps_.data(), stamps_.data(), kernels_ * sizeof(kernels::Stamp),
                             cudaMemcpyDeviceToHost, stream),
             kDoing);
    CUDA_TRY(cudaStreamSynchronize(stream), kDoing);
  }
  for (std::size_t i = first_pending_; i < issued; ++i) note(i);
  while (first_pending_ < issued && settled(first_pending_)) ++first_pending_;
  return {};
}

bool Instruments::settled(std::size_t i) const {
  return known(observed_[i].end) || (known(observed_[i].host_begin) && !has_end_[i]);
}

// Blocks stamp their end one by one, so that the stamps alone do not tell whether the last has. A kernel has ended when
// something after it in its stream has begun or ended, or when its stream has nothing left to do.
Result<void> Instruments::find_what_ended(std::size_t issued, bool all_done) {
  if (all_done) {
    std::fill(ended_before_.begin(), ended_before_.end(), issued);
  } else {
    for (std::size_t s = 0; s < streams_.size(); ++s) {
      // Asked for from here this would be the stream of this thread, another one.
      if (s == kPerThreadStream.value) continue;
      const cudaError_t code = cudaStreamQuery(streams_[s]);
      if (code == cudaErrorNotReady) continue;
      CUDA_TRY(code, "while looking how far a stream has come");
      ended_before_[s] = issued;
    }
  }
  for (std::size_t i = first_pending_; i < issued; ++i) {
    const auto stream = ordered_in(program_->operations[i]);
    if (!stream) continue;
    std::size_t& ended = ended_before_[stream->value];
    if (known(observed_[i].start)) ended = std::max(ended, i);
    if (end_events_[i] == nullptr || known(observed_[i].end)) continue;
    if (ended <= i) {
      const cudaError_t code = cudaEventQuery(end_events_[i]);
      if (code == cudaErrorNotReady) continue;
      CUDA_TRY(code, "while looking whether a copy has ended");
      ended = std::max(ended, i + 1);
    }
    const auto time = event_clock_.time(end_events_[i]);
    if (!time) return fail(time.error());
    observed_[i].end = on_axis(*time);
    observed_[i].source = Source::event;
    observed_[i].uncertainty = narrow(map_.uncertainty() + event_clock_.uncertainty());
  }
  return {};
}

void Instruments::note(std::size_t i) {
  const Operation& operation = program_->operations[i];
  Observed& seen = observed_[i];
  if (known(seen.host_begin) && known(seen.end) && end_events_[i] == nullptr) return;
  seen.host_begin = calls_[i].begin - zero();
  seen.host_end = calls_[i].end - zero();
  seen.polls = calls_[i].polls;
  const auto stream = ordered_in(operation);
  const bool ended = stream && i < ended_before_[stream->value];
  if (kind(operation.work) == OperationKind::kernel) {
    const kernels::Stamp stamp = seen_stamps_.as<kernels::Stamp>()[slot_[i]];
    if (stamp.start == kNoStart) return;
    seen.start = on_axis(static_cast<Nanoseconds>(stamp.start));
    seen.source = Source::stamp;
    seen.uncertainty = narrow(map_.uncertainty() + context_->clock.step());
    if (ended) seen.end = on_axis(static_cast<Nanoseconds>(stamp.end));
  } else if (std::holds_alternative<op::HostFunction>(operation.work)) {
    if (!ended) return;
    seen.start = host_functions_[slot_[i]].begin - zero();
    seen.end = host_functions_[slot_[i]].end - zero();
    seen.source = Source::host;
  } else if (std::holds_alternative<op::BlockingCopy>(operation.work) && end_events_[i] == nullptr) {
    seen.end = seen.host_end;
    seen.source = Source::host;
  }
}

std::span<const Span> Instruments::spans() {
  reconstruct(*program_, *dependencies_, observed_, spans_);
  return spans_;
}

Result<Nanoseconds> Instruments::uncertainty() {
  const auto later = context_->clock.ask();
  if (!later) return fail(later.error());
  return map_.uncertainty_until(*later) + event_clock_.uncertainty();
}

}  // namespace streamscope
