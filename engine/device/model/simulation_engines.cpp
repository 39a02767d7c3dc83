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
  if (const auto to = goes_through(index); to && !channels_to(index, *to).is_first(channel_of_[index], index)) {
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
    return copy_engine(index, unit_[index]).add(index, now_, time, engine_channel(index));
  }
  if (const auto* copy = std::get_if<program::op::Copy>(&work)) return transfer(index, *copy);
  if (const auto* on_device = std::get_if<program::op::CopyOnDevice>(&work)) {
    return gpu_of(index).on_device.add(index, now_,
                                       copy_on_device_time(profile_, program_, *on_device) + migration_of(index));
  }
  if (const auto* between = std::get_if<program::op::PeerCopy>(&work)) return between_devices(index, *between);
  if (const auto* memset = std::get_if<program::op::Memset>(&work)) {
    return gpu_of(index).on_device.add(index, now_, memset_time(profile_, program_, *memset) + migration_of(index));
  }
  if (const auto* function = std::get_if<program::op::HostFunction>(&work)) {
    return gpu_of(index).callbacks.add(index, now_, function->duration);
  }
  if (const auto* prefetch = std::get_if<program::op::Prefetch>(&work)) {
    const bool in = prefetch->to == program::MemoryLocation::device;
    const TimeBySize& time = in ? profile_.managed.prefetch_in : profile_.managed.prefetch_out;
    return copy_engine(index, unit_[index]).add(index, now_, time.at(migrate(index, prefetch->range, in)));
  }
  start_for(index, 0);  // an allocation, which the host does; a graph's launch, whose nodes are operations
}

void Simulation::transfer(OperationIndex index, const program::op::Copy& copy) {
  const bool with_commands = with_commands_[index];
  const Nanoseconds time = copy_time(profile_, program_, copy, pageable_data_, with_commands) + pageable_turn(copy);
  if (!with_commands) {
    return copy_engine(index, unit_[index])
        .add(index, now_, time, engine_channel(index), is_released_[index] ? profile_.streams.record / 2 : 0);
  }
  // Data in the command stream waits for no copy engine; larger pieces share one path between all streams.
  if (program::moved_bytes(copy.host) > profile_.copies.inlined) return gpu_of(index).written.add(index, now_, time);
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
  grid.migration = migration_of(index);
  const int priority = std::clamp(program_.streams[stream.value].priority, profile_.device.highest_priority, 0);
  gpu_of(stream).block_scheduler.add(index, grid, priority, now_);
}

// It begins at once: copies between devices share what they go over.
void Simulation::between_devices(OperationIndex index, const program::op::PeerCopy& copy) {
  const bool direct = is_direct_[index];
  const TimeBySize& time = direct ? profile_.links.peer : profile_.links.staged;
  spans_[index].start = now_;
  engines_changed_ = true;
  links_.add(now_, {.operation = index,
                    .from = copy.from_device.value,
                    .to = copy.to_device.value,
                    .alone = std::max<Nanoseconds>(1, time.at(copy.to.bytes)),
                    .over_bus = !direct || profile_.links.over_bus});
}

