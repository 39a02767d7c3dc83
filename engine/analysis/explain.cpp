#include <fmt/format.h>

#include <algorithm>

#include "engine/analysis/analysis.h"
#include "engine/base/quantity.h"

namespace streamscope {
namespace {

bool host_waits(const Span& span) { return span.kind == OperationKind::sync || span.kind == OperationKind::poll; }

// When the wait that the reason stands for began: an engine is waited for by what is ready, all else from the issue on.
// A call that returns before the operation is ready ends the issue; one that holds the host longer began it.
Nanoseconds waiting_since(const Span& span) {
  if (span.reason == WaitReason::engine || !known(span.ready)) return span.ready;
  return known(span.host_end) && span.host_end <= span.ready ? span.host_end : span.host_begin;
}

Nanoseconds waited(const Span& span) {
  if (host_waits(span)) return elapsed(span.host_begin, span.host_end);
  switch (span.reason) {
    case WaitReason::stream:
    case WaitReason::legacy:
    case WaitReason::event: return elapsed(waiting_since(span), span.ready);
    default: return elapsed(span.ready, span.start);
  }
}

// The spans lie in the program's order, so an operation is found at its own index, or where some are missing by search.
const Span* find(const Trace& trace, OperationIndex operation) {
  if (operation < trace.spans.size() && trace.spans[operation].operation == operation) return &trace.spans[operation];
  const auto at = std::lower_bound(trace.spans.begin(), trace.spans.end(), operation,
                                   [](const Span& span, OperationIndex wanted) { return span.operation < wanted; });
  return at != trace.spans.end() && at->operation == operation ? &*at : nullptr;
}

// "operation 12 (line 7)"; empty for none.
std::string cause(const Trace& trace, OperationIndex operation) {
  if (operation == kNoOperation) return {};
  const Span* span = find(trace, operation);
  if (span == nullptr || span->line == 0) return fmt::format("operation {}", operation);
  return fmt::format("operation {} (line {})", operation, span->line);
}

std::string_view engine_words(Engine engine) {
  switch (engine) {
    case Engine::h2d: return "the H2D engine";
    case Engine::d2h: return "the D2H engine";
    case Engine::compute: return "the compute engine";
    case Engine::host: return "the host";
    case Engine::none: break;
  }
  return "its engine";
}

std::string stream_words(const Trace& trace, const Span& span) {
  return span.stream < trace.streams.size() ? "stream " + trace.streams[span.stream].name : "its stream";
}

}  // namespace

std::string explain_wait(const Trace& trace, const Span& span) {
  // Whoever made the span knows best: a launch's latency on an idle device lies between ready and start too.
  if (span.reason == WaitReason::none) return {};
  const Nanoseconds time = waited(span);
  const bool timed = known(time) && time > 0;
  const std::string waited_for = timed ? "waited " + display_duration(time) + " for " : "waited for ";
  const std::string by = cause(trace, span.waits_for);
  if (host_waits(span)) {
    return fmt::format("the host {}{}", waited_for, by.empty() ? "the work before it" : by);
  }
  switch (span.reason) {
    case WaitReason::stream:
      return fmt::format("{}{}, the one before it in {}", waited_for, by.empty() ? "an operation" : by,
                         stream_words(trace, span));
    case WaitReason::legacy:
      return fmt::format("{}{}: the legacy default stream and blocking streams wait for each other", waited_for,
                         by.empty() ? "other streams" : by);
    case WaitReason::event: return fmt::format("{}{}", waited_for, by.empty() ? "an event" : by + ", through an event");
    case WaitReason::engine:
      return fmt::format("{}{}{}", waited_for, engine_words(span.engine), by.empty() ? "" : ", busy with " + by);
    case WaitReason::host:
      return fmt::format("issued late by the host{}", by.empty() ? "" : ", which was held by " + by);
    case WaitReason::gate:
      return fmt::format("{}the gate, which holds all streams until everything is queued", waited_for);
    case WaitReason::graph: return fmt::format("{}{} in its graph", waited_for, by.empty() ? "a node" : by);
    case WaitReason::queue:
      return fmt::format("{}{} in the hardware queue that {} shares with other streams", waited_for,
                         by.empty() ? "an operation" : by, stream_words(trace, span));
    case WaitReason::none:
    case WaitReason::unknown: break;
  }
  return timed ? fmt::format("waited {}; the reason is not known", display_duration(time))
               : "waited; the reason is not known";
}

}  // namespace streamscope
