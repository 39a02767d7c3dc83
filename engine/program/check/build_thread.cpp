#include <fmt/format.h>

#include "engine/base/translate.h"
#include "engine/program/check/operation_builder.h"

namespace streamscope::program {

OperationBuilder::Built OperationBuilder::launch() {
  const Symbol* symbol = use(name(0), SymbolKind::graph);
  if (!symbol) return std::nullopt;
  const GraphId graph{symbol->id};
  if (expansion_.program.threads.size() > 1) {
    const LastUses<OperationIndex>& launches = expansion_.graph_launches[graph.value];
    if (const auto* other = launches.unordered(expansion_.host_order, expansion_.thread))
      return refuse(name(0), tr("'{}' is launched by {} (line {}) too, and nothing orders the two: an executable "
                                "graph may not be used by two threads at once; write `host: join {}` before "
                                "it, or capture a second graph",
                                expansion_.program.graphs[graph.value].name, thread_words(other->thread),
                                expansion_.program.operations[other->what].line, thread_name(other->thread)));
  }
  const Stream& origin = expansion_.program.streams[expansion_.program.graphs[graph.value].origin.value];
  if (device_ && origin.device != *device_)
    return refuse(name(0), tr("'{}' is captured from a stream of device {}; launch it into a stream of that device",
                              expansion_.program.graphs[graph.value].name, origin.device.value));
  expansion_.graph_launches[graph.value].add(expansion_.host_order, expansion_.thread, next());
  return op::Launch{graph};
}

// Only the main thread joins, and only threads started above: so no threads wait for each other in a circle, and every
// join ends when its thread has done its own waits.
OperationBuilder::Built OperationBuilder::join() {
  Symbol* symbol = use(name(0), SymbolKind::thread);
  if (!symbol) return std::nullopt;
  const ThreadId thread{symbol->id};
  if (thread == expansion_.thread)
    return refuse(
        name(0), tr("thread '{}' cannot join itself: it would wait for its own end; move this line behind the thread's "
                    "'}}'",
                    thread_name(thread)));
  if (expansion_.thread != ThreadId{0})
    return refuse(name(0), tr("only the main thread joins others; move this line behind the '}}' of thread '{}'",
                              thread_name(expansion_.thread)));
  if (symbol->ended_line != 0)
    return refuse(
        name(0), tr("thread '{}' is joined twice: line {} joined it already", thread_name(thread), symbol->ended_line));
  symbol->ended_line = statement_.location.line;
  expansion_.host_order.join(thread);
  return op::JoinThread{thread};
}

}  // namespace streamscope::program
