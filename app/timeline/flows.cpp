#include "app/timeline/flows.h"

#include <algorithm>
#include <tuple>

#include "engine/analysis/wait_cause.h"

namespace streamscope::timeline {
namespace {

FlowKind kind_of(trace::WaitReason reason) {
  return reason == trace::WaitReason::engine ? FlowKind::engine : FlowKind::order;
}

}  // namespace

Waiters waiters(const trace::Trace& trace) {
  struct Entry {
    OperationIndex cause, waiter;
    Nanoseconds start;
  };
  std::vector<Entry> entries;
  for (std::size_t i = 0; i < trace::span_count(trace); ++i) {
    const trace::Span span = trace::span_at(trace, i);
    if (span.waits_for == kNoOperation) continue;
    entries.push_back({analysis::wait_cause(trace, span).operation, span.operation, span.start});
  }
  std::sort(entries.begin(), entries.end(), [](const Entry& a, const Entry& b) {
    return std::tie(a.cause, a.start, a.waiter) < std::tie(b.cause, b.start, b.waiter);
  });
  Waiters out;
  out.cause.reserve(entries.size());
  out.waiter.reserve(entries.size());
  for (const Entry& each : entries) {
    out.cause.push_back(each.cause);
    out.waiter.push_back(each.waiter);
  }
  return out;
}

std::span<const OperationIndex> waiting_for(const Waiters& waiters, OperationIndex cause) {
  const auto [first, end] = std::equal_range(waiters.cause.begin(), waiters.cause.end(), cause);
  return {waiters.waiter.data() + (first - waiters.cause.begin()), static_cast<std::size_t>(end - first)};
}

std::vector<Flow> flows(const trace::Trace& trace, const Waiters* who, OperationIndex operation) {
  std::vector<Flow> out;
  const auto span = trace::find_span(trace, operation);
  if (!span) return out;
  if (known(span->host_end) && known(span->start) && span->stream != trace::Span::kNoStream)
    out.push_back({FlowKind::call, operation, operation, false});
  if (const analysis::CauseOfWait cause = analysis::wait_cause(trace, *span); cause.operation != kNoOperation)
    out.push_back({kind_of(cause.reason), cause.operation, operation, false});
  if (who == nullptr) return out;
  const auto waiting = waiting_for(*who, operation);
  for (const OperationIndex each : waiting.first(std::min(waiting.size(), kMostForward)))
    if (const auto waiter = trace::find_span(trace, each))
      out.push_back({kind_of(waiter->reason), operation, each, true});
  return out;
}

}  // namespace streamscope::timeline
