#include "engine/reconstruct/lost_device.h"

#include <algorithm>
#include <limits>
#include <vector>

#include "engine/reconstruct/reconstruction.h"
#include "engine/trace/call_result.h"

namespace streamscope::reconstruct {
namespace {

constexpr Nanoseconds kNever = std::numeric_limits<Nanoseconds>::max();

std::uint32_t doubt(Nanoseconds of) { return static_cast<std::uint32_t>(std::clamp<Nanoseconds>(of, 0, 0xFFFFFFFF)); }

void never_runs(trace::Span& span) {
  span.ready = span.start = span.end = kAbsent;
  span.ready_source = span.start_source = span.source = trace::Source::none;
  span.ready_uncertainty = span.start_uncertainty = span.uncertainty = 0;
  span.reason = trace::WaitReason::none;
  span.waits_for = kNoOperation;
  span.bytes = 0;
}

// Between its end, or what may have been that, and then.
void ends_between(trace::Span& span, Nanoseconds likely, Nanoseconds latest) {
  if (!known(span.end)) {
    span.end = std::max(likely, span.start);
    span.source = trace::Source::inferred;
  }
  span.uncertainty = std::max(span.uncertainty, doubt(latest - span.end));
}

// By operation, when it had ended: the return of a wait for it.
std::vector<Nanoseconds> latest_ends(const program::Program& program, const program::Dependencies& dependencies,
                                     std::span<const trace::Span> spans) {
  std::vector<Nanoseconds> latest(spans.size(), kNever);
  Nanoseconds last = 0, reset = kNever;
  for (const trace::Span& span : spans) last = std::max(last, span.host_end);
  for (auto i = static_cast<OperationIndex>(spans.size()); i-- > 0;) {
    if (std::holds_alternative<program::op::Reset>(program.operations[i].work)) reset = spans[i].host_end;
    Nanoseconds& own = latest[i];
    const bool waited = is_host_work(program.operations[i]) && spans[i].result != CallResult::capture_unsupported;
    own = std::min({own, reset, waited ? spans[i].host_end : last});
    for (const program::Dependency& one : dependencies.of(i)) latest[one.on] = std::min(latest[one.on], own);
  }
  return latest;
}

// Of an operation without an end, on a device that was reset and lives.
void place_between(trace::Span& span, Nanoseconds latest) {
  if (known(span.start)) return ends_between(span, latest, latest);
  span.ready = span.start = span.host_end;
  span.ready_source = span.start_source = trace::Source::inferred;
  span.end = takes_no_time(span.kind) ? span.start : std::max(latest, span.start);
  span.source = trace::Source::inferred;
  span.ready_uncertainty = span.start_uncertainty = span.uncertainty = doubt(latest - span.start);
}

}  // namespace

void settle_lost_device(const program::Program& program, const program::Dependencies& dependencies,
                        std::span<const std::uint8_t> may_go_on, std::span<trace::Span> spans) {
  Nanoseconds failed = kNever, told = kNever;
  for (const trace::Span& span : spans) {
    if (span.kind == OperationKind::fault && known(span.start)) failed = std::min(failed, span.start);
    if (sticks(span.result) && trace::call_failed(span) && known(span.host_end)) told = std::min(told, span.host_end);
  }
  // A reset right behind the fault may tell nothing; that no device is left afterwards does.
  const bool is_lost = std::ranges::find(spans, CallResult::devices_unavailable, &trace::Span::result) != spans.end();
  if (told == kNever && failed != kNever && is_lost) {
    for (const trace::Span& span : spans)
      if (span.kind == OperationKind::reset) told = std::min(told, span.host_end);
  }
  const std::vector<Nanoseconds> latest = latest_ends(program, dependencies, spans);
  for (OperationIndex i = 0; i < spans.size(); ++i) {
    const program::Operation& operation = program.operations[i];
    if (is_host_work(operation)) continue;
    trace::Span& span = spans[i];
    const trace::Span& call = operation.launch == kNoOperation ? span : spans[operation.launch];
    if (trace::call_failed(call) || !known(call.host_end)) {
      never_runs(span);
    } else if (told == kNever) {
      if (!known(span.end)) place_between(span, latest[i]);
    } else if (known(span.start) && (!known(span.end) || may_go_on[i] != 0)) {
      ends_between(span, failed == kNever ? span.start : failed, told);
    } else if (!known(span.end) || (takes_no_time(span.kind) && span.end > failed)) {
      never_runs(span);
    }
  }
}

}  // namespace streamscope::reconstruct
