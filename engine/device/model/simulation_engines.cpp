// What executes operations: engines, multiprocessors, the callback thread; and the channels to them.
#include <algorithm>

#include "engine/device/model/hardware/bus.h"
#include "engine/device/model/simulation.h"

namespace streamscope::model {
namespace {

bool is_copy_engine(Engine unit) { return unit == Engine::h2d || unit == Engine::d2h; }

}  // namespace

// Hands the operation to whatever executes it, once it is the first in its channel.
void Simulation::carry_out(OperationIndex index) {
  if (const auto to = goes_through(index); to && !channels_to(*to).is_first(channel_of_[index], index)) {
    held_[index] = true;
    return;
  }
  const program::Work& work = program_.operations[index].work;
  if (program::kind(work) == OperationKind::kernel) return kernel(index);
  // No profile has it: until a kernel has failed, and the device knows.
  constexpr Nanoseconds kFaultTime = 10'000;
  if (std::holds_alternative<program::op::Fault>(work)) return start_for(index, kFaultTime);
  if (std::holds_alternative<program::op::Wait>(work)) {
    return start_for(index, spans_[index].reason == trace::WaitReason::event ? profile_.streams.wait : 0);
  }
  engines_changed_ = true;
  if (std::holds_alternative<program::op::Record>(work)) {
    const Nanoseconds time = keeps_time(index) ? profile_.streams.record : 0;
    if (time == 0 || !goes_through(index)) return start_for(index, time);
    return copy_engine(unit_[index]).add(index, now_, time, engine_channel(index));
  }
  if (const auto* copy = std::get_if<program::op::Copy>(&work)) return transfer(index, *copy);
  if (const auto* on_device = std::get_if<program::op::CopyOnDevice>(&work)) {
    return memory_.add(index, now_, copy_on_device_time(profile_, program_, *on_device) + migration_of(index));
  }
  if (const auto* memset = std::get_if<program::op::Memset>(&work)) {
    return memory_.add(index, now_, memset_time(profile_, program_, *memset) + migration_of(index));
  }
  if (const auto* function = std::get_if<program::op::HostFunction>(&work)) {
    return callbacks_.add(index, now_, function->duration);
  }
  if (const auto* prefetch = std::get_if<program::op::Prefetch>(&work)) {
    const bool in = prefetch->to == program::MemoryLocation::device;
    const TimeBySize& time = in ? profile_.managed.prefetch_in : profile_.managed.prefetch_out;
    return copy_engine(unit_[index]).add(index, now_, time.at(migrate(prefetch->range, in)));
  }
  start_for(index, 0);  // an allocation, which the host does; a graph's launch, whose nodes are operations
}

void Simulation::transfer(OperationIndex index, const program::op::Copy& copy) {
  const bool with_commands = with_commands_[index];
  const Nanoseconds time = copy_time(profile_, program_, copy, pageable_data_, with_commands) + pageable_turn(copy);
  if (!with_commands) {
    return copy_engine(unit_[index])
        .add(index, now_, time, engine_channel(index), is_released_[index] ? profile_.streams.record / 2 : 0);
  }
  // Data in the command stream waits for no copy engine; larger pieces share one path between all streams.
  if (program::moved_bytes(copy.host) > profile_.copies.inlined) return written_.add(index, now_, time);
  start_for(index, time);
}

// The extra time of a copy to pageable memory that a copy to the device has read last and the host's caches still hold.
Nanoseconds Simulation::pageable_turn(const program::op::Copy& copy) {
  constexpr std::uint64_t kSmall = 32 << 10;
  if (!is_pageable(program_, copy)) return 0;
  const program::Range& range = copy.host;
  RangeSet& read = read_[range.buffer.value];
  if (copy.direction == program::Direction::h2d) {
    read.add(range.offset, range.bytes);
    return 0;
  }
  const std::uint64_t turned = read.remove(range.offset, range.bytes);
  if (turned == 0 || range.bytes <= kSmall || pageable_data_ > profile_.copies.host_cache) return 0;
  const auto whole = static_cast<__int128>(moved_by_host(profile_, profile_.copies.d2h_pageable.at(turned)));
  return static_cast<Nanoseconds>(whole * (profile_.copies.pageable_turn - 1'000'000) / 1'000'000);
}

void Simulation::kernel(OperationIndex index) {
  const StreamId stream = owner(index);
  Grid grid = grid_of(profile_, program_, program_.operations[index].work);
  // Pages move one after the other, whichever kernel asked for them.
  if (const Nanoseconds moving = migration_of(index); moving > 0) {
    pages_moved_ = std::max(pages_moved_, now_) + moving;
    grid.extra = pages_moved_ - now_;
  }
  block_scheduler_.add(index, grid,
                       std::clamp(program_.streams[stream.value].priority, profile_.device.highest_priority, 0), now_);
}

// `unit`: what it begins on, of engines_; behind them, the multiprocessors.
void Simulation::start(const Started& started, std::size_t unit) {
  leave_channel(started.operation);
  trace::Span& span = spans_[started.operation];
  span.start = now_;
  const bool waited = span.start > eligible_[started.operation] && started.after != kNoOperation;
  if (log_ != nullptr && unit < engines_.size()) log_->begin(unit, started.operation, span.ready, waited, now_);
  if (log_ != nullptr && unit == engines_.size()) {
    log_->begin_beside_others(unit, started.operation, span.ready, waited ? started.after : kNoOperation, now_);
  }
  if (!waited) return;
  span.reason = trace::WaitReason::engine;
  span.waits_for = started.after;
}

void Simulation::start_for(OperationIndex index, Nanoseconds duration) {
  leave_channel(index);
  spans_[index].start = now_;
  if (duration == 0) return end(index);
  timers_.push({now_ + duration, TimerKind::end, index});
}

void Simulation::start_what_can() {
  // What starts may let the next of its channel go on, and that one start at once.
  do {
    for (std::size_t i = 0; i < released_.size(); ++i) carry_out(released_[i]);
    released_.clear();
    if (engines_changed_) begin_engines();
    starts_.clear();
    block_scheduler_.hand_out(now_, starts_);
    for (const Started& started : starts_) start(started, engines_.size());
  } while (!released_.empty() || !starts_.empty());
  if (block_scheduler_.uses_bus() != kernels_on_bus_) share_bus();
  set_memory_rate();
}

void Simulation::begin_engines() {
  engines_changed_ = false;
  for (std::size_t unit = 0; unit < engines_.size(); ++unit) {
    if (!engines_[unit]->could_begin()) continue;
    if (const auto started = engines_[unit]->begin(now_)) start(*started, unit);
  }
  share_bus();
}

void Simulation::finish_engines() {
  next_engine_ = kNever;
  for (EngineQueue* engine : engines_) {
    if (engine->next() <= now_) {
      if (const OperationIndex over = engine->finish(); over != kNoOperation) {
        ends_.push_back(over);
        if (log_ != nullptr && engine->next() != kNever) log_->free(over, engine->next());
      }
    }
    next_engine_ = std::min(next_engine_, engine->next());
  }
  engines_changed_ = true;
}

// Copies slow those of the other direction. What works on mapped memory shares each direction that it uses with the
// copies there, in equal parts; all kernels together count as one.
void Simulation::share_bus() {
  constexpr std::uint32_t kFull = EngineQueue::kFullRate;
  const BusUse mapped = memory_.busy() ? bus_use(program_, program_.operations[memory_.current()].work) : BusUse{};
  const auto way = [this](const EngineQueue& engine) { return engine.busy() ? unit_[engine.current()] : Engine::none; };
  const bool in = way(h2d_) == Engine::h2d, out = way(d2h_) == Engine::d2h || way(h2d_) == Engine::d2h;
  kernels_on_bus_ = block_scheduler_.uses_bus();
  const std::uint32_t kernels = kernels_on_bus_ ? 1 : 0;
  const bool both = (h2d_.busy() && d2h_.busy()) || (mapped.in && out) || (mapped.out && in);
  const std::uint32_t most = both ? profile_.copies.both_directions : kFull;
  const std::uint32_t to_device = std::min(most, kFull / (1 + kernels + (mapped.in ? 1 : 0)));
  const std::uint32_t to_host = std::min(most, kFull / (1 + kernels + (mapped.out ? 1 : 0)));
  h2d_.set_rate(now_, way(h2d_) == Engine::d2h ? to_host : to_device);
  written_.set_rate(now_, to_device);
  d2h_.set_rate(now_, to_host);
  memory_on_bus_ = kFull;
  if (mapped.in) memory_on_bus_ = std::min(most, kFull / (1 + kernels + (in ? 1 : 0)));
  if (mapped.out) memory_on_bus_ = std::min({memory_on_bus_, most, kFull / (1 + kernels + (out ? 1 : 0))});
  const std::uint32_t with_kernels =
      std::max((in ? 1u : 0u) + (mapped.in ? 1u : 0u), (out ? 1u : 0u) + (mapped.out ? 1u : 0u));
  block_scheduler_.set_bus_rate(now_, kFull / (1 + with_kernels));
  next_engine_ = kNever;
  for (const EngineQueue* engine : engines_) next_engine_ = std::min(next_engine_, engine->next());
}

// Multiprocessors prefer the warps they had first: memsets and copies on the device hardly get on beside kernels that
// always have arithmetic to do.
void Simulation::set_memory_rate() {
  constexpr std::uint32_t kStarved = EngineQueue::kFullRate / 500;
  if (!memory_.busy()) return;
  memory_.set_rate(now_, block_scheduler_.is_arithmetic_busy(now_) ? kStarved : memory_on_bus_);
  next_engine_ = std::min(next_engine_, memory_.next());
}

EngineQueue& Simulation::copy_engine(Engine engine) {
  return engine == Engine::h2d || profile_.copies.engines == 1 ? h2d_ : d2h_;
}

// To where its turn is that of its issue, an order that no dependency runs against.
void Simulation::announce(OperationIndex index, Nanoseconds at) {
  const auto log_behind = [&](OperationIndex ahead) {
    if (log_ != nullptr && ahead != kNoOperation && owner(ahead) != owner(index)) log_->queue(index, ahead, at);
  };
  if (const auto to = goes_through(index)) {
    channel_of_[index] = channels_to(*to).issue(index, owner(index));
    log_behind(channels_to(*to).ahead_of_last(channel_of_[index]));
  }
  if (profile_.copies.queue == CopyQueue::issue && is_copy_engine(unit_of(index))) {
    log_behind(copy_engine(unit_of(index)).announce(index));
  }
}

// To what the operation goes through a channel, if it does: a graph's nodes find their way side by side.
std::optional<Engine> Simulation::goes_through(OperationIndex index) const {
  const program::Operation& operation = program_.operations[index];
  if (operation.launch != kNoOperation || std::holds_alternative<program::op::Prefetch>(operation.work))
    return std::nullopt;
  // The time of a record is written by the engine of the work before it.
  const Engine unit = keeps_time(index) && is_copy_engine(unit_[index]) ? unit_[index] : unit_of(index);
  if (unit == Engine::compute || (is_copy_engine(unit) && profile_.copies.queue == CopyQueue::channel)) return unit;
  return std::nullopt;
}

trace::Channels& Simulation::channels_to(Engine unit) {
  return unit == Engine::compute ? compute_channels_ : unit == Engine::h2d ? h2d_channels_ : d2h_channels_;
}

// The number of its channel, where it has one, among those that lead to its engine: that may be one for both
// directions.
std::optional<std::uint32_t> Simulation::engine_channel(OperationIndex index) const {
  if (!goes_through(index)) return std::nullopt;
  return channel_of_[index] + (unit_[index] == Engine::d2h ? profile_.copies.channels : 0);
}

// It has begun, and what is behind it in its channel may.
void Simulation::leave_channel(OperationIndex index) {
  if (log_ != nullptr) log_->leave_queue(index, now_);
  const auto to = goes_through(index);
  if (!to) return;
  const OperationIndex next = channels_to(*to).next(channel_of_[index]);
  if (next == kNoOperation || !held_[next]) return;
  held_[next] = false;
  spans_[next].reason = trace::WaitReason::queue;
  spans_[next].waits_for = index;
  eligible_[next] = now_;
  released_.push_back(next);
}

bool Simulation::keeps_time(OperationIndex index) const {
  const auto* record = std::get_if<program::op::Record>(&program_.operations[index].work);
  return record != nullptr && program_.events[record->event.value].timing;
}

}  // namespace streamscope::model
