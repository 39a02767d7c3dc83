#include "engine/verdict/queues.h"

#include <algorithm>
#include <array>
#include <optional>
#include <utility>

#include "engine/trace/channels.h"
#include "engine/verdict/history.h"

namespace streamscope::verdict {
namespace {

bool is_copy_engine(Engine engine) { return engine == Engine::h2d || engine == Engine::d2h; }

// The queues of one device, and what went into them.
struct OfDevice {
  explicit OfDevice(const trace::DeviceFacts& its)
      : facts(its),
        compute(its.connections),
        in(std::max(1u, its.copy_connections)),
        out(std::max(1u, its.copy_connections)) {}

  const trace::DeviceFacts& facts;
  trace::Channels compute, in, out;
  std::array<OperationIndex, 2> last_issued{kNoOperation, kNoOperation};  // to each copy engine
  Nanoseconds blocking_over = kAbsent;
};

class Queues {
 public:
  explicit Queues(const History& history)
      : history_(history),
        program_(*history.program()),
        places_(history.size()),
        unit_of_stream_(program_.streams.size(), Engine::none),
        over_(program_.streams.size(), kAbsent) {
    for (const trace::DeviceFacts& facts : history.trace().device_facts) devices_.emplace_back(facts);
  }

  std::vector<QueuePlace> places() && {
    for (const OperationIndex i : history_.order()) {
      if (const auto stream = stream_of(i)) enter(i, *stream);
    }
    return std::move(places_);
  }

 private:
  std::optional<StreamId> stream_of(OperationIndex i) const {
    const program::Operation& operation = program_.operations[i];
    return program::ordered_in(operation.launch == kNoOperation ? operation : program_.operations[operation.launch]);
  }
  bool is_over(OperationIndex i, Nanoseconds at) const {
    const Nanoseconds end = history_.span(i).end;
    return known(end) && end <= at;
  }
  // When all is over that was given to the stream so far; the legacy default stream counts with all it waits for.
  Nanoseconds over(const OfDevice& device, StreamId stream) const {
    return program::is_legacy(program_, stream) ? device.blocking_over : over_[stream.value];
  }

  bool in_commands(const OfDevice& device, OperationIndex i, StreamId stream) const {
    const program::Operation& operation = program_.operations[i];
    const auto* copy = std::get_if<program::op::Copy>(&operation.work);
    if (copy == nullptr || copy->direction != program::Direction::h2d || copy->device.pitch != 0) return false;
    const program::HostMemory memory = program::host_memory(program_, *copy);
    const std::uint64_t bytes = copy->host.bytes;
    if (memory == program::HostMemory::pageable) return bytes <= device.facts.inlined_pageable_bytes;
    if (bytes <= device.facts.inlined_bytes) return true;
    const bool by_host = memory == program::HostMemory::pinned || memory == program::HostMemory::write_combined;
    const bool idle = operation.launch == kNoOperation && over(device, stream) <= history_.span(i).host_begin;
    return by_host && idle && bytes <= device.facts.inlined_idle_bytes;
  }

  void enter(OperationIndex i, StreamId stream) {
    const program::Operation& operation = program_.operations[i];
    const trace::Span& span = history_.span(i);
    QueuePlace& place = places_[i];
    OfDevice& device = devices_[program_.streams[stream.value].device.value];
    place.in_commands = in_commands(device, i, stream);
    const Engine engine = place.in_commands ? Engine::compute : program::engine_of(operation.work);
    place.unit = engine;
    if (engine == Engine::none) {
      place.unit = unit_of_stream_[stream.value];
      for (const program::Dependency& one : history_.behind(i)) {
        const Engine its = places_[one.on].unit;
        const bool awaited = one.kind == program::DependencyKind::event && its != Engine::none;
        if (awaited && !is_over(one.on, span.host_begin)) place.unit = its;
      }
    }
    unit_of_stream_[stream.value] = place.unit;
    over_[stream.value] = std::max(over_[stream.value], span.end);
    if (!program_.streams[stream.value].nonblocking) device.blocking_over = std::max(device.blocking_over, span.end);

    if (is_copy_engine(engine) && device.facts.copies_in_issue_order) {
      const bool out = engine == Engine::d2h && device.facts.copy_engines != 1;
      go_behind(std::exchange(device.last_issued[out ? 1 : 0], i), i, stream);
    }
    if (operation.launch != kNoOperation || std::holds_alternative<program::op::Prefetch>(operation.work)) return;
    const auto* record = std::get_if<program::op::Record>(&operation.work);
    const bool timed = record != nullptr && program_.events[record->event.value].timing;
    place.takes_engine = timed && is_copy_engine(place.unit) && device.facts.copy_connections > 0;
    const Engine through = place.takes_engine ? place.unit : engine;
    if (through == Engine::compute) {
      go_through(device.compute, i, stream);
    } else if (is_copy_engine(through) && device.facts.copy_connections > 0) {
      go_through(through == Engine::h2d ? device.in : device.out, i, stream);
    }
  }
  void go_through(trace::Channels& channels, OperationIndex i, StreamId stream) {
    go_behind(channels.ahead_of_last(channels.issue(i, stream)), i, stream);
  }
  void go_behind(OperationIndex ahead, OperationIndex i, StreamId stream) {
    if (ahead != kNoOperation && stream_of(ahead) != stream) places_[i].ahead = ahead;
  }

  const History& history_;
  const program::Program& program_;
  std::vector<OfDevice> devices_;
  std::vector<QueuePlace> places_;
  std::vector<Engine> unit_of_stream_;  // of what it was given last
  std::vector<Nanoseconds> over_;
};

}  // namespace

std::vector<QueuePlace> queue_places(const History& history) {
  const trace::Trace& trace = history.trace();
  const program::Program* const program = history.program();
  if (program == nullptr || trace.device_facts.size() < program::device_count(*program)) return {};
  const auto none = [](const trace::DeviceFacts& its) { return its.connections == 0; };
  if (std::ranges::any_of(trace.device_facts, none)) return {};
  return Queues(history).places();
}

}  // namespace streamscope::verdict
