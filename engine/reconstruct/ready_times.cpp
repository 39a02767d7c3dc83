#include <algorithm>
#include <utility>

#include "engine/reconstruct/reconstruction.h"

namespace streamscope::reconstruct {
namespace {

// An operation cannot have ended before what it depends on did: within its uncertainty an event's time gives way.
void correct_early_event(Reconstruction& run, OperationIndex i) {
  trace::Span& span = run.spans[i];
  if (!trace::is_of_event(span.source) || !known(span.end)) return;
  const Nanoseconds latest = span.end + span.uncertainty;
  for (const program::Dependency& dependency : run.dependencies.of(i)) {
    const Nanoseconds before = run.spans[dependency.on].end;
    if (known(before) && before > span.end && before <= latest) span.end = before;
  }
}

// A launch's first nodes may begin while its call goes on: any time since the call began and what it waits for ended.
void set_launch_time(Reconstruction& run, const EndBounds& bounds, OperationIndex i) {
  trace::Span& span = run.spans[i];
  Nanoseconds earliest = span.host_begin;
  for (const program::Dependency& dependency : run.dependencies.of(i)) {
    const trace::Span& on = run.spans[dependency.on];
    if (known(on.end) && on.end <= span.ready && on.source != trace::Source::inferred) {
      earliest = std::max(earliest, on.end);
    }
  }
  if (run.held_by_gate(i)) earliest = std::max(earliest, run.gate_opened);
  if (bounds.latest[i] < span.ready) span.ready = std::max(earliest, bounds.latest[i]);
  span.ready_uncertainty = static_cast<std::uint32_t>(
      std::clamp<Nanoseconds>(span.ready_uncertainty + span.ready - earliest, 0, 0xFFFFFFFF));
}

}  // namespace

void set_ready_time(Reconstruction& run, const EndBounds& bounds, OperationIndex i) {
  trace::Span& span = run.spans[i];
  const Nanoseconds issue = run.issued(i);
  if (!known(issue) || run.never_ran(i)) return;
  span.ready = issue;
  span.ready_source = trace::Source::host;
  if (run.held_by_gate(i)) span.ready = run.gate_opened;
  bool all_known = true;
  correct_early_event(run, i);
  for (const program::Dependency& dependency : run.dependencies.of(i)) {
    const trace::Span& on = run.spans[dependency.on];
    if (!known(on.end)) all_known = false;
    if (!known(on.end) || on.end <= span.ready) continue;
    span.ready = on.end;
    span.ready_source = on.source;
    span.ready_uncertainty = on.uncertainty;
  }
  if (!all_known && !known(span.end) && !run.end_unobserved(i)) {
    span.ready = kAbsent;
    span.ready_source = trace::Source::none;
    span.ready_uncertainty = 0;
    return;
  }
  // An observed time overrides an estimated one: the operation was ready before it started or ended.
  for (const auto& [time, uncertainty] :
       {std::pair{span.start, span.start_uncertainty}, {span.end, span.uncertainty}}) {
    if (!known(time) || time >= span.ready) continue;
    span.ready = time;
    span.ready_source = trace::Source::inferred;
    span.ready_uncertainty = std::max(span.ready_uncertainty, uncertainty);
  }
  if (span.kind == OperationKind::launch) set_launch_time(run, bounds, i);
  if (takes_no_time(span.kind)) {
    span.start = span.end = span.ready;
    span.start_source = span.source = trace::Source::inferred;
    span.start_uncertainty = span.uncertainty = span.ready_uncertainty;
  }
}

}  // namespace streamscope::reconstruct
