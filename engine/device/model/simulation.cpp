// The device's side of the simulation: when each operation can start, and what carries it out.
#include "engine/device/model/simulation.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <set>

namespace streamscope {
namespace {

constexpr std::size_t kBatch = 1024;             // spans sent at once
constexpr std::uint32_t kStopCheckEvery = 1024;  // steps

WaitReason reason_of(DependencyKind kind) {
  constexpr std::array kReasons{WaitReason::stream, WaitReason::legacy, WaitReason::event, WaitReason::host,
                                WaitReason::graph};
  return kReasons[static_cast<std::size_t>(kind)];
}

// The streams of a program take the hardware queues in turn; the two that every program has come first.
std::vector<std::uint32_t> connections(const Profile& profile, const Program& program) {
  std::vector<std::uint32_t> of(program.streams.size(), 0);
  std::uint32_t next = 0;
  for (std::size_t i = 2; i < of.size(); ++i) {
    if (!program.streams[i].of_graph) of[i] = next++ % profile.streams.connections;
  }
  return of;
}

// Streams share a direction's channels in turn. Where the channels' shares are equal, a free engine goes on with the
// stream that it served last; where not, all take turns (seen on an H200 with 2, 3, 4, 6 and 8 streams).
CopyQueue copy_queue(const Profile& profile, const Program& program, OperationKind direction) {
  if (profile.copies.queue != CopyQueue::stream) return profile.copies.queue;
  std::set<StreamId> streams;
  for (const Operation& operation : program.operations) {
    if (kind(operation.work) == direction && operation.launch == kNoOperation) streams.insert(*ordered_in(operation));
  }
  const bool equal = streams.size() <= profile.copies.channels || streams.size() % profile.copies.channels == 0;
  return equal ? CopyQueue::stream : CopyQueue::eligible;
}

bool any_busy(const std::array<EngineQueue, 2>& lanes) { return lanes[0].busy() || lanes[1].busy(); }

}  // namespace

Simulation::Simulation(const Profile& profile, const Program& program, const RunControl& control)
    : profile_(profile),
      program_(program),
      control_(control),
      host_data_(pageable_data(program)),
      order_(program),
      stream_unit_(program.streams.size(), Unit::none),
      queued_(program.streams.size(), 0),
      unfinished_(program.streams.size(), 0),
      h2d_(copy_queue(profile, program, OperationKind::h2d)),
      d2h_(copy_queue(profile, program, OperationKind::d2h)),
      multiprocessors_(profile),
      connections_(profile.streams.connections),
      connection_of_(connections(profile, program)),
      residency_(program.buffers.size()) {
  engines_ = {&h2d_, &d2h_, &memory_, &callbacks_};
  for (EngineQueue& lane : small_h2d_) engines_.push_back(&lane);
  for (EngineQueue& lane : small_d2h_) engines_.push_back(&lane);
}

Result<Pass> Simulation::run(std::vector<Span> blank) {
  spans_ = std::move(blank);
  const std::size_t count = spans_.size();
  awaited_.assign(count, 0);
  eligible_.assign(count, 0);
  unit_.assign(count, Unit::none);
  waiters_.assign(count, kNone);
  held_.assign(count, false);
  arrived_.assign(count, false);
  for (Span& span : spans_) span.ready_source = span.start_source = span.source = Source::model;
  threads_.push_back({.id = ThreadId{0}});
  while (!stopped()) {
    HostThread* thread = next_thread();
    const Nanoseconds device = next();
    if (thread != nullptr && thread->time < device) {
      go_on(*thread);
    } else if (device != kNever) {
      step(device);
    } else if (const std::string waiting = who_waits(); !waiting.empty()) {
      return fail(
          ErrorKind::device_failed,
          fmt::format("The program never ends: nothing is left to do, and the host waits for ever, {}.", waiting));
    } else {
      break;
    }
  }
  if (error_) return fail(std::move(*error_));
  flush();
  Pass pass;
  pass.wall = threads_.front().time;
  pass.spans = std::move(spans_);
  return pass;
}

bool Simulation::stopped() {
  if (error_) return true;
  if (until_stop_check_ > 0) {
    --until_stop_check_;
    return false;
  }
  until_stop_check_ = kStopCheckEvery;
  if (control_.stop.stop_requested()) error_ = Error{ErrorKind::cancelled, "The run was stopped on request."};
  return error_.has_value();
}

// All of one instant: first whatever ends or arrives, then the engines that became free take their next.
void Simulation::step(Nanoseconds at) {
  now_ = at;
  while (next() <= now_) {
    ends_.clear();
    multiprocessors_.advance(now_, ends_);
    if (next_engine_ <= now_) finish_engines();
    std::sort(ends_.begin(), ends_.end());
    for (const OperationIndex index : ends_) end(index);
    while (!timers_.empty() && timers_.top().at <= now_) {
      const Timer timer = timers_.top();
      timers_.pop();
      due(timer);
    }
  }
  grant();
  if (may_wake_) wake_threads();
}

void Simulation::finish_engines() {
  next_engine_ = kNever;
  for (EngineQueue* engine : engines_) {
    if (engine->next() <= now_) ends_.push_back(engine->finish());
    next_engine_ = std::min(next_engine_, engine->next());
  }
  engines_changed_ = true;
}

void Simulation::begin_engines() {
  engines_changed_ = false;
  for (EngineQueue* engine : engines_) {
    if (!engine->could_begin()) continue;
    if (const auto started = engine->begin(now_)) start(*started);
  }
  set_copy_rates();
  next_engine_ = kNever;
  for (const EngineQueue* engine : engines_) next_engine_ = std::min(next_engine_, engine->next());
}

void Simulation::due(const Timer& timer) {
  switch (timer.due) {
    case Due::end: return end(timer.operation);
    case Due::eligible: return carry_out(timer.operation);
    case Due::submitted:
      arrived_[timer.operation] = true;
      return release(timer.operation, now_ + first(timer.operation), WaitReason::none, kNoOperation);
  }
}

// One thing less to wait for. The last one to fall away is the reason.
void Simulation::release(OperationIndex index, Nanoseconds eligible, WaitReason reason, OperationIndex on) {
  Span& span = spans_[index];
  span.reason = reason;
  span.waits_for = on;
  eligible_[index] = std::max(eligible_[index], eligible);
  if (--awaited_[index] > 0) return;
  span.ready = now_;
  if (eligible_[index] <= now_) return carry_out(index);
  timers_.push({eligible_[index], Due::eligible, index});
}

// It goes to whatever carries it out.
void Simulation::carry_out(OperationIndex index) {
  const Work& work = program_.operations[index].work;
  if (kind(work) == OperationKind::kernel) return kernel(index);
  if (const auto* record = std::get_if<op::Record>(&work)) {
    return start_for(index, program_.events[record->event.value].timing ? profile_.streams.record : 0);
  }
  if (std::holds_alternative<op::Wait>(work)) {
    return start_for(index, spans_[index].reason == WaitReason::event ? profile_.streams.wait : 0);
  }
  engines_changed_ = true;
  const auto transfer = [&](Direction direction, const Range& range) {
    copy_engine(direction, range.bytes, owner(index))
        .add(index, now_, pageable_turn(index, copy_time(profile_, program_, direction, range, host_data_)),
             owner(index));
  };
  if (const auto* copy = std::get_if<op::Copy>(&work)) return transfer(copy->direction, copy->range);
  if (const auto* blocking = std::get_if<op::BlockingCopy>(&work))
    return transfer(blocking->direction, blocking->range);
  if (const auto* on_device = std::get_if<op::CopyOnDevice>(&work)) {
    return memory_.add(index, now_, profile_.copies.on_device.at(on_device->to.bytes) + migration_of(index));
  }
  if (const auto* memset = std::get_if<op::Memset>(&work)) {
    return memory_.add(index, now_, profile_.copies.memset.at(memset->range.bytes) + migration_of(index));
  }
  if (const auto* function = std::get_if<op::HostFunction>(&work))
    return callbacks_.add(index, now_, function->duration);
  if (const auto* prefetch = std::get_if<op::Prefetch>(&work)) {
    Residency& residency = residency_[prefetch->range.buffer.value];
    const bool in = prefetch->to == Location::device;
    const std::uint64_t bytes = in ? residency.move_to_device(prefetch->range.offset, prefetch->range.bytes)
                                   : residency.move_to_host(prefetch->range.offset, prefetch->range.bytes);
    return (in ? h2d_ : copy_engine(Direction::d2h, prefetch->range.bytes, owner(index)))
        .add(index, now_, (in ? profile_.managed.prefetch_in : profile_.managed.prefetch_out).at(bytes));
  }
  start_for(index, 0);  // allocation, which the host does; a graph's launch, whose nodes are operations of their own
}

// Pageable copies in turn in both directions: the host's staging buffer changes sides each time.
Nanoseconds Simulation::pageable_turn(OperationIndex index, Nanoseconds time) {
  const Work& work = program_.operations[index].work;
  const auto* copy = std::get_if<op::Copy>(&work);
  const auto* blocking = std::get_if<op::BlockingCopy>(&work);
  if (!is_pageable(program_, copy != nullptr ? copy->range : blocking->range)) return time;
  const Direction direction = copy != nullptr ? copy->direction : blocking->direction;
  const bool turned = last_pageable_ && *last_pageable_ != direction;
  last_pageable_ = direction;
  if (!turned) return time;
  const Range& range = copy != nullptr ? copy->range : blocking->range;
  // The part that the host has done by now counts, too.
  const Nanoseconds whole =
      (direction == Direction::h2d ? profile_.copies.h2d_pageable : profile_.copies.d2h_pageable).at(range.bytes);
  return time + static_cast<Nanoseconds>(static_cast<__int128>(whole) * (profile_.copies.pageable_turn - 1'000'000) /
                                         1'000'000);
}

void Simulation::kernel(OperationIndex index) {
  const StreamId stream = owner(index);
  if (is_queued(index) && connections_[connection_of_[stream.value]].front() != index) {
    held_[index] = true;
    return;
  }
  Grid grid = grid_of(profile_, program_, program_.operations[index].work);
  grid.extra = migration_of(index);
  multiprocessors_.add(index, grid,
                       std::clamp(program_.streams[stream.value].priority, profile_.device.highest_priority, 0), now_);
}

void Simulation::grant() {
  if (engines_changed_) begin_engines();
  // A kernel that starts may let the next of its hardware queue go on, and that one start at once.
  do {
    starts_.clear();
    multiprocessors_.hand_out(now_, starts_);
    for (const Started& started : starts_) {
      start(started);
      if (!is_queued(started.operation)) continue;
      auto& connection = connections_[connection_of_[owner(started.operation).value]];
      connection.pop_front();
      if (connection.empty() || !held_[connection.front()]) continue;
      const OperationIndex next = connection.front();
      held_[next] = false;
      spans_[next].reason = WaitReason::queue;
      spans_[next].waits_for = started.operation;
      eligible_[next] = now_;
      kernel(next);
    }
  } while (!starts_.empty());
}

void Simulation::set_copy_rates() {
  const bool both = (h2d_.busy() || any_busy(small_h2d_)) && (d2h_.busy() || any_busy(small_d2h_));
  const std::uint32_t rate = both ? profile_.copies.both_directions : EngineQueue::kFullRate;
  for (EngineQueue* engine : engines_) {
    if (engine != &memory_ && engine != &callbacks_) engine->set_rate(now_, rate);
  }
}

void Simulation::start(const Started& started) {
  Span& span = spans_[started.operation];
  span.start = now_;
  if (span.start <= eligible_[started.operation]) return;
  span.reason = WaitReason::engine;
  span.waits_for = started.after;
}

void Simulation::start_for(OperationIndex index, Nanoseconds duration) {
  spans_[index].start = now_;
  if (duration == 0) return end(index);
  timers_.push({now_ + duration, Due::end, index});
}

void Simulation::end(OperationIndex index) {
  const Operation& operation = program_.operations[index];
  spans_[index].end = now_;
  last_ended_ = index;
  may_wake_ = true;
  if (std::holds_alternative<op::HostFunction>(operation.work)) callbacks_since_ = now_;
  const StreamId stream = owner(index);
  staged_ -= staged_bytes(profile_, program_, operation.work);
  --outstanding_;
  --unfinished_[stream.value];
  if (operation.launch == kNoOperation) --queued_[stream.value];
  if (is_blocking(stream)) --blocking_;
  for (std::uint32_t at = std::exchange(waiters_[index], kNone); at != kNone;) {
    const Dependent dependent = dependents_[at];
    dependents_[at].next = unused_dependents_;
    unused_dependents_ = at;
    // What has not arrived yet finds it done, and nothing is handed over.
    const Nanoseconds more =
        arrived_[dependent.operation] ? handoff(index, dependent.operation, dependent.kind) : Nanoseconds{0};
    release(dependent.operation, now_ + more, reason_of(dependent.kind), index);
    at = dependent.next;
  }
  if (known(spans_[index].host_end)) report(index);
}

// To where its turn is that of its issue, an order that no dependency runs against.
void Simulation::announce(OperationIndex index) {
  const Work& work = program_.operations[index].work;
  if (is_queued(index)) connections_[connection_of_[owner(index).value]].push_back(index);
  if (profile_.copies.queue != CopyQueue::issue) return;
  const auto copy = [&](Direction direction, const Range& range) {
    copy_engine(direction, range.bytes, owner(index)).announce(index);
  };
  if (const auto* asynchronous = std::get_if<op::Copy>(&work)) copy(asynchronous->direction, asynchronous->range);
  if (const auto* blocking = std::get_if<op::BlockingCopy>(&work)) copy(blocking->direction, blocking->range);
  if (const auto* prefetch = std::get_if<op::Prefetch>(&work)) {
    if (prefetch->to == Location::device) return h2d_.announce(index);
    copy(Direction::d2h, prefetch->range);
  }
}

// In a hardware queue, where only a stream's own kernels go: a graph's nodes find their way side by side.
bool Simulation::is_queued(OperationIndex index) const {
  const Operation& operation = program_.operations[index];
  return kind(operation.work) == OperationKind::kernel && operation.launch == kNoOperation;
}

EngineQueue& Simulation::copy_engine(Direction direction, std::uint64_t bytes, StreamId stream) {
  if (profile_.copies.engines == 1) return h2d_;
  if (bytes > profile_.copies.passing) return direction == Direction::h2d ? h2d_ : d2h_;
  auto& lanes = direction == Direction::h2d ? small_h2d_ : small_d2h_;
  return lanes[bytes <= profile_.copies.side_by_side ? stream.value / 2 % lanes.size() : 0];
}

StreamId Simulation::owner(OperationIndex index) const {
  const Operation& operation = program_.operations[index];
  return *ordered_in(operation.launch == kNoOperation ? operation : program_.operations[operation.launch]);
}

Simulation::Unit Simulation::unit_of(OperationIndex index) const {
  const Work& work = program_.operations[index].work;
  switch (kind(work)) {
    case OperationKind::h2d: return goes_with_commands(profile_, program_, work) ? Unit::compute : Unit::h2d;
    case OperationKind::d2h: return Unit::d2h;
    case OperationKind::prefetch: return engine_of(work) == Engine::h2d ? Unit::h2d : Unit::d2h;
    case OperationKind::d2d:
    case OperationKind::memset:
    case OperationKind::kernel: return Unit::compute;
    case OperationKind::hostfn: return Unit::host;
    default: return Unit::none;
  }
}

// How long an idle device takes to begin what has arrived.
Nanoseconds Simulation::first(OperationIndex index) const {
  if (program_.operations[index].launch != kNoOperation) return 0;
  if (goes_with_commands(profile_, program_, program_.operations[index].work)) return profile_.copies.h2d_first;
  switch (unit_of(index)) {
    case Unit::none: return 0;
    case Unit::compute: return profile_.compute.first;
    case Unit::h2d: return profile_.copies.h2d_first;
    case Unit::d2h: return profile_.copies.d2h_first;
    case Unit::host: return profile_.streams.host_function;
  }
  return 0;
}

Nanoseconds Simulation::between(Unit from, Unit to) const {
  const Profile::Streams& streams = profile_.streams;
  if (from == Unit::none || to == Unit::none) return 0;
  if (to == Unit::host) return from == Unit::host ? streams.host_function_again : streams.host_function_after_work;
  if (from == Unit::host) return streams.after_host_function;
  if (from == Unit::compute) return to == Unit::compute ? streams.kernel_after_kernel : streams.copy_after_kernel;
  if (to == Unit::compute) return streams.kernel_after_copy;
  return from == to ? streams.copy_after_copy : streams.copy_after_other_copy;
}

Nanoseconds Simulation::in_graph(OperationIndex from, OperationIndex to) const {
  if (program_.operations[to].launch == kNoOperation) return 0;  // a launch behind another of the same graph
  if (std::holds_alternative<op::Launch>(program_.operations[from].work)) return profile_.streams.graph_start;
  const Unit before = unit_[from], unit = unit_of(to);
  if (before == Unit::compute && unit == Unit::compute) return profile_.streams.graph_node;
  if (before == unit || before == Unit::host || unit == Unit::host) return between(before, unit);
  return profile_.streams.graph_copy;
}

// From the end of the one until the other could begin.
Nanoseconds Simulation::handoff(OperationIndex from, OperationIndex to, DependencyKind kind) const {
  const Work& work = program_.operations[to].work;
  const Unit unit = unit_of(to);
  switch (kind) {
    case DependencyKind::host: return 0;
    case DependencyKind::event: return profile_.streams.event;
    case DependencyKind::graph: return in_graph(from, to);
    case DependencyKind::legacy: return profile_.streams.legacy + between(unit_[from], unit);
    case DependencyKind::stream: break;
  }
  Nanoseconds time = between(unit_[from], unit);
  const auto is_engine = [](Unit one) { return one == Unit::compute || one == Unit::h2d || one == Unit::d2h; };
  const Nanoseconds took = spans_[from].end - spans_[from].start;
  const bool after_commands = goes_with_commands(profile_, program_, program_.operations[from].work);
  if (after_commands && goes_with_commands(profile_, program_, work)) time = profile_.streams.copy_after_copy;
  if (is_engine(unit_of(from)) && is_engine(unit) && unit_of(from) != unit && took <= profile_.streams.short_work) {
    time = std::min(time, std::max<Nanoseconds>(0, profile_.streams.short_handoff - took));
  }
  if (unit == Unit::host && unit_[from] != Unit::host && unit_[from] != Unit::none &&
      spans_[from].end - callbacks_since_ > profile_.streams.host_function_patience) {
    constexpr Nanoseconds kLongestDoze = 1'000'000;
    const Nanoseconds waited = std::clamp<Nanoseconds>(spans_[from].end - spans_[to].host_begin, 0, kLongestDoze);
    time = profile_.streams.host_function_asleep + waited * profile_.streams.host_function_doze / 1'000'000;
  }
  const auto* copy = std::get_if<op::Copy>(&work);
  const auto* blocking = std::get_if<op::BlockingCopy>(&work);
  const Range* range = copy != nullptr ? &copy->range : blocking != nullptr ? &blocking->range : nullptr;
  if (range != nullptr && unit_[from] == Unit::compute && !after_commands && is_pageable(program_, *range)) {
    const Nanoseconds waited = spans_[from].end - spans_[to].host_begin;
    time += std::clamp<Nanoseconds>(waited, 0, profile_.streams.pageable_behind);
  }
  return time;
}

void Simulation::report(OperationIndex index) {
  if (!control_.on_spans) return;
  batch_.push_back(spans_[index]);
  if (batch_.size() == kBatch) flush();
}

void Simulation::flush() {
  if (batch_.empty()) return;
  control_.on_spans(batch_);
  batch_.clear();
}

}  // namespace streamscope
