// The host thread's side of the simulation: what each call costs, and what it waits for.
#include <algorithm>

#include "engine/device/model/simulation.h"

namespace streamscope {

template <class Done>
bool Simulation::hold_until(Done done) {
  while (!done()) {
    if (!step()) return false;
    host_ = std::max(host_, now_);
  }
  return true;
}

bool Simulation::let_device_reach(Nanoseconds time) {
  while (next() <= time) {
    if (!step()) return false;
  }
  return true;
}

bool Simulation::wait_for_device() {
  return hold_until([this] { return outstanding_ == 0; });
}

bool Simulation::wait_for_room(StreamId stream) {
  return hold_until([this, stream] { return unfinished_[stream.value] < profile_.streams.queue_depth; });
}

// The legacy default stream is done when all blocking streams are.
bool Simulation::wait_for_stream(StreamId stream) {
  if (stream == kLegacyStream) return hold_until([this] { return blocking_ == 0; });
  return hold_until([this, stream] { return unfinished_[stream.value] == 0; });
}

bool Simulation::wait_for_what_it_names(OperationIndex index) {
  const auto event = [this](OperationIndex record) {
    return record == kNoOperation || hold_until([this, record] { return ended(record); });
  };
  const Work& work = program_.operations[index].work;
  if (const auto* stream = std::get_if<op::SyncStream>(&work)) return wait_for_stream(stream->stream);
  if (const auto* polled_stream = std::get_if<op::PollStream>(&work)) return wait_for_stream(polled_stream->stream);
  if (const auto* synced_event = std::get_if<op::SyncEvent>(&work)) return event(synced_event->record);
  if (const auto* polled_event = std::get_if<op::PollEvent>(&work)) return event(polled_event->record);
  return wait_for_device();
}

void Simulation::submit(OperationIndex index) {
  const StreamId stream = *ordered_in(program_.operations[index]);
  ++outstanding_;
  ++unfinished_[stream.value];
  if (is_blocking(stream)) ++blocking_;
  timers_.push({host_, Due::submitted, index});
}

// The host carried it out itself, from `begin` until its time now.
void Simulation::on_host(OperationIndex index, Nanoseconds begin) {
  Span& span = spans_[index];
  span.ready = span.start = begin;
  span.end = host_;
}

struct Simulation::Issue {
  Simulation& simulation;
  OperationIndex index;
  const Profile::Host& costs;
  bool operator()(const op::Copy& copy) const {
    return simulation.copy(index, copy.direction, copy.range, /*blocking=*/false);
  }
  bool operator()(const op::BlockingCopy& copy) const {
    return simulation.copy(index, copy.direction, copy.range, /*blocking=*/true);
  }
  bool operator()(const op::CopyOnDevice&) const { return simulation.call(index, costs.copy); }
  bool operator()(const op::Memset&) const { return simulation.call(index, costs.memset); }
  bool operator()(const op::Spin&) const { return simulation.call(index, costs.launch); }
  bool operator()(const op::Axpb&) const { return simulation.call(index, costs.launch); }
  bool operator()(const op::Record&) const { return simulation.call(index, costs.record); }
  bool operator()(const op::Wait&) const { return simulation.call(index, costs.wait); }
  bool operator()(const op::HostFunction&) const { return simulation.call(index, costs.host_function); }
  bool operator()(const op::Work& work) const { return busy(work.duration); }
  bool operator()(const op::SyncDevice&) const { return simulation.synchronise(index); }
  bool operator()(const op::SyncStream&) const { return simulation.synchronise(index); }
  bool operator()(const op::SyncEvent&) const { return simulation.synchronise(index); }
  bool operator()(const op::PollStream& poll) const { return simulation.poll(index, poll.every); }
  bool operator()(const op::PollEvent& poll) const { return simulation.poll(index, poll.every); }
  bool operator()(const op::Malloc& made) const {
    return (!simulation.profile_.malloc_waits || whole_device()) && busy(costs.malloc.at(size(made.buffer)));
  }
  bool operator()(const op::Free&) const {
    return (!simulation.profile_.free_waits || whole_device()) && busy(costs.free);
  }
  bool operator()(const op::Touch& touch) const {
    const bool slow = simulation.program_.buffers[touch.range.buffer.value].host == HostMemory::write_combined;
    return busy((slow ? costs.touch_write_combined : costs.touch).at(touch.range.bytes));
  }

