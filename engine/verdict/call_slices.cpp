#include "engine/verdict/call_slices.h"

#include <algorithm>

#include "engine/verdict/critical_path.h"
#include "engine/verdict/touched.h"

namespace streamscope::verdict {
namespace {

using trace::Span;

bool is_host_work(const Span& span) { return span.kind == OperationKind::work || span.kind == OperationKind::touch; }

void append(std::vector<CallSlice>& all, const CallSlice& slice) {
  if (slice.to > slice.from) all.push_back(slice);
}

}  // namespace

Calls::Calls(const History& history)
    : history_(history), given_(history.trace().streams.size()), turn_(history.size(), 0) {
  usual_.fill(kAbsent);
  for (const OperationIndex i : history.order()) {
    const Span& span = history.span(i);
    if (!history.in_stream(i) || span.launch != kNoOperation || span.stream >= given_.size()) continue;
    turn_[i] = static_cast<std::uint32_t>(given_[span.stream].size());
    given_[span.stream].push_back(i);
  }
  for (const std::vector<OperationIndex>& thread : history.calls()) {
    for (const OperationIndex i : thread) {
      const Span& span = history.span(i);
      if (is_host_work(span)) continue;
      const Nanoseconds took = span.host_end - span.host_begin;
      Nanoseconds& least = usual_[static_cast<std::size_t>(span.kind)];
      // Whether it waited is asked of those only that would be the shortest: of few.
      const bool shorter = !known(least) || took < least || !known(least_given_) || took < least_given_;
      if (!shorter) continue;
      if (known(awaited(history, i).at) || made_room(i) != kNoOperation || touched(history, i).pageable) continue;
      least = known(least) ? std::min(least, took) : took;
      if (history.in_stream(i)) least_given_ = known(least_given_) ? std::min(least_given_, took) : took;
    }
  }
}

Nanoseconds Calls::usual(OperationIndex i) const {
  const Nanoseconds of_its_kind = usual_[static_cast<std::size_t>(history_.span(i).kind)];
  if (known(of_its_kind)) return of_its_kind;
  return touched(history_, i).pageable ? least_given_ : kAbsent;
}

OperationIndex Calls::made_room(OperationIndex i) const {
  const Span& span = history_.span(i);
  const trace::Trace& trace = history_.trace();
  if (span.device >= trace.device_facts.size() || span.stream >= given_.size()) return kNoOperation;
  const std::uint32_t depth = trace.device_facts[span.device].queue_depth;
  if (!history_.in_stream(i) || depth == 0 || turn_[i] < depth) return kNoOperation;
  const OperationIndex ahead = given_[span.stream][turn_[i] - depth];
  const Nanoseconds left = history_.left_queue(ahead);
  return known(left) && left > span.host_begin ? ahead : kNoOperation;
}

OperationIndex Calls::in_the_driver(OperationIndex i) const {
  const Span& span = history_.span(i);
  OperationIndex last = kNoOperation;
  for (std::size_t thread = 0; thread < history_.calls().size(); ++thread) {
    if (thread == span.thread) continue;
    const std::vector<OperationIndex>& calls = history_.calls()[thread];
    const auto behind = std::ranges::upper_bound(calls, span.host_begin, {},
                                                 [&](OperationIndex each) { return history_.span(each).host_begin; });
    if (behind == calls.begin()) continue;
    const OperationIndex other = *std::prev(behind);
    // One that only waits leaves the driver to others.
    const bool waits = known(awaited(history_, other).at) && !touched(history_, other).pageable;
    if (waits || is_host_work(history_.span(other)) || history_.span(other).host_end <= span.host_begin) continue;
    if (last == kNoOperation || history_.span(other).host_end > history_.span(last).host_end) last = other;
  }
  return last;
}

std::vector<CallSlice> Calls::slices(OperationIndex i) const {
  const Span& span = history_.span(i);
  std::vector<CallSlice> all;
  if (!trace::has_own_call(span) || span.host_end <= span.host_begin) return all;
  if (is_host_work(span)) {
    if (touched(history_, i).managed) append(all, {span.host_begin, span.host_end, CallCause::migration, i, false});
    return all;
  }
  const bool staged = touched(history_, i).pageable;
  const Release waited = awaited(history_, i);
  if (known(waited.at) && waited.at > span.host_begin) {
    const bool unasked = may_wait_unasked(span.kind);
    const CallCause cause = unasked ? CallCause::implicit_sync : staged ? CallCause::staging : CallCause::waiting;
    const Nanoseconds until = std::min(waited.at, span.host_end);
    append(all, {span.host_begin, until, cause, waited.by, true});
    append(all, {until, span.host_end, CallCause::usual, kNoOperation, false});
    return all;
  }
  Nanoseconds at = span.host_begin;
  const Nanoseconds its = usual(i);
  const Nanoseconds takes = known(its) ? its : staged ? 0 : span.host_end - span.host_begin;
  const auto hold = [&](CallCause cause, OperationIndex by, Nanoseconds until, bool certain) {
    until = std::clamp(until, at, std::max(at, span.host_end - takes));
    append(all, {at, until, cause, by, certain});
    at = until;
  };
  if (const OperationIndex ahead = made_room(i); ahead != kNoOperation) {
    hold(CallCause::queue_full, ahead, history_.left_queue(ahead), true);
  }
  // A call that is not longer than usual waited for nobody.
  if (const OperationIndex other = in_the_driver(i); other != kNoOperation) {
    hold(CallCause::driver_lock, other, history_.span(other).host_end, false);
  }
  const Nanoseconds until = std::min(span.host_end, at + takes);
  append(all, {at, until, CallCause::usual, kNoOperation, known(its)});
  append(all, {until, span.host_end, staged ? CallCause::staging : CallCause::unexplained, staged ? i : kNoOperation,
               staged});
  return all;
}

}  // namespace streamscope::verdict
