#include <fmt/format.h>

#include "engine/program/check/maker.h"

namespace streamscope::program {

Maker::Made Maker::launch() {
  const Named* named = use(name(0), static_cast<NameKinds>(NameKind::graph));
  if (!named) return std::nullopt;
  const GraphId graph{named->id};
  if (x_.program.threads.size() > 1) {
    LastUses& launches = x_.graph_launches[graph.value];
    const auto other = launches.unordered(x_.host_order, x_.thread, next());
    if (other.operation != kNoOperation) {
      x_.scope.error(name(0),
                     fmt::format("'{}' is launched by {} (line {}) too, and nothing orders the two: an executable "
                                 "graph may not be used by two threads at once; write `host: join {}` before "
                                 "it, or capture a second graph",
                                 x_.program.graphs[graph.value].name, thread_words(other.thread),
                                 x_.program.operations[other.operation].line, thread_name(other.thread)));
      return std::nullopt;
    }
  }
  x_.graph_launches[graph.value].add(x_.thread, next());
  return op::Launch{graph};
}

// Only the main thread joins, and only what was started above: so there is no circle of threads that wait for each
// other, and every join ends when its thread has done its own waits.
Maker::Made Maker::join() {
  Named* named = use(name(0), static_cast<NameKinds>(NameKind::thread));
  if (!named) return std::nullopt;
  const ThreadId thread{named->id};
  if (x_.thread != ThreadId{0}) {
    x_.scope.error(name(0),
                   thread == x_.thread
                       ? fmt::format("thread '{}' cannot join itself: it would wait for its own end; move this "
                                     "line behind the thread's '}}'",
                                     thread_name(thread))
                       : fmt::format("only the main thread joins others; move this line behind the '}}' of thread "
                                     "'{}'",
                                     thread_name(x_.thread)));
    return std::nullopt;
  }
  if (named->ended_line != 0) {
    x_.scope.error(name(0), fmt::format("thread '{}' is joined twice: line {} joined it already", thread_name(thread),
                                        named->ended_line));
    return std::nullopt;
  }
  named->ended_line = statement_.place.line;
  x_.host_order.join(thread, next());
  return op::JoinThread{thread};
}

}  // namespace streamscope::program
