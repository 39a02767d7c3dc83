#include "engine/program/order/races.h"

#include "engine/program/order/host_order.h"

namespace streamscope::program {
namespace {

struct EventUse {
  EventId event;
  bool records = false;
};

struct EventUseOf {
  template <class Work>
  std::optional<EventUse> operator()(const Work& work) const {
    constexpr bool uses = requires { work.event; };
    constexpr bool binds = requires { work.record; };  // a wait is bound to a record, a record is not
    if constexpr (uses) return EventUse{work.event, !binds};
    return std::nullopt;
  }
};

}  // namespace

std::vector<Race> find_races(const Program& program) {
  std::vector<Race> races;
  if (program.threads.size() == 1) return races;
  const HostOrder order(program);
  std::vector<LastUses> streams(program.streams.size()), uses(program.events.size()), records(program.events.size());
  std::vector<bool> stream_reported(program.streams.size(), false), event_reported(program.events.size(), false);
  for (OperationIndex i = 0; i < program.operations.size(); ++i) {
    const Operation& operation = program.operations[i];
    if (operation.launch != kNoOperation) continue;
    const ThreadId thread = operation.thread;
    if (const auto stream = ordered_in(operation); stream && !stream_reported[stream->value]) {
      const auto other = streams[stream->value].unordered(order, thread, i);
      if (other.operation != kNoOperation) {
        stream_reported[stream->value] = true;
        races.push_back({other.operation, i, stream, {}});
      }
      streams[stream->value].add(thread, i);
    }
    if (const auto use = std::visit(EventUseOf{}, operation.work); use && !event_reported[use->event.value]) {
      const std::uint32_t event = use->event.value;
      const auto other = (use->records ? uses : records)[event].unordered(order, thread, i);
      if (other.operation != kNoOperation) {
        event_reported[event] = true;
        races.push_back({other.operation, i, std::nullopt, use->event});
      }
      uses[event].add(thread, i);
      if (use->records) records[event].add(thread, i);
    }
  }
  return races;
}

}  // namespace streamscope::program
