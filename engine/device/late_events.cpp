#include "engine/device/late_events.h"

#include <algorithm>

#include "engine/device/life.h"
#include "engine/device/moving_time.h"
#include "engine/device/settled.h"

namespace streamscope {

Limits set_late_events_right(Reconstruction& run) {
  Limits limits{std::vector(run.count(), Limits::kNever), std::vector(run.count(), kNoOperation)};
  std::vector<Nanoseconds>& limit = limits.at;
  // From the operation issued last to the first: what comes after is settled before what it limits.
  for (auto at = run.order.rbegin(); at != run.order.rend(); ++at) {
    const OperationIndex i = *at;
    Span& span = run.spans[i];
    if (run.host_work(i)) continue;
    if (run.unseen(i) && run.whole_end(i) < limit[i]) {
      limit[i] = run.whole_end(i);
      limits.awaited_by[i] = kNoOperation;
    }
    if (span.source == Source::event && known(span.end) && span.end > limit[i]) {
      const Nanoseconds allowed = std::min<Nanoseconds>(kEventLag + 2 * Nanoseconds{span.uncertainty}, kSettled / 2);
      if (span.end - limit[i] <= allowed) span.end = limit[i];
    }
    Nanoseconds bound = limit[i];
    const bool stamped = span.kind == OperationKind::kernel && span.source == Source::stamp && known(span.start);
    if (stamped) {
      bound = span.start;
    } else if (!takes_no_time(span.kind) && known(span.end)) {
      bound = std::min(bound, span.end);
    } else if (run.unseen(i)) {
      bound -= moving_time(run, i, false).shortest;
    }
    for (const Dependency& dependency : run.dependencies.of(i)) {
      if (bound >= limit[dependency.on]) continue;
      limit[dependency.on] = bound;
      limits.awaited_by[dependency.on] = stamped ? i : kNoOperation;
    }
  }
  return limits;
}

}  // namespace streamscope
