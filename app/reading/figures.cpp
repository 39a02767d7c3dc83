#include "app/reading/figures.h"

namespace streamscope::reading {
namespace {

// Backwards is no length of time.
Nanoseconds forward(Nanoseconds from, Nanoseconds to) {
  const Nanoseconds time = elapsed(from, to);
  return known(time) && time >= 0 ? time : kAbsent;
}

}  // namespace

Nanoseconds duration_of(const trace::Span& span) { return forward(span.start, span.end); }
Nanoseconds waiting_of(const trace::Span& span) { return forward(span.ready, span.start); }
Nanoseconds host_call_of(const trace::Span& span) {
  return trace::has_own_call(span) ? forward(span.host_begin, span.host_end) : kAbsent;
}
Nanoseconds start_of(const trace::Span& span) { return known(span.start) ? span.start : span.host_begin; }

bool only_waits(OperationKind kind) {
  return kind == OperationKind::sync || kind == OperationKind::poll || kind == OperationKind::join ||
         kind == OperationKind::wait;
}

std::optional<std::uint32_t> device_of(const trace::Trace& trace, const trace::Span& span) {
  if (trace::device_count(trace) == 1 || span.stream >= trace.streams.size()) return std::nullopt;
  return trace.streams[span.stream].device;
}

double rate_of(const trace::Span& span) {
  switch (span.kind) {
    case OperationKind::h2d:
    case OperationKind::d2h:
    case OperationKind::d2d:
    case OperationKind::peer:
    case OperationKind::memset:
    case OperationKind::prefetch: break;
    default: return 0;  // what a kernel works on in place is not what it moves
  }
  const Nanoseconds time = duration_of(span);
  return !known(time) || time == 0 ? 0 : static_cast<double>(span.bytes) / static_cast<double>(time) * 1e9;
}

}  // namespace streamscope::reading
