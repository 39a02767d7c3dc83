#include <algorithm>

#include "engine/reconstruct/event_lag.h"
#include "engine/reconstruct/final_spans.h"
#include "engine/reconstruct/reconstruction.h"

namespace streamscope::reconstruct {
namespace {

// How much later than it fired an event may be seen by the host, besides what its doubt allows: the word of it comes
// behind all that is on its way there, and the watching thread may be kept from looking (H100, 2026: in one of 2,880
// passes 10.2 us, where the doubt allowed 7).
constexpr Nanoseconds kSeenLate = 10'000;

// Copies from the device whose call returns when they are done (docs/cuda-rules.md 8 and 10). The event behind such a
// copy is recorded only after that.
bool is_done_when_returned(const program::Program& program, const program::Operation& operation) {
  return program::kind(operation.work) == OperationKind::d2h && program::call_waits_for_copy(program, operation.work);
}

// What a call waited for has ended when it returned, if a capture beside it did not have it refused.
void bound_by_return(const Reconstruction& run, OperationIndex i, std::vector<Nanoseconds>& latest) {
  if (!known(run.spans[i].host_end) || run.spans[i].result == CallResult::capture_unsupported) return;
  for (const program::Dependency& dependency : run.dependencies.of(i)) {
    latest[dependency.on] = std::min(latest[dependency.on], run.spans[i].host_end);
  }
}

}  // namespace

EndBounds correct_late_events(Reconstruction& run) {
  EndBounds bounds{std::vector(run.count(), EndBounds::kNone), std::vector(run.count(), kNoOperation)};
  std::vector<Nanoseconds>& latest = bounds.latest;
  // From the operation issued last to the first: each is done before those whose ends it bounds.
  for (auto at = run.order.rbegin(); at != run.order.rend(); ++at) {
    const OperationIndex i = *at;
    trace::Span& span = run.spans[i];
    if (run.host_work(i)) {
      bound_by_return(run, i, latest);
      continue;
    }
    if (run.end_unobserved(i) && run.launch_end(i) < latest[i]) {
      latest[i] = run.launch_end(i);
      bounds.set_by[i] = kNoOperation;
    }
    if (is_done_when_returned(run.program, run.operation(i)) && known(span.host_end) && span.host_end < latest[i]) {
      latest[i] = span.host_end;
      bounds.set_by[i] = kNoOperation;
    }
    if (trace::is_of_event(span.source) && known(span.end) && span.end > latest[i]) {
      const Nanoseconds lag = span.source == trace::Source::sighting ? kSeenLate : kEventLag;
      const Nanoseconds allowed = std::min<Nanoseconds>(lag + 2 * Nanoseconds{span.uncertainty}, kFinalAfter / 2);
      if (span.end - latest[i] <= allowed) span.end = latest[i];
    }
    Nanoseconds bound = latest[i];
    const bool stamped = span.kind == OperationKind::kernel && span.source == trace::Source::stamp && known(span.start);
    if (stamped) {
      bound = span.start;
    } else if (span.kind == OperationKind::hostfn && known(span.start)) {
      bound = std::min(bound, span.start);
    } else if (!takes_no_time(span.kind)) {
      if (known(span.end)) bound = std::min(bound, span.end);
      if (known(span.end) || run.end_unobserved(i)) bound -= transfer_time(run, i, false).shortest;
    }
    for (const program::Dependency& dependency : run.dependencies.of(i)) {
      if (bound >= latest[dependency.on]) continue;
      latest[dependency.on] = bound;
      bounds.set_by[dependency.on] = stamped ? i : kNoOperation;
    }
  }
  return bounds;
}

}  // namespace streamscope::reconstruct