// `unit`: what it begins on, of engines_; behind them, the multiprocessors of each device.
void Simulation::start(const Started& started, std::size_t unit) {
  leave_channel(started.operation);
  trace::Span& span = spans_[started.operation];
  span.start = now_;
  const bool waited = span.start > eligible_[started.operation] && started.after != kNoOperation;
  if (log_ != nullptr && unit < engines_.size()) log_->begin(unit, started.operation, span.ready, waited, now_);
  if (log_ != nullptr && unit >= engines_.size()) {
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
  bool any_started = false;
  // What starts may let the next of its channel go on, and that one start at once.
  do {
    for (std::size_t i = 0; i < released_.size(); ++i) carry_out(released_[i]);
    released_.clear();
    if (engines_changed_) begin_engines();
    any_started = false;
    for (std::size_t device = 0; device < gpus_.size(); ++device) {
      starts_.clear();
      gpus_[device].block_scheduler.hand_out(now_, starts_);
      for (const Started& started : starts_) start(started, engines_.size() + device);
      any_started = any_started || !starts_.empty();
    }
  } while (!released_.empty() || any_started);
  if (std::any_of(gpus_.begin(), gpus_.end(),
                  [](const Gpu& gpu) { return gpu.block_scheduler.uses_bus() != gpu.kernels_on_bus; })) {
    share_bus();
  }
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
  links_.finish(now_, ends_);
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

void Simulation::share_bus() {
  for (std::size_t device = 0; device < gpus_.size(); ++device) share_bus(gpus_[device], links_.on_bus(device));
  if (gpus_.size() > 1) {
    for (std::size_t device = 0; device < gpus_.size(); ++device) {
      Gpu& gpu = gpus_[device];
      const BusUse mapped =
          gpu.on_device.busy() ? bus_use(program_, program_.operations[gpu.on_device.current()].work) : BusUse{};
      const std::uint32_t kernels = gpu.kernels_on_bus ? 1 : 0;
      const std::uint32_t in = carries(gpu.h2d) == Engine::h2d ? 1 : 0;
      const std::uint32_t out = carries(gpu.d2h) == Engine::d2h || carries(gpu.h2d) == Engine::d2h ? 1 : 0;
      bus_users_[device] = {in + kernels + (mapped.in ? 1 : 0), out + kernels + (mapped.out ? 1 : 0)};
    }
    links_.share(now_, bus_users_);
  }
  next_engine_ = kNever;
  for (const EngineQueue* engine : engines_) next_engine_ = std::min(next_engine_, engine->next());
}

// Which way a copy engine carries data now. None: it has nothing to do, or writes the time of a record, which leaves
// the bus to others.
Engine Simulation::carries(const EngineQueue& engine) const {
  if (!engine.busy() || std::holds_alternative<program::op::Record>(program_.operations[engine.current()].work))
    return Engine::none;
  return unit_[engine.current()];
}

// Copies slow those of the other direction. What works on mapped memory shares each direction that it uses with the
// copies there, in equal parts; all kernels together count as one. So does each copy between devices that takes the
// bus.
void Simulation::share_bus(Gpu& gpu, PeerLinks::BusUsers between_devices) {
  constexpr std::uint32_t kFull = EngineQueue::kFullRate;
  const BusUse mapped =
      gpu.on_device.busy() ? bus_use(program_, program_.operations[gpu.on_device.current()].work) : BusUse{};
  const Engine first = carries(gpu.h2d), second = carries(gpu.d2h);
  const bool in = first == Engine::h2d, out = first == Engine::d2h || second == Engine::d2h;
  gpu.kernels_on_bus = gpu.block_scheduler.uses_bus();
  const std::uint32_t kernels = gpu.kernels_on_bus ? 1 : 0;
  const std::uint32_t peers_in = between_devices.in, peers_out = between_devices.out;
  const bool both = (first != Engine::none && second != Engine::none) || ((mapped.in || peers_in > 0) && out) ||
                    ((mapped.out || peers_out > 0) && in);
  const std::uint32_t most = both ? profile_.copies.both_directions : kFull;
  const std::uint32_t to_device = std::min(most, kFull / (1 + kernels + peers_in + (mapped.in ? 1 : 0)));
  const std::uint32_t to_host = std::min(most, kFull / (1 + kernels + peers_out + (mapped.out ? 1 : 0)));
  gpu.h2d.set_rate(now_, first == Engine::none ? kFull : first == Engine::d2h ? to_host : to_device);
  gpu.written.set_rate(now_, to_device);
  gpu.d2h.set_rate(now_, second == Engine::none ? kFull : to_host);
  gpu.on_device_on_bus = kFull;
  if (mapped.in) gpu.on_device_on_bus = std::min(most, kFull / (1 + kernels + peers_in + (in ? 1 : 0)));
  if (mapped.out) {
    gpu.on_device_on_bus = std::min({gpu.on_device_on_bus, most, kFull / (1 + kernels + peers_out + (out ? 1 : 0))});
  }
  const std::uint32_t with_kernels =
      std::max((in ? 1u : 0u) + (mapped.in ? 1u : 0u) + peers_in, (out ? 1u : 0u) + (mapped.out ? 1u : 0u) + peers_out);
  gpu.block_scheduler.set_bus_rate(now_, kFull / (1 + with_kernels));
}

// Multiprocessors prefer the warps they had first: memsets and copies on the device hardly get on beside kernels that
// always have arithmetic to do.
void Simulation::set_memory_rate() {
  constexpr std::uint32_t kStarved = EngineQueue::kFullRate / 500;
  for (Gpu& gpu : gpus_) {
    if (!gpu.on_device.busy()) continue;
    gpu.on_device.set_rate(now_, gpu.block_scheduler.is_arithmetic_busy(now_) ? kStarved : gpu.on_device_on_bus);
    next_engine_ = std::min(next_engine_, gpu.on_device.next());
  }
}

EngineQueue& Simulation::copy_engine(OperationIndex index, Engine engine) {
  Gpu& gpu = gpu_of(index);
  return engine == Engine::h2d || profile_.copies.engines == 1 ? gpu.h2d : gpu.d2h;
}

// To where its turn is that of its issue, an order that no dependency runs against.
void Simulation::announce(OperationIndex index, Nanoseconds at) {
  const auto log_behind = [&](OperationIndex ahead) {
    if (log_ != nullptr && ahead != kNoOperation && owner(ahead) != owner(index)) log_->queue(index, ahead, at);
  };
  if (const auto to = goes_through(index)) {
    channel_of_[index] = channels_to(index, *to).issue(index, owner(index));
    log_behind(channels_to(index, *to).ahead_of_last(channel_of_[index]));
  }
  if (profile_.copies.queue == CopyQueue::issue && is_copy_engine(unit_of(index))) {
    log_behind(copy_engine(index, unit_of(index)).announce(index));
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

trace::Channels& Simulation::channels_to(OperationIndex index, Engine unit) {
  Gpu& gpu = gpu_of(index);
  return unit == Engine::compute ? gpu.compute_channels : unit == Engine::h2d ? gpu.h2d_channels : gpu.d2h_channels;
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
  const OperationIndex next = channels_to(index, *to).next(channel_of_[index]);
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
