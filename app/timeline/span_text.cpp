#include "app/timeline/span_text.h"

#include <fmt/format.h>

#include "engine/analysis/api_calls.h"
#include "engine/base/quantity.h"
#include "engine/base/translate.h"

namespace streamscope::timeline {

void add_part(std::string& text, std::string_view part) {
  if (part.empty()) return;
  if (!text.empty()) text += "  ·  ";
  text += part;
}

std::string lower(std::string_view text) {
  std::string out(text);
  for (char& c : out)
    if (c >= 'A' && c <= 'Z') c = static_cast<char>(c - 'A' + 'a');
  return out;
}

std::string thread_name(const trace::Trace& trace, std::uint32_t thread) {
  return thread < trace.threads.size() ? trace.threads[thread] : tr("thread {}", thread);
}

std::string device_text(const trace::Trace& trace, std::uint32_t device) {
  const std::string number = tr("GPU {}", device);
  const std::string name = device < trace::device_count(trace) ? trace::provenance_of(trace, device).device : "";
  return name.empty() ? number : fmt::format("{} · {}", number, name);
}

std::string stream_name(const trace::Trace& trace, std::uint32_t stream) {
  return stream < trace.streams.size() ? trace.streams[stream].name : tr("stream {}", stream);
}

std::string_view call_text(const trace::Trace& trace, const trace::Span& span) {
  if (!trace::of_another_tool(trace.provenance))
    if (const std::string_view call = analysis::call_name(span); !call.empty()) return call;
  return span_name(trace, span);
}

std::string placed_text(const trace::Trace& trace, const trace::Span& span) {
  const std::string what = operation_text(trace, span);
  if (span.stream != trace::Span::kNoStream) return fmt::format("{}: {}", stream_name(trace, span.stream), what);
  return span.thread < trace.threads.size() ? fmt::format("{}: {}", trace.threads[span.thread], what) : what;
}

std::string reason_text(const trace::Trace& trace, const Wait& wait) {
  const trace::Span span = trace::span_at(trace, wait.index);
  const std::optional<trace::Span> cause = trace::find_span(trace, wait.on);
  // In its own stream the name is enough.
  const auto on = [&](std::string_view unknown) {
    if (!cause) return std::string(unknown);
    return cause->stream == span.stream && span.stream != trace::Span::kNoStream ? operation_text(trace, *cause)
                                                                                 : placed_text(trace, *cause);
  };
  switch (wait.reason) {
    case trace::WaitReason::none: return tr("is on its way: nothing holds it back");
    case trace::WaitReason::stream: return tr("waits for {} before it", on(tr("the one")));
    case trace::WaitReason::legacy: return tr("waits for {} (default stream)", on(tr("other streams")));
    case trace::WaitReason::event: return tr("waits for {} (event)", on(tr("an event")));
    case trace::WaitReason::engine:
      if (cause && trace::shares_copy_engine(span, *cause))
        return tr("waits for {} (the one copy engine busy)", on(tr("others")));
      return tr("waits for {} ({} busy)", on(tr("others")), tr(words_of(span.engine).text));
    case trace::WaitReason::gate: return tr("waits for the gate: everything is queued first");
    case trace::WaitReason::graph: return tr("waits for {} (graph)", on(tr("a node")));
    case trace::WaitReason::queue: return tr("waits for {} (shared hardware queue)", on(tr("another stream")));
    case trace::WaitReason::host:
      return wait.on == wait.operation ? std::string(tr("holds the host until it is done"))
                                       : tr("waits for {}", on(tr("the device")));
    case trace::WaitReason::unknown: break;
  }
  return tr("waits; for what is not known");
}

std::string wait_text(const trace::Trace& trace, const Wait& wait, Nanoseconds time) {
  std::string text = placed_text(trace, trace::span_at(trace, wait.index)) + " " + reason_text(trace, wait);
  if (known(wait.since)) text += tr(", {} so far", display_duration(elapsed(wait.since, time)));
  return text;
}

}  // namespace streamscope::timeline
