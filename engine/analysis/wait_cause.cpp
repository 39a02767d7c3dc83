#include "engine/analysis/wait_cause.h"

#include <fmt/format.h>

#include "engine/trace/packed_spans.h"

namespace streamscope::analysis {
namespace {

bool is_marker(OperationKind kind) {
  return kind == OperationKind::record || kind == OperationKind::wait || kind == OperationKind::launch;
}

// Whether CUDA puts what a marker waited for before all that comes behind the marker.
bool is_order(trace::WaitReason reason) {
  return reason == trace::WaitReason::stream || reason == trace::WaitReason::event ||
         reason == trace::WaitReason::legacy || reason == trace::WaitReason::graph;
}

}  // namespace

std::string_view span_name(const trace::Trace& trace, const trace::Span& span) {
  if (span.name < trace.names.size() && !trace.names[span.name].empty()) return trace.names[span.name];
  return name(span.kind);
}

std::string operation_text(const trace::Trace& trace, const trace::Span& span) {
  return fmt::format("{} #{}", span_name(trace, span), span.operation);
}

CauseOfWait wait_cause(const trace::Trace& trace, const trace::Span& span) {
  CauseOfWait out{span.waits_for, span.reason};
  // A file may name operations in a circle, or very many in a row.
  for (int steps = 0; steps < kMostMarkers; ++steps) {
    if (!is_order(out.reason) && out.reason != trace::WaitReason::host) break;
    const auto marker = trace::find_span(trace, out.operation);
    if (!marker || !is_marker(marker->kind) || !is_order(marker->reason) || marker->waits_for == kNoOperation) break;
    // What is behind an event in another stream is not before it in its own.
    if (out.reason == trace::WaitReason::stream ||
        (out.reason == trace::WaitReason::graph && marker->kind == OperationKind::wait))
      out.reason = marker->reason;
    out.operation = marker->waits_for;
  }
  return out;
}

}  // namespace streamscope::analysis
