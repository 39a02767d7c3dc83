#include <fmt/format.h>

#include <algorithm>

#include "engine/analysis/analysis.h"
#include "engine/analysis/wait_cause.h"
#include "engine/base/quantity.h"
#include "engine/base/translate.h"
#include "engine/trace/packed_spans.h"

namespace streamscope::analysis {
namespace {

// "waited 132 us from ready to start"
std::string waited(const trace::Span& span) {
  const std::optional<Wait> wait = wait_of(span);
  if (!wait) return tr("waited");
  const std::string time = display_duration(elapsed(wait->time.start, wait->time.end));
  if (host_waits(span)) return tr("waited {}", time);
  return keeps_from_ready(span.reason) ? tr("waited {} from issue to ready", time)
                                       : tr("waited {} from ready to start", time);
}

// "H2D #12 (line 7)"; empty for none.
std::string cause(const trace::Trace& trace, OperationIndex operation) {
  if (operation == kNoOperation) return {};
  const std::optional<trace::Span> span = trace::find_span(trace, operation);
  if (!span) return tr("operation {}", operation);
  return span->line == 0 ? operation_text(trace, *span) : tr("{} (line {})", operation_text(trace, *span), span->line);
}

std::string stream_words(const trace::Trace& trace, const trace::Span& span) {
  return span.stream < trace.streams.size() ? tr("stream {}", trace.streams[span.stream].name) : tr("its stream");
}

}  // namespace

std::string explain_wait(const trace::Trace& trace, const trace::Span& span) {
  // Not every time from ready to start is a wait: it contains the launch latency of an idle device.
  if (span.reason == trace::WaitReason::none) return {};
  const std::string done = waited(span);
  const CauseOfWait behind = wait_cause(trace, span);
  const std::string by = cause(trace, behind.operation);
  const auto by_or = [&](const char* others) { return by.empty() ? std::string(others) : by; };
  if (host_waits(span)) return tr("the host {} for {}", done, by_or(tr("the work before it")));
  switch (behind.reason) {
    case trace::WaitReason::stream:
      return tr("{} for {}, the one before it in {}", done, by_or(tr("an operation")), stream_words(trace, span));
    case trace::WaitReason::legacy:
      return tr("{} for {}: the legacy default stream and blocking streams wait for each other", done,
                by_or(tr("other streams")));
    case trace::WaitReason::event:
      return by.empty() ? tr("{} for an event", done) : tr("{} for {}, through an event", done, by);
    case trace::WaitReason::engine: {
      const auto busy = trace::find_span(trace, span.waits_for);
      if (busy && trace::shares_copy_engine(span, *busy))
        return tr("{} for the copy engine, which both directions share, busy with {}", done, by);
      const std::string_view engine = tr(words_of(span.engine).the_text);
      return by.empty() ? tr("{} for {}", done, engine) : tr("{} for {}, busy with {}", done, engine, by);
    }
    case trace::WaitReason::host:
      return by.empty() ? std::string(tr("issued late by the host"))
                        : tr("issued late by the host, which was held by {}", by);
    case trace::WaitReason::gate:
      return tr("{} for the gate, which holds all streams until everything is queued", done);
    case trace::WaitReason::graph: return tr("{} for {} in its graph", done, by_or(tr("a node")));
    case trace::WaitReason::queue:
      return tr("{} for {} in the hardware queue that {} shares with other streams", done, by_or(tr("an operation")),
                stream_words(trace, span));
    case trace::WaitReason::none:
    case trace::WaitReason::unknown: break;
  }
  return tr("{}; the reason is not known", done);
}

}  // namespace streamscope::analysis
