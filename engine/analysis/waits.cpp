#include "engine/analysis/waits.h"

#include <algorithm>
#include <iterator>
#include <limits>

#include "engine/trace/trace.h"

namespace streamscope::analysis {
namespace {

// The issue ends when the call returns; a call that waits for the operation issued it when it began.
Nanoseconds issued(const trace::Span& span) {
  const bool returned = known(span.host_end) && span.host_end <= span.ready;
  return returned ? span.host_end : span.host_begin;
}

}  // namespace

Waits waits(const trace::Span& span) { return {elapsed(issued(span), span.ready), elapsed(span.ready, span.start)}; }

bool host_waits(const trace::Span& span) {
  switch (span.kind) {
    case OperationKind::sync:
    case OperationKind::poll:
    case OperationKind::join: return true;
    case OperationKind::malloc:
    case OperationKind::free:
    case OperationKind::pin:
    case OperationKind::unpin:
    case OperationKind::reset: return span.stream == trace::Span::kNoStream && span.reason == trace::WaitReason::host;
    default: return false;
  }
}

bool keeps_from_ready(trace::WaitReason reason) {
  switch (reason) {
    case trace::WaitReason::stream:
    case trace::WaitReason::legacy:
    case trace::WaitReason::event:
    case trace::WaitReason::graph:
    case trace::WaitReason::gate: return true;
    default: return false;
  }
}

std::optional<Wait> wait_of(const trace::Span& span) {
  if (span.reason == trace::WaitReason::none) return std::nullopt;
  Wait wait{span.reason, {span.ready, span.start}};
  if (host_waits(span))
    wait = {trace::WaitReason::host, {span.host_begin, span.host_end}};
  else if (span.reason == trace::WaitReason::host)
    return std::nullopt;
  else if (keeps_from_ready(span.reason))
    wait.time = {issued(span), span.ready};
  const Nanoseconds length = elapsed(wait.time.start, wait.time.end);
  if (!known(length) || length <= 0) return std::nullopt;
  return wait;
}

void WaitSums::add(const trace::Span& span, const trace::Interval& range) {
  if (span.reason == trace::WaitReason::none) return;  // nearly all of a trace of another tool
  if (!trace::device_work(span) && !host_waits(span)) return;
  const std::optional<Wait> wait = wait_of(span);
  if (!wait) return;
  const Nanoseconds part = elapsed(std::max(wait->time.start, range.start), std::min(wait->time.end, range.end));
  if (part <= 0) return;
  WaitSum& sum = by_reason_[static_cast<std::size_t>(wait->reason)];
  sum.reason = wait->reason;
  streamscope::add(sum.time, part);
  ++sum.operations;
  if (part <= sum.longest_time) return;
  sum.longest = span.operation;
  sum.longest_time = part;
}

std::vector<WaitSum> WaitSums::found() const {
  std::vector<WaitSum> out;
  std::copy_if(by_reason_.begin(), by_reason_.end(), std::back_inserter(out),
               [](const WaitSum& sum) { return sum.operations > 0; });
  std::stable_sort(out.begin(), out.end(), [](const WaitSum& a, const WaitSum& b) { return a.time > b.time; });
  return out;
}

}  // namespace streamscope::analysis
