#include "app/timeline/span_text.h"

#include <fmt/format.h>

namespace streamscope::timeline {

std::string_view span_name(const trace::Trace& trace, const trace::Span& span) {
  if (span.name < trace.names.size() && !trace.names[span.name].empty()) return trace.names[span.name];
  return name(span.kind);
}

std::string operation_text(const trace::Trace& trace, const trace::Span& span) {
  return fmt::format("{} #{}", span_name(trace, span), span.operation);
}

std::string placed_text(const trace::Trace& trace, const trace::Span& span) {
  const std::string what = operation_text(trace, span);
  if (span.stream != trace::Span::kNoStream)
    return span.stream < trace.streams.size() ? fmt::format("{}: {}", trace.streams[span.stream].name, what)
                                              : fmt::format("stream {}: {}", span.stream, what);
  return span.thread < trace.threads.size() ? fmt::format("{}: {}", trace.threads[span.thread], what) : what;
}

std::string engine_text(Engine engine) {
  switch (engine) {
    case Engine::h2d: return "H2D engine";
    case Engine::d2h: return "D2H engine";
    case Engine::compute: return "compute";
    case Engine::host: return "host";
    case Engine::none: break;
  }
  return "its engine";
}

}  // namespace streamscope::timeline