  template <class Other>
  bool operator()(const Other&) const {
    simulation.error_ = Error{ErrorKind::bad_input, "The model does not know " + describe(simulation.program_, index)};
    return false;
  }

  std::uint64_t size(BufferId buffer) const { return simulation.program_.buffers[buffer.value].bytes; }
  bool whole_device() const {
    const Nanoseconds before = simulation.host_;
    if (!simulation.wait_for_device()) return false;
    if (simulation.host_ > before) {
      simulation.spans_[index].reason = WaitReason::host;
      simulation.spans_[index].waits_for = simulation.last_ended_;
    }
    return true;
  }
  bool busy(Nanoseconds duration) const {
    simulation.host_ += duration;
    simulation.on_host(index, simulation.spans_[index].host_begin);
    return true;
  }
};

bool Simulation::issue(OperationIndex index) {
  return std::visit(Issue{*this, index, profile_.host}, program_.operations[index].work);
}

bool Simulation::call(OperationIndex index, Nanoseconds cost) {
  if (!wait_for_room(*ordered_in(program_.operations[index]))) return false;
  host_ += cost;
  submit(index);
  return true;
}

bool Simulation::copy(OperationIndex index, Direction direction, const Range& range, bool blocking) {
  const Profile::Host& costs = profile_.host;
  const Nanoseconds cost = blocking ? costs.blocking_copy : costs.copy;
  if (!wait_for_room(*ordered_in(program_.operations[index]))) return false;

  // Pageable and small enough: the host copies it to the staging room and goes on; the engine takes it from there.
  if (is_staged(direction, range)) {
    const auto room = [this, &range] { return staged_ + range.bytes <= profile_.copies.staging; };
    if (!hold_until(room)) return false;
    staged_ += range.bytes;
    host_ += std::max(cost, profile_.copies.h2d_pageable.at(range.bytes));
    submit(index);
    return true;
  }
  host_ += cost;
  submit(index);
  if (!blocking && !is_pageable(range)) return true;
  if (!hold_until([this, index] { return ended(index); })) return false;
  if (blocking) host_ += costs.wake;
  return true;
}

bool Simulation::synchronise(OperationIndex index) {
  Span& span = spans_[index];
  const Nanoseconds called = host_ + profile_.host.synchronise;
  if (!wait_for_what_it_names(index)) return false;
  if (host_ > span.host_begin) {
    span.reason = WaitReason::host;
    span.waits_for = last_ended_;
    host_ += profile_.host.wake;
  }
  host_ = std::max(host_, called);
  on_host(index, span.host_begin);
  return true;
}

// Asks, and where the answer is "not yet", works for `every` and asks again. The device does not mind, so that the
// polls need not be gone through one by one.
bool Simulation::poll(OperationIndex index, Nanoseconds every) {
  Span& span = spans_[index];
  if (!wait_for_what_it_names(index)) return false;
  const Nanoseconds query = profile_.host.query;
  const Nanoseconds period = std::max<Nanoseconds>(1, query + every);
  const Nanoseconds late = host_ - span.host_begin;
  const Nanoseconds again = (late + period - 1) / period;
  if (again > 0) {
    span.reason = WaitReason::host;
    span.waits_for = last_ended_;
  }
  span.polls = static_cast<std::uint32_t>(std::min<Nanoseconds>(again + 1, 0xFFFFFFFF));
  host_ = span.host_begin + again * period + query;
  on_host(index, span.host_begin);
  return true;
}

}  // namespace streamscope
