#include "engine/reconstruct/late_events.h"

#include <algorithm>

#include "engine/reconstruct/final_spans.h"
#include "engine/reconstruct/reconstruct.h"
#include "engine/reconstruct/transfer_time.h"

namespace streamscope::reconstruct {
namespace {

// Copies from the device that hold the host until they are done (cuda-rules 8 and 10). The event behind such a copy is
// recorded after its call has returned, later by that call.
bool is_done_when_returned(const program::Program& program, const program::Operation& operation) {
  if (const auto* blocking = std::get_if<program::op::BlockingCopy>(&operation.work)) {
    return blocking->direction == program::Direction::d2h;
  }
  const auto* copy = std::get_if<program::op::Copy>(&operation.work);
  return copy != nullptr && copy->direction == program::Direction::d2h &&
         program.buffers[copy->range.buffer.value].host == program::HostMemory::pageable;
}

}  // namespace

Limits set_late_events_right(Reconstruction& run) {
  Limits limits{std::vector(run.count(), Limits::kNever), std::vector(run.count(), kNoOperation)};
  std::vector<Nanoseconds>& limit = limits.at;
  // From the operation issued last to the first: what comes after is settled before what it limits.
  for (auto at = run.order.rbegin(); at != run.order.rend(); ++at) {
    const OperationIndex i = *at;
    trace::Span& span = run.spans[i];
    if (run.host_work(i)) continue;
    if (run.unseen(i) && run.whole_end(i) < limit[i]) {
      limit[i] = run.whole_end(i);
      limits.awaited_by[i] = kNoOperation;
    }
    if (is_done_when_returned(run.program, run.operation(i)) && known(span.host_end) && span.host_end < limit[i]) {
      limit[i] = span.host_end;
      limits.awaited_by[i] = kNoOperation;
    }
    if (span.source == trace::Source::event && known(span.end) && span.end > limit[i]) {
      const Nanoseconds allowed = std::min<Nanoseconds>(kEventLag + 2 * Nanoseconds{span.uncertainty}, kSettled / 2);
      if (span.end - limit[i] <= allowed) span.end = limit[i];
    }
    Nanoseconds bound = limit[i];
    const bool stamped = span.kind == OperationKind::kernel && span.source == trace::Source::stamp && known(span.start);
    if (stamped) {
      bound = span.start;
    } else if (!takes_no_time(span.kind) && known(span.end)) {
      bound = std::min(bound, span.end);
    } else if (run.unseen(i)) {
      bound -= moving_time(run, i, false).shortest;
    }
    for (const program::Dependency& dependency : run.dependencies.of(i)) {
      if (bound >= limit[dependency.on]) continue;
      limit[dependency.on] = bound;
      limits.awaited_by[dependency.on] = stamped ? i : kNoOperation;
    }
  }
  return limits;
}

}  // namespace streamscope::reconstruct
