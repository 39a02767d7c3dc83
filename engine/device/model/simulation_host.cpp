// The host threads' side of the simulation: whose turn it is, what its call costs, and what it waits for.
#include <fmt/format.h>

#include <algorithm>
#include <cstdint>

#include "engine/base/translate.h"
#include "engine/device/model/simulation.h"

namespace streamscope::model {
namespace {

// The part of a launch's time that a call takes longer into a stream not used just before.
constexpr Nanoseconds kOfALaunch = 24;

HoldKind hold_kind(program::DependencyKind kind) {
  switch (kind) {
    case program::DependencyKind::legacy: return HoldKind::legacy;
    case program::DependencyKind::event: return HoldKind::event;
    case program::DependencyKind::graph: return HoldKind::graph;
    case program::DependencyKind::stream:
    case program::DependencyKind::host: break;
  }
  return HoldKind::stream;
}

}  // namespace

// The thread with the earliest time; null if all wait or are done.
Simulation::HostThread* Simulation::next_thread() {
  HostThread* first = nullptr;
  for (HostThread& thread : threads_) {
    if (thread.waiting || thread.phase == Phase::done) continue;
    if (first == nullptr || thread.time < first->time) first = &thread;
  }
  return first;
}

// Moves on to the thread's next operation; false where it has none.
bool Simulation::take_next(HostThread& thread) {
  const auto& operations = program_.operations;
  const auto count = static_cast<OperationIndex>(operations.size());
  OperationIndex i = thread.at;
  // A started thread's operations are contiguous; the main thread skips those of others. No thread issues the nodes of
  // a graph.
  const auto not_its = [&] { return operations[i].thread != thread.id; };
  while (i < count && (operations[i].launch != kNoOperation || (thread.id.value == 0 && not_its()))) ++i;
  if (i == count || not_its()) return false;
  thread.at = i;
  return true;
}

// Runs the thread up to the next point at which the device could affect it.
void Simulation::advance(HostThread& thread) {
  while (true) {
    switch (thread.phase) {
      case Phase::next:
        if (!take_next(thread)) {
          thread.phase = Phase::done;
          wake_threads();
          return;
        }
        with_commands_[thread.at] =
            goes_with_commands(profile_, program_, program_.operations[thread.at].work, is_idle(thread.at));
        thread.call = host_call(profile_, program_, thread.at, pageable_data_, is_idle(thread.at), reaches(thread.at));
        if (!pool_searches_.empty())
          thread.call.enter += at_pace(profile_, Nanoseconds{pool_searches_[thread.at]} * kPoolStream);
        thread.waited = false;
        thread.awaited = kNoOperation;
        spans_[thread.at].host_begin = thread.time;
        begin_wait(thread, thread.call.before);
        thread.phase = Phase::before;
        break;
      case Phase::before:
        if (!is_over(thread, thread.call.before)) {
          thread.waiting = thread.waited = may_wake_ = true;
          return;
        }
        if (thread.waited && thread.call.before == HostWait::device)
          thread.time += at_pace(profile_, profile_.host.wake);
        thread.phase = Phase::enter;
        break;
      case Phase::enter:
        if (thread.call.is_call && threads_.size() > 1) {
          thread.time = std::max(thread.time, driver_free_);
        }
        make_call(thread);
        // What the device does up to this time comes before the check.
        if (thread.phase == Phase::until) return;
        break;
      case Phase::until:
        if (!is_over(thread, thread.call.until)) {
          thread.waiting = thread.waited = may_wake_ = true;
          return;
        }
        if (thread.waited && thread.call.until != HostWait::nothing) thread.time += thread.call.wake;
        if (told_ && thread.call.until != HostWait::thread) returns(thread, sticks_);
        thread.phase = Phase::leave;
        break;
      case Phase::leave: finish(thread); return;
      case Phase::done: return;
    }
  }
}

void Simulation::make_call(HostThread& thread) {
  const OperationIndex index = thread.at;
  const program::Work& work = program_.operations[index].work;
  if (fails(thread)) return;
  if (std::holds_alternative<program::op::Touch>(work)) thread.time += migration_of(index);
  const Nanoseconds began = thread.time;
  const std::span<const program::Dependency> after = order_.issue(index);
  // The driver omits a wait for an event that has fired already.
  const bool left_out = std::holds_alternative<program::op::Wait>(work) &&
                        std::none_of(after.begin(), after.end(), [&](const program::Dependency& one) {
                          return one.kind == program::DependencyKind::event && !ended(one.on);
                        });
  thread.time += left_out ? at_pace(profile_, profile_.host.query) : thread.call.enter;
  if (const auto* launch = std::get_if<program::op::Launch>(&work);
      launch != nullptr && !std::exchange(captures_[launch->graph.value].is_uploaded, true)) {
    thread.time += upload_time(profile_, program_.graphs[launch->graph.value]);
  }
  if (thread.call.submits && !recent_streams_.use(*program::ordered_in(program_.operations[index]))) {
    thread.time += at_pace(profile_, profile_.host.launch / kOfALaunch);
  }
  if (thread.call.is_call) {
    if (thread.id.value != 0 && !thread.has_called) thread.time += profile_.host.thread_first_call;
    thread.has_called = true;
    const Nanoseconds alone = thread.time - began;
    driver_free_ = began + alone * profile_.host.calls_take_turns / 1'000'000;
  }
  if (thread.call.event) thread.call.record = recorded_[thread.call.event->value];
  if (thread.call.submits) submit(index, thread.time, after);
  if (program::allocation_of(work)) allocate(index, thread.time);
  if (const auto* access = std::get_if<program::op::PeerAccess>(&work)) {
    const std::pair<DeviceId, DeviceId> both = std::minmax(access->first, access->second);
    access->on ? void(reached_.insert(both)) : void(reached_.erase(both));
  }
  if (std::holds_alternative<program::op::Reset>(work)) reset();
  if (const auto* step = std::get_if<program::op::Capture>(&work)) capture(*step, thread.id);
  if (thread.call.asks) answer(thread);
  begin_wait(thread, thread.call.until);
  if (const auto* started = std::get_if<program::op::StartThread>(&work)) {
    HostThread other{.id = started->thread, .time = thread.time, .at = index + 1};
    threads_.push_back(other);
  }
  thread.phase = thread.call.until == HostWait::nothing ? Phase::leave : Phase::until;
}

bool Simulation::is_done(OperationIndex record) const { return record == kNoOperation || ended(record); }

// What the device does up to the time of the call is simulated already.
void Simulation::answer(HostThread& thread) {
  trace::Span& span = spans_[thread.at];
  span.result = CallResult::success;
  if (const auto* const asked = std::get_if<program::op::LastError>(&program_.operations[thread.at].work)) {
    span.result = asked->peek ? thread.last_error : std::exchange(thread.last_error, CallResult::success);
    return;
  }
  if (std::holds_alternative<program::op::CaptureInfo>(program_.operations[thread.at].work))
    return tell_of_capture(thread.at);
  const auto* const elapsed = std::get_if<program::op::Elapsed>(&program_.operations[thread.at].work);
  if (elapsed == nullptr) {
    SubmittedWork& work = work_of(thread.call.stream);
    const bool done =
        thread.call.event
            ? is_done(thread.call.record)
            : work.first_pending(work.count(), [this](OperationIndex each) { return ended(each); }) == kNoOperation;
    if (!done) returns(thread, CallResult::not_ready);
    return;
  }
  const OperationIndex from = recorded_[elapsed->from.value], to = recorded_[elapsed->to.value];
  const auto has_time = [&](EventId event) {
    return recorded_[event.value] != kNoOperation && program_.events[event.value].timing;
  };
  const bool of_one = program_.events[elapsed->from.value].device == program_.events[elapsed->to.value].device;
  if (!of_one || !has_time(elapsed->from) || !has_time(elapsed->to)) {
    returns(thread, CallResult::invalid_resource_handle);
  } else if (!is_done(from) || !is_done(to)) {
    returns(thread, CallResult::not_ready);
  } else {
    span.elapsed = spans_[to].end - spans_[from].end;
  }
}

// The work in a stream; for the legacy default stream, in all that it waits for.
SubmittedWork& Simulation::work_of(StreamId stream) {
  return program::is_legacy(program_, stream) ? gpu_of(stream).in_blocking_streams : in_stream_[stream.value];
}

// A wait is for what was submitted before it; a poll asks each time for all there is.
void Simulation::begin_wait(HostThread& thread, HostWait wait) {
  if (wait == HostWait::device) thread.preceding = gpus_[thread.call.device.value].submitted.count();
  if (wait == HostWait::stream) {
    thread.preceding = thread.call.poll > 0 ? SIZE_MAX : work_of(thread.call.stream).count();
  }
}

// Notes what it still waits for.
bool Simulation::is_over(HostThread& thread, HostWait wait) {
  if (told_ && wait != HostWait::thread) return true;  // it returns the error
  const auto all_over = [&](SubmittedWork& work) {
    const OperationIndex pending =
        work.first_pending(thread.preceding, [this](OperationIndex index) { return ended(index); });
    if (pending != kNoOperation) thread.awaited = pending;
    return pending == kNoOperation;
  };
  switch (wait) {
    case HostWait::nothing: return true;
    case HostWait::room:
    case HostWait::staging: {
      const program::Operation& operation = program_.operations[thread.at];
      if (queued_[program::ordered_in(operation)->value] >= profile_.streams.queue_depth) return false;
      return wait == HostWait::room ||
             gpu_of(*program::ordered_in(operation)).staged + staged_bytes(profile_, program_, operation.work) <=
                 profile_.copies.staging;
    }
    case HostWait::operation: return ended(thread.at);
    case HostWait::device: return all_over(gpus_[thread.call.device.value].submitted);
    case HostWait::stream: return all_over(work_of(thread.call.stream));
    case HostWait::record:
      thread.awaited = thread.call.record;
      return thread.call.record == kNoOperation || ended(thread.call.record);
    case HostWait::thread:
      return std::any_of(threads_.begin(), threads_.end(), [&](const HostThread& other) {
        if (other.id != thread.call.thread || other.phase != Phase::done || other.time > thread.time) return false;
        thread.awaited = other.at - 1;  // the last that it did
        return true;
      });
  }
  return true;
}

bool Simulation::reaches(OperationIndex index) const {
  const auto* copy = std::get_if<program::op::PeerCopy>(&program_.operations[index].work);
  return copy != nullptr && reached_.contains(std::minmax(copy->from_device, copy->to_device));
}

// Whether the stream that an operation goes to has nothing left to do.
bool Simulation::is_idle(OperationIndex index) {
  const auto stream = program::ordered_in(program_.operations[index]);
  if (!stream) return false;
  SubmittedWork& work = work_of(*stream);
  return work.first_pending(work.count(), [this](OperationIndex each) { return ended(each); }) == kNoOperation;
}

// Ends the call. The span of host work is set here, that of a submitted operation by the device.
void Simulation::finish(HostThread& thread) {
  trace::Span& span = spans_[thread.at];
  const HostCall& call = thread.call;
  if (call.poll > 0) {
    // Each poll that fails is followed by `poll` of work and another one. Polls do not affect the device, so they need
    // not be simulated one by one.
    const Nanoseconds period = call.enter + call.poll;
    const Nanoseconds late = std::max<Nanoseconds>(0, thread.time - (span.host_begin + call.enter));
    const Nanoseconds again = thread.waited ? (late + period - 1) / period : 0;
    span.polls = static_cast<std::uint32_t>(std::min<Nanoseconds>(again + 1, 0xFFFFFFFF));
    thread.time = span.host_begin + again * period + call.enter;
    note_answers(thread.at, again, period, call.enter);
  }
  thread.time += call.leave;
  if (thread.waited && !call.submits) {
    span.reason = trace::WaitReason::host;
    span.waits_for = thread.awaited;
  }
  span.host_end = thread.time;
  if (!call.submits && !never_runs_[thread.at]) {
    span.ready = span.start = span.host_begin;
    span.end = thread.time;
  }
  if (ended(thread.at) || never_runs_[thread.at]) send(thread.at);
  ++thread.at;
  thread.phase = Phase::next;
}

void Simulation::note_answers(OperationIndex poll, Nanoseconds again, Nanoseconds period, Nanoseconds query) {
  if (polls_kept_ == trace::kMostPollsKept) return;
  ++polls_kept_;
  const Nanoseconds work = std::visit(
      [](const auto& one) -> Nanoseconds {
        if constexpr (requires { one.every; }) return one.work;
        return 0;
      },
      program_.operations[poll].work);
  for (Nanoseconds i = 0; i <= again && i < static_cast<Nanoseconds>(trace::kMostAnswers); ++i) {
    const Nanoseconds at = spans_[poll].host_begin + i * period + query;
    answers_.push_back({poll, at, i < again && work > 0 ? at + work : kAbsent});
  }
}

void Simulation::wake_threads() {
  may_wake_ = false;
  for (HostThread& thread : threads_) {
    if (!thread.waiting) continue;
    const HostWait wait = thread.phase == Phase::before ? thread.call.before : thread.call.until;
    Nanoseconds at = now_;
    if (wait == HostWait::thread) {
      for (const HostThread& other : threads_) {
        if (other.id == thread.call.thread && other.phase == Phase::done) {
          thread.time = std::max(thread.time, other.time);
          at = thread.time;
        }
      }
    }
    if (!is_over(thread, wait)) continue;
    thread.waiting = false;
    thread.time = std::max(thread.time, at);
  }
}

// Adds the operation to those that wait for the other one, unless that has ended.
void Simulation::wait_for(OperationIndex index, const program::Dependency& dependency, HoldKind kind, Nanoseconds at) {
  if (ended(dependency.on)) return;
  ++awaited_[index];
  std::uint32_t slot = unused_dependents_;
  if (slot == kNone) {
    slot = static_cast<std::uint32_t>(dependents_.size());
    dependents_.emplace_back();
  } else {
    unused_dependents_ = dependents_[slot].next;
  }
  dependents_[slot] = {index, dependency.kind, waiters_[dependency.on]};
  waiters_[dependency.on] = slot;
  if (log_ != nullptr) log_->depend(slot, {index, dependency.on, kind, at, kAbsent});
}

// Sends the operation to the device at host time `at`; `after`: what it depends on.
void Simulation::submit(OperationIndex index, Nanoseconds at, std::span<const program::Dependency> after) {
  const program::Operation& operation = program_.operations[index];
  const StreamId stream = owner(index);
  unit_[index] = unit_of(index);
  if (unit_[index] == Engine::none) {
    // It counts as work of the unit that runs its stream's latest work; a wait, of the unit whose work it waits for.
    unit_[index] = stream_unit_[stream.value];
    for (const program::Dependency& one : after) {
      if (one.kind == program::DependencyKind::event && !ended(one.on) && unit_[one.on] != Engine::none) {
        unit_[index] = unit_[one.on];
      }
    }
  }
  stream_unit_[stream.value] = unit_[index];
  for (const program::Dependency& dependency : after) wait_for(index, dependency, hold_kind(dependency.kind), at);
  ++awaited_[index];  // its arrival
  Gpu& gpu = gpu_of(stream);
  gpu.staged += staged_bytes(profile_, program_, operation.work);
  gpu.submitted.add(index);
  in_stream_[stream.value].add(index);
  if (operation.launch == kNoOperation) ++queued_[stream.value];
  if (is_blocking(stream)) gpu.in_blocking_streams.add(index);
  is_direct_[index] = reaches(index);
  // Stream-ordered allocation gives the device nothing to do.
  const bool is_allocation = std::holds_alternative<program::op::MallocAsync>(operation.work) ||
                             std::holds_alternative<program::op::FreeAsync>(operation.work);
  timers_.push({is_allocation ? at : at + profile_.streams.submit, TimerKind::submitted, index});
  announce(index, at);
  if (const auto* record = std::get_if<program::op::Record>(&operation.work)) recorded_[record->event.value] = index;
  if (const auto* launch = std::get_if<program::op::Launch>(&operation.work)) {
    const std::size_t nodes = program_.graphs[launch->graph.value].nodes.size();
    for (std::size_t node = 0; node < nodes; ++node) {
      const auto its = static_cast<OperationIndex>(index + 1 + node);
      spans_[its].host_begin = spans_[index].host_begin;
      spans_[its].host_end = at;
      with_commands_[its] = goes_with_commands(profile_, program_, program_.operations[its].work, false);
      submit(its, at, order_.issue(its));
    }
  }
}

// Takes or frees memory of the device, as the call does.
void Simulation::allocate(OperationIndex index, Nanoseconds at) {
  const program::Work& work = program_.operations[index].work;
  const program::Buffer& buffer = program_.buffers[program::allocation_of(work)->value];
  const std::uint64_t bytes = buffer.bytes;
  DeviceMemory& memory = gpus_[buffer.device.value].memory;
  if (std::holds_alternative<program::op::MallocAsync>(work)) {
    const auto behind = memory.take_in_stream(bytes, [this](OperationIndex each) { return ended(each); });
    for (const OperationIndex free : behind) {
      wait_for(index, {free, program::DependencyKind::event}, HoldKind::pool, at);
    }
  } else if (std::holds_alternative<program::op::FreeAsync>(work)) {
    memory.give_back_after(index, bytes);
  } else if (std::holds_alternative<program::op::Malloc>(work)) {
    memory.take(bytes);
  } else {
    memory.give_back(bytes);
  }
}

// Returns how many bytes had to move.
std::uint64_t Simulation::migrate(OperationIndex index, const program::Range& range, bool to_device) {
  RangeSet& there = on_device_[range.buffer.value];
  const std::uint64_t bytes =
      to_device ? there.add(range.offset, range.bytes) : there.remove(range.offset, range.bytes);
  if (log_ != nullptr) log_->migrate(index, bytes);
  return bytes;
}

// How long managed pages take to get to the device, or back, for an operation that begins now.
Nanoseconds Simulation::migration_of(OperationIndex index) {
  const auto moved = [&](const program::Range& range, bool to_device) -> Nanoseconds {
    if (program_.buffers[range.buffer.value].host != program::HostMemory::managed) return 0;
    const std::uint64_t bytes = migrate(index, range, to_device);
    if (bytes == 0) return 0;
    return (to_device ? profile_.managed.fault_in : profile_.managed.fault_out).at(bytes);
  };
  const program::Work& work = program_.operations[index].work;
  if (const auto* kernel = std::get_if<program::op::Kernel>(&work)) {
    Nanoseconds all = 0;
    for (const program::Range& range : program::ranges_of(program_, *kernel)) all += moved(range, true);
    return all;
  }
  if (const auto* memset = std::get_if<program::op::Memset>(&work)) return moved(memset->range, true);
  if (const auto* copy = std::get_if<program::op::CopyOnDevice>(&work))
    return moved(copy->from, true) + moved(copy->to, true);
  if (const auto* touch = std::get_if<program::op::Touch>(&work)) return moved(touch->range, false);
  return 0;
}

std::string Simulation::waiting_threads() const {
  std::string all;
  for (const HostThread& thread : threads_) {
    if (!thread.waiting) continue;
    all += tr("{}thread {} at {}", all.empty() ? "" : ", ", program_.threads[thread.id.value].name,
              program::describe(program_, thread.at));
  }
  return all;
}

}  // namespace streamscope::model
