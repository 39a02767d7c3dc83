#include "engine/program/order/host_order.h"
#include "engine/program/order/order.h"

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
  HostOrder order;
  std::vector<LastUses<OperationIndex>> streams(program.streams.size()), uses(program.events.size()),
      records(program.events.size());
  std::vector<bool> stream_reported(program.streams.size(), false), event_reported(program.events.size(), false);
  for (OperationIndex i = 0; i < program.operations.size(); ++i) {
    const Operation& operation = program.operations[i];
    const ThreadId thread = operation.thread;
    if (const auto* join = std::get_if<op::JoinThread>(&operation.work)) order.join(join->thread);
    const auto stream = operation.launch == kNoOperation ? ordered_in(operation) : std::nullopt;
    if (stream && !stream_reported[stream->value]) {
      if (const auto* other = streams[stream->value].unordered(order, thread)) {
        stream_reported[stream->value] = true;
        races.push_back({other->what, i, stream, {}});
      }
      streams[stream->value].add(order, thread, i);
    }
    if (const auto use = std::visit(EventUseOf{}, operation.work); use && !event_reported[use->event.value]) {
      const std::uint32_t event = use->event.value;
      if (const auto* other = (use->records ? uses : records)[event].unordered(order, thread)) {
        event_reported[event] = true;
        races.push_back({other->what, i, std::nullopt, use->event});
      }
      uses[event].add(order, thread, i);
      if (use->records) records[event].add(order, thread, i);
    }
  }
  return races;
}

}  // namespace streamscope::program
