#include "engine/device/model/simulation.h"

#include <algorithm>
#include <array>

namespace streamscope {
namespace {

constexpr std::size_t kBatch = 1024;             // spans sent at once
constexpr std::uint32_t kStopCheckEvery = 1024;  // steps

WaitReason reason_of(DependencyKind kind) {
  constexpr std::array kReasons{WaitReason::stream, WaitReason::legacy, WaitReason::event, WaitReason::host,
                                WaitReason::graph};
  return kReasons[static_cast<std::size_t>(kind)];
}

bool is_device_work(const Operation& operation) { return ordered_in(operation).has_value(); }

}  // namespace

Simulation::Simulation(const Profile& profile, const Program& program, const Plan& plan, const RunControl& control)
    : profile_(profile),
      program_(program),
      plan_(plan),
      control_(control),
      unfinished_(program.streams.size(), 0),
      h2d_(profile.copies.queue),
      d2h_(profile.copies.queue),
      multiprocessors_(profile) {}

Result<Pass> Simulation::run(std::vector<Span> blank) {
  spans_ = std::move(blank);
  const auto count = static_cast<OperationIndex>(spans_.size());
  awaited_.resize(count);
  for (OperationIndex i = 0; i < count; ++i) {
    awaited_[i] = static_cast<std::uint32_t>(plan_.dependencies(i).size()) + 1;
    spans_[i].ready_source = spans_[i].start_source = spans_[i].source = Source::model;
  }
  for (OperationIndex i = 0; i < count; ++i) {
    if (stopped() || !let_device_reach(host_)) return fail(std::move(*error_));
    spans_[i].host_begin = host_;
    if (!issue(i)) return fail(std::move(*error_));
    spans_[i].host_end = host_;
    if (ended(i)) report(i);
  }
  // Every program ends with a synchronisation of the device; should one not, its work still ends within the run.
  if (!wait_for_device()) return fail(std::move(*error_));
  flush();
  Pass pass;
  pass.wall = host_;
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

Nanoseconds Simulation::next() const {
  const Nanoseconds timer = timers_.empty() ? kNever : timers_.top().at;
  return std::min({timer, h2d_.next(), d2h_.next(), memory_.next(), callbacks_.next(), multiprocessors_.next()});
}

// All of one instant: first whatever ends or arrives, then the engines that became free take their next.
bool Simulation::step() {
  if (stopped()) return false;
  const Nanoseconds time = next();
  if (time == kNever) {
    // Dependencies only point back, so this cannot come about; a wait must end all the same.
    error_ = Error{ErrorKind::device_failed, "The model has nothing left to do, yet the host still waits."};
    return false;
  }
  now_ = time;
  while (next() <= now_) {
    ends_.clear();
    multiprocessors_.advance(now_, ends_);
    for (EngineQueue* engine : {&h2d_, &d2h_, &memory_, &callbacks_}) {
      if (engine->next() <= now_) ends_.push_back(engine->finish());
    }
    std::sort(ends_.begin(), ends_.end());
    for (const OperationIndex index : ends_) end(index);
    while (!timers_.empty() && timers_.top().at <= now_) {
      const Timer timer = timers_.top();
      timers_.pop();
      due(timer);
    }
  }
  grant();
  return true;
}

void Simulation::due(const Timer& timer) {
  switch (timer.due) {
    case Due::end: return end(timer.operation);
    case Due::ready: return begin(timer.operation);
    case Due::submitted: {
      const Operation& operation = program_.operations[timer.operation];
      if (const auto* asynchronous = std::get_if<op::Copy>(&operation.work)) {
        copy_engine(asynchronous->direction).announce(timer.operation);
      } else if (const auto* blocking = std::get_if<op::BlockingCopy>(&operation.work)) {
        copy_engine(blocking->direction).announce(timer.operation);
      }
      return release(timer.operation, WaitReason::none, kNoOperation);
    }
  }
}

// One thing less to wait for. The last one to fall away is the reason.
void Simulation::release(OperationIndex index, WaitReason reason, OperationIndex on) {
  Span& span = spans_[index];
  span.reason = reason;
  span.waits_for = on;
  if (--awaited_[index] > 0) return;
  const bool kernel = span.kind == OperationKind::kernel;
  timers_.push({now_ + (kernel ? profile_.streams.kernel_handoff : 0), Due::ready, index});
}

struct Simulation::Begin {
  Simulation& simulation;
  OperationIndex index;
  Nanoseconds now;
  const Profile& profile;
  void operator()(const op::Copy& copy) const { transfer(copy.direction, copy.range); }
  void operator()(const op::BlockingCopy& copy) const { transfer(copy.direction, copy.range); }
  void operator()(const op::CopyOnDevice& copy) const {
    simulation.memory_.add(index, now, profile.copies.on_device.at(copy.to.bytes));
  }
  void operator()(const op::Memset& memset) const {
    simulation.memory_.add(index, now, profile.copies.memset.at(memset.range.bytes));
  }
  void operator()(const op::Spin&) const { kernel(); }
  void operator()(const op::Axpb&) const { kernel(); }
  void operator()(const op::Record&) const { simulation.start_for(index, profile.streams.record); }
  void operator()(const op::Wait&) const { simulation.start_for(index, profile.streams.wait); }
  void operator()(const op::HostFunction& function) const {
    simulation.callbacks_.add(index, now, profile.streams.host_function + function.duration);
  }
  // The host's own work never gets here.
  template <class Other>
  void operator()(const Other&) const {
    simulation.start_for(index, 0);
  }
  void transfer(Direction direction, const Range& range) const {
    simulation.copy_engine(direction).add(index, now, simulation.copy_time(direction, range));
  }
  void kernel() const {
    const Operation& operation = simulation.program_.operations[index];
    const int asked = simulation.program_.streams[operation.stream.value_or(kLegacyStream).value].priority;
    simulation.multiprocessors_.add(index, grid_of(profile, operation.work),
                                    std::clamp(asked, profile.highest_priority, 0), now);
  }
};

// Ready: it goes to whatever carries it out.
void Simulation::begin(OperationIndex index) {
  spans_[index].ready = now_;
  std::visit(Begin{*this, index, now_, profile_}, program_.operations[index].work);
}

void Simulation::grant() {
  for (EngineQueue* engine : {&h2d_, &d2h_, &memory_, &callbacks_}) {
    if (const auto started = engine->begin(now_)) start(*started);
  }
  set_copy_rates();
  starts_.clear();
  multiprocessors_.hand_out(now_, starts_);
  for (const Started& started : starts_) start(started);
}

void Simulation::set_copy_rates() {
  const bool both = h2d_.busy() && d2h_.busy();
  const std::uint32_t rate = both ? profile_.copies.both_directions : EngineQueue::kFullRate;
  h2d_.set_rate(now_, rate);
  d2h_.set_rate(now_, rate);
}

void Simulation::start(const Started& started) {
  Span& span = spans_[started.operation];
  span.start = now_;
  if (span.start == span.ready) return;
  span.reason = WaitReason::engine;
  span.waits_for = started.after;
}

void Simulation::start_for(OperationIndex index, Nanoseconds duration) {
  spans_[index].start = now_;
  timers_.push({now_ + duration, Due::end, index});
}

void Simulation::end(OperationIndex index) {
  const Operation& operation = program_.operations[index];
  spans_[index].end = now_;
  last_ended_ = index;
  const StreamId stream = *ordered_in(operation);
  --outstanding_;
  --unfinished_[stream.value];
  if (is_blocking(stream)) --blocking_;
  if (const auto* copied = std::get_if<op::Copy>(&operation.work)) {
    if (is_staged(copied->direction, copied->range)) staged_ -= copied->range.bytes;
  } else if (const auto* blocking = std::get_if<op::BlockingCopy>(&operation.work)) {
    if (is_staged(blocking->direction, blocking->range)) staged_ -= blocking->range.bytes;
  }
  for (const Plan::Dependent& dependent : plan_.dependents(index)) {
    // The host looks for itself at what it waits for.
    if (!is_device_work(program_.operations[dependent.operation])) continue;
    release(dependent.operation, reason_of(dependent.kind), index);
  }
  if (known(spans_[index].host_end)) report(index);
}

EngineQueue& Simulation::copy_engine(Direction direction) {
  return direction == Direction::h2d || profile_.copies.engines == 1 ? h2d_ : d2h_;
}

bool Simulation::is_pageable(const Range& range) const {
  return program_.buffers[range.buffer.value].host == HostMemory::pageable;
}

bool Simulation::is_staged(Direction direction, const Range& range) const {
  return direction == Direction::h2d && is_pageable(range) && range.bytes <= profile_.copies.staging;
}

// Of the engine. What was staged moves as pinned memory does; the rest moves at the pace of the host that stages it.
Nanoseconds Simulation::copy_time(Direction direction, const Range& range) const {
  const auto& copies = profile_.copies;
  if (direction == Direction::h2d) {
    const bool by_host = is_pageable(range) && !is_staged(direction, range);
    return (by_host ? copies.h2d_pageable : copies.h2d).at(range.bytes);
  }
  return (is_pageable(range) ? copies.d2h_pageable : copies.d2h).at(range.bytes);
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
