// The device's side of the simulation: what happens when, and how long it takes from one operation to the next.
#include "engine/device/model/simulation.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>

#include "engine/base/translate.h"

namespace streamscope::model {
namespace {

constexpr std::size_t kBatch = 1024;             // spans sent at once
constexpr std::uint32_t kStopCheckEvery = 1024;  // steps

trace::WaitReason reason_of(program::DependencyKind kind) {
  constexpr std::array kReasons{trace::WaitReason::stream, trace::WaitReason::legacy, trace::WaitReason::event,
                                trace::WaitReason::host, trace::WaitReason::graph};
  return kReasons[static_cast<std::size_t>(kind)];
}

}  // namespace

Simulation::Gpu::Gpu(const Profile& profile)
    : memory(profile.device.memory),
      h2d(profile.copies.queue),
      d2h(profile.copies.queue),
      block_scheduler(profile),
      compute_channels(profile.streams.connections),
      h2d_channels(profile.copies.channels),
      d2h_channels(profile.copies.channels) {}

Simulation::Simulation(const Profile& profile, const program::Program& program, const device::RunControl& control,
                       HoldLog* log)
    : profile_(profile),
      program_(program),
      control_(control),
      log_(log),
      pageable_data_(pageable_data(program)),
      pool_searches_(pool_searches(program)),
      order_(program),
      recent_streams_(program),
      stream_unit_(program.streams.size(), Engine::none),
      queued_(program.streams.size(), 0),
      in_stream_(program.streams.size()),
      last_begun_(program.streams.size()),
      read_(program.buffers.size()),
      captures_(program.graphs.size()),
      captured_by_(program.streams.size()),
      links_(profile.links, program::device_count(program)),
      on_device_(program.buffers.size()) {
  for (std::size_t graph = 0; graph < captures_.size(); ++graph) {
    captures_[graph].is_there = !program.graphs[graph].captured_in_run;
    captures_begun_ += captures_[graph].is_there ? 1 : 0;
  }
  bus_users_.resize(program::device_count(program));
  for (std::uint32_t device = 0; device < bus_users_.size(); ++device) {
    Gpu& gpu = gpus_.emplace_back(profile);
    engines_.insert(engines_.end(), {&gpu.h2d, &gpu.d2h, &gpu.written, &gpu.on_device, &gpu.callbacks});
    for (const program::Buffer& buffer : program.buffers) {
      const bool takes = !buffer.made_in_run && buffer.host != program::HostMemory::mapped;
      if (takes && program::has_side(buffer, DeviceId{device})) gpu.memory.take(buffer.bytes);
    }
  }
}

Result<device::Pass> Simulation::run(std::vector<trace::Span> blank) {
  spans_ = std::move(blank);
  const std::size_t count = spans_.size();
  awaited_.assign(count, 0);
  eligible_.assign(count, 0);
  unit_.assign(count, Engine::none);
  waiters_.assign(count, kNone);
  held_.assign(count, false);
  channel_of_.assign(count, 0);
  nodes_left_.assign(count, 0);
  for (const program::Operation& each : program_.operations) {
    if (each.launch != kNoOperation) ++nodes_left_[each.launch];
  }
  never_runs_.assign(count, false);
  recorded_.assign(program_.events.size(), kNoOperation);
  arrived_.assign(count, false);
  with_commands_.assign(count, false);
  is_direct_.assign(count, false);
  is_released_ = released_copies(program_);
  for (trace::Span& span : spans_) span.ready_source = span.start_source = span.source = trace::Source::model;
  threads_.push_back({.id = ThreadId{0}});
  while (!stopped()) {
    HostThread* thread = next_thread();
    const Nanoseconds device = next();
    if (thread != nullptr && thread->time < device) {
      advance(*thread);
    } else if (device != kNever) {
      step(device);
    } else if (const std::string waiting = waiting_threads(); !waiting.empty()) {
      return fail(ErrorKind::device_failed,
                  tr("The program never ends: nothing is left to do, and the host waits for ever, {}.", waiting));
    } else {
      break;
    }
  }
  if (error_) return fail(std::move(*error_));
  flush();
  device::Pass pass;
  pass.wall = threads_.front().time;
  pass.spans = std::move(spans_);
  std::ranges::stable_sort(answers_, {}, &trace::PollAnswer::operation);
  pass.answers.polls = std::move(answers_);
  std::ranges::stable_sort(capture_answers_, {}, &trace::CaptureAnswer::operation);
  pass.answers.captures = std::move(capture_answers_);
  return pass;
}

bool Simulation::stopped() {
  if (error_) return true;
  if (until_stop_check_ > 0) {
    --until_stop_check_;
    return false;
  }
  until_stop_check_ = kStopCheckEvery;
  if (control_.stop.stop_requested()) error_ = Error{ErrorKind::cancelled, tr("The run was stopped on request.")};
  return error_.has_value();
}

// Everything of one instant: first what ends or arrives, then the starts.
void Simulation::step(Nanoseconds at) {
  now_ = at;
  if (dead()) return tell();
  while (!dead() && next() <= now_) {
    ends_.clear();
    for (Gpu& gpu : gpus_) gpu.block_scheduler.advance(now_, ends_);
    if (std::min(next_engine_, links_.next()) <= now_) finish_engines();
    std::sort(ends_.begin(), ends_.end());
    for (const OperationIndex index : ends_) end(index);
    while (!dead() && !timers_.empty() && timers_.top().at <= now_) {
      const Timer timer = timers_.top();
      timers_.pop();
      on_timer(timer);
    }
  }
  if (!dead()) start_what_can();
  if (may_wake_) wake_threads();
}

void Simulation::on_timer(const Timer& timer) {
  switch (timer.kind) {
    case TimerKind::end: return end(timer.operation);
    case TimerKind::eligible: return carry_out(timer.operation);
    case TimerKind::submitted:
      arrived_[timer.operation] = true;
      return release(timer.operation, now_ + start_latency(timer.operation), trace::WaitReason::none, kNoOperation);
  }
}

// One dependency fewer. The last one is the reason for the wait.
void Simulation::release(OperationIndex index, Nanoseconds eligible, trace::WaitReason reason, OperationIndex on) {
  trace::Span& span = spans_[index];
  span.reason = reason;
  span.waits_for = on;
  eligible_[index] = std::max(eligible_[index], eligible);
  if (--awaited_[index] > 0) return;
  span.ready = now_;
  if (eligible_[index] <= now_) return carry_out(index);
  timers_.push({eligible_[index], TimerKind::eligible, index});
}

void Simulation::end(OperationIndex index) {
  const program::Operation& operation = program_.operations[index];
  if (std::holds_alternative<program::op::Fault>(operation.work)) return die(index);
  spans_[index].end = now_;
  may_wake_ = true;
  if (log_ != nullptr) log_->end(index, now_);
  const StreamId stream = owner(index);
  if (std::holds_alternative<program::op::HostFunction>(operation.work)) gpu_of(stream).callbacks_since = now_;
  last_begun_[stream.value][static_cast<std::size_t>(unit_[index])] = spans_[index].start;
  gpu_of(stream).staged -= staged_bytes(profile_, program_, operation.work);
  if (leaves_queue(index)) --queued_[stream.value];
  for (std::uint32_t at = std::exchange(waiters_[index], kNone); at != kNone;) {
    const Dependent dependent = dependents_[at];
    if (log_ != nullptr) log_->release(at, now_);
    dependents_[at].next = unused_dependents_;
    unused_dependents_ = at;
    // An operation that has not arrived yet will find this one done and needs no handoff.
    const Nanoseconds more =
        arrived_[dependent.operation] ? handoff(index, dependent.operation, dependent.kind) : Nanoseconds{0};
    release(dependent.operation, now_ + more, reason_of(dependent.kind), index);
    at = dependent.next;
  }
  if (known(spans_[index].host_end)) send(index);
}

// A graph stays in its stream's queue until the last of its nodes is over.
bool Simulation::leaves_queue(OperationIndex ended) {
  const OperationIndex launch = program_.operations[ended].launch;
  return launch == kNoOperation ? nodes_left_[ended] == 0 : --nodes_left_[launch] == 0;
}

StreamId Simulation::owner(OperationIndex index) const {
  const program::Operation& operation = program_.operations[index];
  return *program::ordered_in(operation.launch == kNoOperation ? operation : program_.operations[operation.launch]);
}

Engine Simulation::unit_of(OperationIndex index) const {
  return with_commands_[index] ? Engine::compute : program::engine_of(program_.operations[index].work);
}

// From the arrival of an operation at an idle device to its start.
Nanoseconds Simulation::start_latency(OperationIndex index) const {
  if (program_.operations[index].launch != kNoOperation) return 0;
  return with_commands_[index] ? profile_.copies.h2d_first : first_latency(profile_, unit_of(index));
}

Nanoseconds Simulation::in_graph(OperationIndex from, OperationIndex to) const {
  if (program_.operations[to].launch == kNoOperation) return 0;  // a launch behind another of the same graph
  if (std::holds_alternative<program::op::Launch>(program_.operations[from].work)) return profile_.streams.graph_start;
  return handoff_in_graph(profile_.streams, unit_[from], unit_of(to));
}

// From the end of one operation until the other could begin.
Nanoseconds Simulation::handoff(OperationIndex from, OperationIndex to, program::DependencyKind kind) const {
  const Profile::Streams& streams = profile_.streams;
  const Engine before = unit_[from], unit = unit_of(to);
  switch (kind) {
    case program::DependencyKind::host: return 0;
    case program::DependencyKind::event: {
      const auto device = [this](OperationIndex of) { return program_.streams[owner(of).value].device; };
      return device(from) == device(to) ? streams.event : streams.event + profile_.links.event;
    }
    case program::DependencyKind::graph: return in_graph(from, to);
    case program::DependencyKind::legacy: return streams.legacy + late_handoff(streams, before, unit);
    case program::DependencyKind::stream: break;
  }
  const Nanoseconds end = spans_[from].end;
  const bool after_commands = with_commands_[from], with_commands = with_commands_[to];
  if (after_commands && with_commands) return streams.copy_after_copy;
  // Data in the command stream is written before what is behind it is read: then no engine polls for it.
  const bool on_engine = unit == Engine::compute || unit == Engine::h2d || unit == Engine::d2h;
  if ((after_commands && on_engine) || (with_commands && before == Engine::compute)) return streams.inlined;
  if (unit == Engine::host && before != Engine::host && before != Engine::none) {
    // The call that issued the function has woken the thread, too (H100: behind kernels of 4 us and more it sleeps).
    return wake_callbacks(streams, end - std::max(gpus_[program_.streams[owner(to).value].device.value].callbacks_since,
                                                  spans_[to].host_end));
  }
  // A wait for an event of another stream: the engine polls for it even if it ran the awaited work itself.
  if (std::holds_alternative<program::op::Wait>(program_.operations[from].work) && before == unit) {
    // One that finds its event done costs a copy engine nothing: it stays with the stream, whoever else has a copy
    // ready.
    const bool found_done = spans_[from].reason != trace::WaitReason::event && spans_[from].end == spans_[from].ready;
    return found_done && unit != Engine::compute ? streams.copy_after_copy : streams.short_handoff;
  }
  // The engine has been polling since it last began work of this stream.
  const Nanoseconds since = std::max(eligible_[to], last_begun_[owner(to).value][static_cast<std::size_t>(unit)]);
  return model::handoff(streams, before, unit, end - since);
}

void Simulation::send(OperationIndex index) {
  if (!control_.on_spans) return;
  batch_.push_back(spans_[index]);
  if (batch_.size() == kBatch) flush();
}

void Simulation::flush() {
  if (batch_.empty()) return;
  control_.on_spans(batch_);
  batch_.clear();
}

}  // namespace streamscope::model
