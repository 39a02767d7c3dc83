#include <fmt/format.h>

#include "engine/base/translate.h"
#include "engine/program/check/operation_builder.h"

namespace streamscope::program {

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
