#include <fmt/format.h>

#include <algorithm>

#include "engine/analysis/analysis.h"
#include "engine/base/quantity.h"
#include "engine/trace/packed_spans.h"

namespace streamscope::analysis {
namespace {

// "waited 132 us from ready to start"
std::string waited(const trace::Span& span) {
  const std::optional<Wait> wait = wait_of(span);
  const std::string words = wait ? "waited " + display_duration(elapsed(wait->time.start, wait->time.end)) : "waited";
  if (!wait || host_waits(span)) return words;
  return words + (keeps_from_ready(span.reason) ? " from issue to ready" : " from ready to start");
}

// "operation 12 (line 7)"; empty for none.
std::string cause(const trace::Trace& trace, OperationIndex operation) {
  if (operation == kNoOperation) return {};
  const std::optional<trace::Span> span = trace::find_span(trace, operation);
  if (!span || span->line == 0) return fmt::format("operation {}", operation);
  return fmt::format("operation {} (line {})", operation, span->line);
}

std::string stream_words(const trace::Trace& trace, const trace::Span& span) {
  return span.stream < trace.streams.size() ? "stream " + trace.streams[span.stream].name : "its stream";
}

}  // namespace

std::string explain_wait(const trace::Trace& trace, const trace::Span& span) {
  // Not every time from ready to start is a wait: it contains the launch latency of an idle device.
  if (span.reason == trace::WaitReason::none) return {};
  const std::string waited_for = waited(span) + " for ";
  const std::string by = cause(trace, span.waits_for);
  if (host_waits(span)) {
    return fmt::format("the host {}{}", waited_for, by.empty() ? "the work before it" : by);
  }
  switch (span.reason) {
    case trace::WaitReason::stream:
      return fmt::format("{}{}, the one before it in {}", waited_for, by.empty() ? "an operation" : by,
                         stream_words(trace, span));
    case trace::WaitReason::legacy:
      return fmt::format("{}{}: the legacy default stream and blocking streams wait for each other", waited_for,
                         by.empty() ? "other streams" : by);
    case trace::WaitReason::event:
      return fmt::format("{}{}", waited_for, by.empty() ? "an event" : by + ", through an event");
    case trace::WaitReason::engine:
      return fmt::format("{}{}{}", waited_for, words_of(span.engine).the_text, by.empty() ? "" : ", busy with " + by);
    case trace::WaitReason::host:
      return fmt::format("issued late by the host{}", by.empty() ? "" : ", which was held by " + by);
    case trace::WaitReason::gate:
      return fmt::format("{}the gate, which holds all streams until everything is queued", waited_for);
    case trace::WaitReason::graph: return fmt::format("{}{} in its graph", waited_for, by.empty() ? "a node" : by);
    case trace::WaitReason::queue:
      return fmt::format("{}{} in the hardware queue that {} shares with other streams", waited_for,
                         by.empty() ? "an operation" : by, stream_words(trace, span));
    case trace::WaitReason::none:
    case trace::WaitReason::unknown: break;
  }
  return waited(span) + "; the reason is not known";
}

}  // namespace streamscope::analysis
