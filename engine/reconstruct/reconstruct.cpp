#include "engine/reconstruct/reconstruct.h"

#include <numeric>

#include "engine/reconstruct/graph_nodes.h"
#include "engine/reconstruct/late_events.h"
#include "engine/reconstruct/readiness.h"
#include "engine/reconstruct/reconstruction.h"
#include "engine/reconstruct/starts.h"
#include "engine/reconstruct/wait_reasons.h"

namespace streamscope::reconstruct {
namespace {

std::vector<OperationIndex> all_in_order(std::size_t count) {
  std::vector<OperationIndex> order(count);
  std::iota(order.begin(), order.end(), OperationIndex{0});
  return order;
}

void take_over(const Reconstruction& run) {
  for (OperationIndex i = 0; i < run.count(); ++i) {
    trace::Span& span = run.spans[i];
    const device::Observed& seen = run.observed[i];
    span.host_begin = seen.host_begin;
    span.host_end = seen.host_end;
    span.source = seen.source;
    span.uncertainty = seen.uncertainty;
    span.start_source = known(seen.start) ? seen.source : trace::Source::none;
    span.start_uncertainty = known(seen.start) ? seen.uncertainty : 0;
    span.ready_source = trace::Source::none;
    span.ready_uncertainty = 0;
    span.samples = seen.samples;
    span.spread = seen.spread;
    span.polls = seen.polls;
    span.reason = trace::WaitReason::none;
    span.waits_for = kNoOperation;
    span.ready = kAbsent;
    span.start = seen.start;
    span.end = seen.end;
    if (span.kind == OperationKind::launch) span.end = kAbsent;  // what was seen is when its last node ended
    if (run.host_work(i)) {
      span.ready = span.start = seen.host_begin;
      span.end = seen.host_end;
      span.ready_source = span.start_source = span.source = trace::Source::host;
      span.start_uncertainty = span.uncertainty = 0;
    }
  }
}

void find_ready(Reconstruction& run, const Limits& limits) {
  GraphNodes nodes(run, limits);
  for (const OperationIndex i : run.order) {
    if (run.host_work(i) || run.operation(i).launch != kNoOperation) continue;
    make_ready(run, limits, i);
    if (run.spans[i].kind == OperationKind::launch) nodes.go_through(i);
  }
}

}  // namespace

void reconstruct(const program::Program& program, const program::Dependencies& dependencies,
                 std::span<const device::Observed> observed, std::span<trace::Span> spans,
                 const device::Circumstances& circumstances, std::span<const OperationIndex> issued) {
  Reconstruction run{program,
                     dependencies,
                     observed,
                     spans,
                     circumstances.dispatch,
                     circumstances.opened,
                     issued.empty() ? all_in_order(spans.size()) : std::vector(issued.begin(), issued.end())};
  take_over(run);
  const Limits limits = set_late_events_right(run);
  find_ready(run, limits);
  const std::vector<OperationIndex> before_on_engine = find_starts(run);
  find_reasons(run, before_on_engine);
}

}  // namespace streamscope::reconstruct
