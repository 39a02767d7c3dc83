#include "engine/device/cuda/instrument/instrument.h"

#include <fmt/format.h>

#include <algorithm>
#include <iterator>

#include "engine/base/translate.h"
#include "engine/device/blank_trace.h"
#include "engine/device/cuda/instrument/live_spans.h"
#include "engine/device/cuda/runtime/cuda_error.h"
#include "engine/device/cuda/runtime/device_facts.h"

namespace streamscope::cuda {
namespace {

constexpr std::uint64_t kNoStart = ~0ull;

std::uint32_t narrow(Nanoseconds uncertainty) {
  return static_cast<std::uint32_t>(std::clamp<Nanoseconds>(uncertainty, 0, 0xFFFFFFFF));
}

// Whether a call of this program holds the driver's lock while it waits or copies: the queries of a watching thread
// would block too. Next to such slow calls the cost of events with times does not matter.
bool keeps_driver_busy(const program::Program& program) {
  return std::any_of(program.operations.begin(), program.operations.end(), [&](const program::Operation& operation) {
    return program::call_waits_for_copy(program, operation.work) ||
           std::holds_alternative<program::op::Free>(operation.work) || program::waits_unasked(program, operation.work);
  });
}

}  // namespace

bool has_end_event(const program::Program& program, const program::Operation& operation) {
  if (operation.launch != kNoOperation) return false;
  if (const auto* copy = std::get_if<program::op::Copy>(&operation.work)) {
    // Other blocking copies have ended when the call returns.
    return !copy->blocking || program::returns_after_staging(program, *copy);
  }
  if (const kernels::Choice* kernel = program::kernel_of(program, operation.work))
    return kernel->kernel->own() != nullptr && !kernel->kernel->own()->stamps(kernel->values);
  return std::holds_alternative<program::op::CopyOnDevice>(operation.work) ||
         std::holds_alternative<program::op::PeerCopy>(operation.work) ||
         std::holds_alternative<program::op::Memset>(operation.work) ||
         std::holds_alternative<program::op::Prefetch>(operation.work) ||
         std::holds_alternative<program::op::Launch>(operation.work);
}

Instruments::Instruments(const Observable& observed)
    : program_(&observed.program), all_gpus_(observed.gpus), issued_(observed.program.threads.size()) {}

Result<std::unique_ptr<PassInstrument>> Instruments::make(const Observable& observed) {
  const program::Program& program = observed.program;
  const IssueTargets& targets = observed.targets;
  const Slots& slots = observed.slots;
  std::unique_ptr<Instruments> made(new Instruments(observed));
  Instruments& on = *made;
  on.device_of_ = targets.device_of;
  on.event_of_.assign(targets.device_of.begin(), targets.device_of.end());
  for (std::size_t i = 0; i < on.event_of_.size(); ++i) {
    if (const auto stream = program.operations[i].stream)
      on.event_of_[i] = static_cast<std::uint8_t>(program.streams[stream->value].device.value);
  }
  on.host_clock_ = targets.host_clock;
  on.slot_ = targets.slot;
  on.slots_ = slots.stamps;
  on.host_functions_ = targets.host_functions;
  on.dependencies_.emplace(program);
  const std::size_t count = program.operations.size();
  on.outlives_ = program::ends_its_process(program);

  on.end_events_.resize(count, nullptr);
  std::vector<NodeStamps> node_stamps;
  for (std::size_t d = 0; d < observed.gpus.size(); ++d) {
    const DeviceId device = device_id(d);
    TRY(observed.gpus[device].use());
    auto gpu = TRY(GpuInstruments::make(observed.gpus.shared(device), device, targets.device_of, slots, on.outlives_));
    on.stamps_.push_back(gpu->stamps());
    node_stamps.push_back(gpu->node_stamps());
    on.gpus_.push_back(std::move(gpu));
  }
  TRY(observed.gpus.first().use());
  on.streams_ = targets.streams;
  on.ended_before_.resize(targets.streams.size(), 0);
  on.has_end_.resize(count);
  for (std::size_t i = 0; i < count; ++i) {
    const OperationKind is = program::kind(program.operations[i].work);
    on.has_end_[i] = has_end_event(program, program.operations[i]) || is == OperationKind::kernel ||
                     is == OperationKind::hostfn || program::is_blocking_copy(program.operations[i].work);
  }
  on.calls_.resize(count);
  on.answers_ = std::make_unique<AnswerLog>(program);
  on.observed_.resize(count);
  on.spans_ = device::blank_spans(program, observed.frame);
  if (on.outlives_) {
    for (const trace::Span& span : on.spans_) {
      const trace::LaunchShape* const shape = trace::launch_of(observed.frame, span);
      on.may_go_on_.push_back(shape != nullptr && shape->blocks > 1);
    }
  }
  on.graphs_ = TRY(ExecutableGraphs::make(targets, slots, {node_stamps, observed.repeated}, observed.gpus.controls()));
  on.carried_ = {.calls = on.calls_,
                 .stamps = on.stamps_,
                 .end_events = on.end_events_,
                 .issued = &on.issued_,
                 .opened = &on.opened_,
                 .graphs = on.graphs_.views(),
                 .answers = on.answers_.get(),
                 .before_reset = [made = made.get()] { made->disarm(); }};
  return made;
}

Result<void> Instruments::make_events(bool timing, std::vector<UniqueEvent>& owned,
                                      std::vector<cudaEvent_t>& by_operation) {
  if (!by_operation.empty()) return {};
  std::vector<cudaEvent_t> made_events(program_->operations.size(), nullptr);
  for (std::size_t i = 0; i < made_events.size(); ++i) {
    if (!has_end_event(*program_, program_->operations[i])) continue;
    TRY(gpu_of_event(i).context().use());
    auto event = TRY(make_event(timing));
    made_events[i] = event.get();
    owned.push_back(std::move(event));
  }
  TRY(use());
  by_operation = std::move(made_events);
  return {};
}

// A watching thread needs a core of its own, and each GPU has one; without enough the events carry times.
Result<void> Instruments::choose_events(const device::PassRequest& request) {
  sampled_ = request.instrument == device::Instrument::sampled;
  // Nobody can read the times of events when the device is gone, so they are watched or left out.
  watching_ =
      !sampled_ && gpus_.front()->context().can_watch(gpus_.size()) && (outlives_ || !keeps_driver_busy(*program_));
  if (outlives_ && !watching_) {
    std::ranges::fill(end_events_, nullptr);
    return {};
  }
  TRY(watching_ ? make_events(false, owned_watched_, watched_events_)
                : make_events(true, owned_timing_, timing_events_));
  const std::vector<cudaEvent_t>& all = watching_ ? watched_events_ : timing_events_;
  const device::Share share = sampled_ ? request.share : device::Share{};
  std::uint32_t place = 0;
  for (std::size_t i = 0; i < all.size(); ++i) {
    end_events_[i] = all[i] != nullptr && place++ % std::max(1u, share.of) == share.phase ? all[i] : nullptr;
  }
  timed_by_events_ |= !sampled_ && !watching_;
  return {};
}

std::string Instruments::clock(std::string_view device) const {
  return fmt::format("{}; {}", device,
                     watching_ ? tr("events seen by a watching thread") : tr("events by their own times"));
}

trace::Notes Instruments::notes() const {
  if (outlives_ && !stages_to_.empty()) {
    return {{trace::NoteKind::stages,
             tr("What blocks recorded of their stages was on the device, and could not be read behind the run.")}};
  }
  if (!timed_by_events_) return {};
  return {{trace::NoteKind::instrument,
           tr("Events carried their own times here, which costs microseconds each: a thread that watches them instead "
              "needs one of {} or more processor cores that this process may use, and a program without pageable or "
              "blocking copies and "
              "cudaFree.",
              CudaContext::cores_to_watch(gpus_.size()))}};
}

std::unique_ptr<LiveView> Instruments::watch(const device::SpanSink& sink) {
  return sampled_ ? nullptr : std::make_unique<LiveSpans>(*this, sink);
}

Result<void> Instruments::finish(device::Pass& pass, Nanoseconds) {
  disarm();
  if (outlives_) {
    finish_without_device(pass);
    return {};
  }
  clock_uncertainties_.clear();
  const auto close_map = [&](GpuInstruments& gpu) -> Result<void> {
    const Nanoseconds its = TRY(gpu.close_map(looked_));             // what was sent ahead is final
    clock_uncertainties_.insert(clock_uncertainties_.begin(), its);  // the last device comes first
    return {};
  };
  TRY(on_each(close_map));
  TRY(look(program_->operations.size(), true));
  pass.observed = observed_;
  pass.circumstances = circumstances();
  if (!sampled_) {
    const std::span<const trace::Span> all = spans();
    pass.spans.assign(all.begin(), all.end());
  }
  pass.stages = TRY(stages());
  pass.answers = answers_->on_axis(zero());
  pass.begin = zero();
  // What all times of the device's clock share and the time between two of them is free of. How events are tied to
  // stamps is an event's own; so is what a map that was used before the later handshake may be off by then.
  pass.clock_uncertainty = std::ranges::max(clock_uncertainties_);
  return {};
}

Result<void> Instruments::choose_stages(const device::PassRequest& request) {
  stages_to_.assign(request.stages_of > 0 ? slots_ : 0, {});
  TRY(on_each([&](GpuInstruments& gpu) { return gpu.record_stages(*program_, slot_, request.stages_of, stages_to_); }));
  carried_.stages = stages_to_;
  return {};
}

Result<trace::Stages> Instruments::stages() {
  trace::Stages all;
  const auto add = [&](GpuInstruments& gpu) -> Result<void> {
    trace::Stages its = TRY(gpu.stages(zero()));
    all.every = its.every;
    std::move(its.blocks.begin(), its.blocks.end(), std::back_inserter(all.blocks));
    return {};
  };
  TRY(on_each(add));
  if (gpus_.size() > 1) std::ranges::stable_sort(all.blocks, {}, &trace::StageBlock::operation);
  return all;
}

void Instruments::disarm() noexcept {
  for (const auto& gpu : gpus_) gpu->finish();
}

Result<void> Instruments::on_each(const std::function<Result<void>(GpuInstruments&)>& each) const {
  for (std::size_t d = gpus_.size(); d-- > 0;) {
    if (gpus_.size() > 1) {
      TRY(gpus_[d]->context().use());
    }
    TRY(each(*gpus_[d]));
  }
  return {};
}

Nanoseconds Instruments::seen_until() const {
  Nanoseconds until = host_clock_();
  for (const auto& gpu : gpus_) {
    if (watching_) until = std::min(until, gpu->watcher().seen_until());
  }
  return until;
}

Result<void> Instruments::arm(const device::PassRequest& request) {
  TRY(choose_events(request));
  TRY(choose_stages(request));
  TRY(on_each([&](GpuInstruments& gpu) { return gpu.arm(!watching_ && !outlives_); }));
  std::fill(calls_.begin(), calls_.end(), HostCall{});
  answers_->reset();
  std::fill(observed_.begin(), observed_.end(), device::Observed{});
  std::fill(ended_before_.begin(), ended_before_.end(), 0);
  first_pending_ = 0;
  issued_.reset();
  gated_ = request.gate;
  looked_ = false;
  opened_ = kAbsent;
  if (!watching_) return {};
  return on_each([&](GpuInstruments& gpu) { return gpu.watch(*program_, watched_events_, event_of_, issued_); });
}

Result<void> Instruments::look(std::size_t issued, bool all_done) {
  if (issued == 0) return {};
  looked_ |= !all_done;
  TRY(find_what_ended(issued, all_done));
  // Read after that: the end stamps of kernels that had ended by then are final.
  TRY(on_each([](GpuInstruments& gpu) { return gpu.read_stamps(); }));
  for (std::size_t i = first_pending_; i < issued; ++i) note(i);
  while (first_pending_ < issued && settled(first_pending_)) ++first_pending_;
  return {};
}

bool Instruments::settled(std::size_t i) const {
  return known(observed_[i].end) || (known(observed_[i].host_begin) && !has_end_[i]);
}

// Each block stamps its end, so the stamps alone do not show whether the last block has ended. A kernel has ended when
// something after it in its stream has begun or ended, or when its stream is idle.
Result<void> Instruments::find_what_ended(std::size_t issued, bool all_done) {
  if (all_done) {
    std::fill(ended_before_.begin(), ended_before_.end(), issued);
  } else {
    for (std::size_t s = 0; s < streams_.size(); ++s) {
      // In this thread the per-thread stream is another one than the program's; streams used only in graphs do not
      // exist.
      if (program_->streams[s].made_in_run) continue;  // the issuing thread may just be destroying it
      if (streams_[s] == cudaStreamPerThread || streams_[s] == nullptr) continue;
      if (gpus_.size() > 1) {  // a default stream is that of the current device
        TRY(gpus_[program_->streams[s].device.value]->context().use());
      }
      const cudaError_t code = cudaStreamQuery(streams_[s]);
      if (code == cudaErrorNotReady) continue;
      CUDA_TRY(code, tr("while looking how far a stream has come"));
      ended_before_[s] = issued;
    }
  }
  for (std::size_t i = first_pending_; i < issued; ++i) {
    const auto stream = program::ordered_in(program_->operations[i]);
    if (!stream || program_->operations[i].launch != kNoOperation) continue;
    std::size_t& ended = ended_before_[stream->value];
    if (known(observed_[i].start)) ended = std::max(ended, i);
    if (end_events_[i] == nullptr || known(observed_[i].end) || failed(i)) continue;
    bool seen = false;
    if (watching_) {
      seen = read_sighting(i);
    } else {
      seen = TRY(read_timing_event(i, i < ended));
    }
    if (seen) ended = std::max(ended, i + 1);
    if (!seen && all_done) {
      return fail(ErrorKind::device_failed, tr("The device is idle, but the event behind {} was not seen.",
                                               program::describe(*program_, static_cast<OperationIndex>(i))));
    }
  }
  return {};
}

Result<bool> Instruments::read_timing_event(std::size_t i, bool ended) {
  if (!ended) {
    const cudaError_t code = cudaEventQuery(end_events_[i]);
    if (code == cudaErrorNotReady) return false;
    CUDA_TRY(code, tr("while looking whether a copy has ended"));
  }
  GpuInstruments& gpu = gpu_of_event(i);
  const auto time = TRY(gpu.time_of(end_events_[i]));
  observed_[i].end = gpu.map().host(time) - zero();
  observed_[i].source = trace::Source::event;
  observed_[i].uncertainty = narrow(gpu.map().uncertainty_at(time) + gpu.event_uncertainty());
  return true;
}

bool Instruments::read_sighting(std::size_t i) {
  const GpuInstruments& gpu = gpu_of_event(i);
  const Sighting sighting = gpu.watcher().seen(i);
  if (!known(sighting.after)) return false;
  const Nanoseconds not_before = std::max(sighting.before, calls_[i].begin);
  const Engine engine = program::engine_of(program_->operations[i].work);
  const bool bus = engine == Engine::h2d || engine == Engine::d2h || engine == Engine::peer;
  const SeenEnd seen = seen_end(not_before, sighting.after, gpu.context().clock.narrowest_exchange(), bus);
  observed_[i].end = seen.end - zero();
  observed_[i].source = trace::Source::sighting;
  observed_[i].uncertainty = narrow(seen.uncertainty);
  return true;
}

// Of a program that goes on behind a call that fails: nothing comes of it.
bool Instruments::failed(std::size_t i) const {
  return calls_[i].result != CallResult::success && calls_[i].result != CallResult::not_ready;
}

bool Instruments::has_ended(std::size_t i) const {
  const auto stream = program::ordered_in(program_->operations[i]);
  return stream && i < ended_before_[stream->value];
}

void Instruments::note_kernel(std::size_t i, std::size_t slot, bool ended, device::Observed& seen) const {
  const GpuInstruments& gpu = gpu_of(i);
  kernels::Stamp stamp = gpu.stamp(slot);
  for (std::uint32_t more = stamps_of(*program_, program_->operations[i]); more > 1; --more) {
    const kernels::Stamp other = gpu.stamp(slot + more - 1);
    stamp = {std::min(stamp.start, other.start), std::max(stamp.end, other.end)};
  }
  if (stamp.start == kNoStart) return;
  seen.start = gpu.map().host(static_cast<Nanoseconds>(stamp.start)) - zero();
  seen.source = trace::Source::stamp;
  const auto latest = static_cast<Nanoseconds>(ended ? stamp.end : stamp.start);
  seen.uncertainty = narrow(gpu.map().uncertainty_at(latest) + gpu.context().clock.step());
  if (ended) seen.end = gpu.map().host(latest) - zero();
}

void Instruments::note_host_function(std::size_t slot, device::Observed& seen) const {
  const HostFunctionCall& call = host_functions_[slot];
  if (!known(call.end)) return;  // first: behind it the others stay as they are
  seen.start = call.begin - zero();
  seen.end = call.end - zero();
  seen.result = call.status;
  seen.source = trace::Source::host;
}

void Instruments::note(std::size_t i) {
  const program::Operation& operation = program_->operations[i];
  if (operation.launch != kNoOperation) return note_node(i);
  device::Observed& seen = observed_[i];
  if (known(seen.host_begin) && known(seen.end) && end_events_[i] == nullptr) return;
  seen.host_begin = calls_[i].begin - zero();
  seen.host_end = calls_[i].end - zero();
  seen.polls = calls_[i].polls;
  seen.result = calls_[i].result;
  seen.elapsed = calls_[i].elapsed;
  if (program::kind(operation.work) == OperationKind::kernel) {
    note_kernel(i, slot_[i], has_ended(i), seen);
  } else if (std::holds_alternative<program::op::HostFunction>(operation.work)) {
    if (has_ended(i) && !failed(i)) note_host_function(slot_[i], seen);
  } else if (program::is_blocking_copy(operation.work) && !has_end_event(*program_, operation) && !failed(i)) {
    seen.end = seen.host_end;
    seen.source = trace::Source::host;
  }
}

// The nodes of a launch are read only when all of it has ended: until then the stamps of a kernel may be incomplete.
void Instruments::note_node(std::size_t i) {
  const program::Operation& operation = program_->operations[i];
  device::Observed& seen = observed_[i];
  if (known(seen.host_begin) || !has_ended(operation.launch)) return;
  const HostCall& launch = calls_[operation.launch];
  seen.host_begin = launch.begin - zero();
  seen.host_end = launch.end - zero();
  if (failed(operation.launch)) return;
  if (program::kind(operation.work) == OperationKind::kernel) note_kernel(i, slot_[i] + launch.time, true, seen);
  if (std::holds_alternative<program::op::HostFunction>(operation.work))
    note_host_function(slot_[i] + launch.time, seen);
}

std::span<const trace::Span> Instruments::spans() {
  const auto call_failed = [this](OperationIndex i) { return failed(i); };
  const bool fails = program::has_failed_launch(*program_, call_failed);
  if (program_->threads.size() > 1 || fails || !order_.empty()) {  // or in a pass before
    std::vector<Nanoseconds> begins(calls_.size());
    for (std::size_t i = 0; i < begins.size(); ++i) begins[i] = observed_[i].host_begin;
    order_ = program::issue_order(*program_, begins);
    dependencies_.emplace(*program_, program::without_failed_launches(*program_, order_, call_failed));
  }
  reconstruct::reconstruct(*program_, *dependencies_, observed_, spans_, circumstances(), order_);
  return spans_;
}

device::Circumstances Instruments::circumstances() const {
  const Nanoseconds opened = opened_.load(std::memory_order_acquire);
  return circumstances_of(all_gpus_, known(opened) ? opened - zero() : kAbsent);
}

}  // namespace streamscope::cuda
