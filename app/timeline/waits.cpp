#include "app/timeline/waits.h"

#include <algorithm>

#include "app/timeline/span_text.h"
#include "engine/base/translate.h"

namespace streamscope::timeline {
namespace {

using trace::WaitReason;
using verdict::WaitCause;

// Whether it is something that CUDA puts before an operation, so that this one is not ready.
bool is_order(WaitCause cause) {
  switch (cause) {
    case WaitCause::stream:
    case WaitCause::event:
    case WaitCause::legacy:
    case WaitCause::graph:
    case WaitCause::pool:
    case WaitCause::gate: return true;
    case WaitCause::queue:
    case WaitCause::engine:
    case WaitCause::other_direction:
    case WaitCause::host_functions:
    case WaitCause::blocks:
    case WaitCause::room:
    case WaitCause::priority:
    case WaitCause::hand_over:
    case WaitCause::unexplained: break;
  }
  return false;
}

WaitCause cause_of(const trace::Span& span) {
  switch (span.reason) {
    case WaitReason::none: return WaitCause::hand_over;
    case WaitReason::stream: return WaitCause::stream;
    case WaitReason::legacy: return WaitCause::legacy;
    case WaitReason::event: return WaitCause::event;
    case WaitReason::engine: return span.kind == OperationKind::kernel ? WaitCause::room : WaitCause::engine;
    case WaitReason::gate: return WaitCause::gate;
    case WaitReason::graph: return WaitCause::graph;
    case WaitReason::queue: return WaitCause::queue;
    case WaitReason::host:
    case WaitReason::unknown: break;
  }
  return WaitCause::unexplained;
}

}  // namespace

std::vector<WaitPiece> wait_pieces(const trace::Trace& trace, const verdict::History* history) {
  std::vector<WaitPiece> out;
  const auto count = static_cast<std::uint32_t>(trace::span_count(trace));
  for (std::uint32_t i = 0; i < count; ++i) {
    if (history == nullptr) {
      const trace::Span span = trace::span_at(trace, i);
      if (!known(span.ready) || !known(span.start) || span.ready >= span.start) continue;
      const WaitCause cause = cause_of(span);
      const auto by = trace::find_index(trace, span.waits_for);
      out.push_back({span.ready, span.start, i, by ? static_cast<std::uint32_t>(*by) : WaitPiece::kNobody, cause,
                     cause == WaitCause::gate, cause != WaitCause::hand_over});
      continue;
    }
    for (const verdict::Slice& slice : verdict::slices(*history, i)) {
      const bool queued = is_order(slice.cause) || (slice.by == kNoOperation && slice.to <= history->ready(i));
      out.push_back({slice.from, slice.to, i, slice.by < count ? slice.by : WaitPiece::kNobody, slice.cause, queued,
                     slice.certain});
    }
  }
  out.shrink_to_fit();
  return out;
}

std::span<const WaitPiece> pieces_of(const std::vector<WaitPiece>& all, std::uint32_t span) {
  const auto found = std::ranges::equal_range(all, span, {}, &WaitPiece::span);
  return {found.begin(), found.end()};
}

std::string cause_text(const trace::Trace& trace, const WaitPiece& piece) {
  switch (piece.cause) {
    case WaitCause::stream: return tr("its stream");
    case WaitCause::event: return tr("event");
    case WaitCause::legacy: return tr("default stream");
    case WaitCause::graph: return tr("graph");
    case WaitCause::pool: return tr("reuse of memory");
    case WaitCause::gate: return tr("the gate");
    case WaitCause::queue: return tr("shared hardware queue");
    case WaitCause::engine: return tr("{} busy", tr(words_of(trace::span_at(trace, piece.span).engine).text));
    case WaitCause::other_direction: return tr("the one copy engine busy");
    case WaitCause::host_functions: return tr("host functions");
    case WaitCause::blocks:
    case WaitCause::room: return tr("no room");
    case WaitCause::priority: return tr("priority");
    case WaitCause::hand_over: return tr("hand-over");
    case WaitCause::unexplained: break;
  }
  return tr("not known why");
}

std::string wait_text(const trace::Trace& trace, const WaitPiece& piece) {
  const std::string cause = cause_text(trace, piece);
  if (piece.by == WaitPiece::kNobody) return cause;
  return tr("waits for {} ({})", placed_text(trace, trace::span_at(trace, piece.by)), cause);
}

}  // namespace streamscope::timeline
