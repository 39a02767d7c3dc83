#include <fmt/format.h>

#include <algorithm>
#include <iterator>

#include "app/reading/figures.h"
#include "app/reading/operations.h"
#include "app/timeline/span_text.h"
#include "app/timeline/ticks.h"
#include "engine/base/quantity.h"
#include "engine/base/translate.h"
#include "engine/output/fields.h"
#include "engine/trace/packed_spans.h"

namespace streamscope::reading {
namespace {

struct ColumnText {
  std::string_view heading, meaning, csv, usual;
  bool number;
};
constexpr std::array<ColumnText, kColumns> kColumnTexts{{
    {tr_later("Op"), tr_later("The operation's number in the program, from 0."), "operation", "88888", true},
    {tr_later("Line"), tr_later("Of the program's text."), "line", "8888", true},
    {tr_later("Name"), tr_later("What was copied, launched or called."), "name", "cudaMemcpy D2H", false},
    {tr_later("Kind"), tr_later("What sort of operation it is."), "kind", "MM prefetch", false},
    {tr_later("Stream"), tr_later("The stream it is in; work of the host is in none."), "stream", "per-thread", false},
    {tr_later("Device"), tr_later("The GPU whose stream it is in."), "device", "GPU 88", false},
    {tr_later("Engine"), tr_later("What carried it out."), "engine", "compute", false},
    {tr_later("Host call"), tr_later("How long the host's call took."), "host_call_ns", "888.88 us", true},
    {tr_later("Start"),
     tr_later("When it began to be carried out, from the run's first host call; of work of the host, its call."),
     "start_ns", "888.8888 ms", true},
    {tr_later("Duration"), tr_later("From its start to its end."), "duration_ns", "888.88 us", true},
    {tr_later("Waiting"), tr_later("From when it was ready to its start."), "waiting_ns", "888.88 us", true},
    {tr_later("Size"), tr_later("What it copies, sets or works on."), "bytes", "888.8 MiB", true},
    {tr_later("Rate"), tr_later("Of a copy or a memset: its size over its duration."), "rate_bytes_per_s", "888.8 GB/s",
     true},
    {tr_later("Waited for"), tr_later("Why it did not start as soon as it was issued."), "reason", "unknown", false},
}};

const ColumnText& text_of(Column column) { return kColumnTexts[static_cast<std::size_t>(column)]; }

std::string duration_text(Nanoseconds time) { return known(time) ? display_duration(time) : std::string(); }
// Late in a run four digits would not tell one operation from the next.
std::string time_text(Nanoseconds time) {
  constexpr Nanoseconds kLate = 1'000'000, kStep = 100;
  return known(time) && time >= kLate ? timeline::tick_label(time, kStep, time) : duration_text(time);
}
std::string duration_field(Nanoseconds time) { return known(time) ? fmt::format("{}", time) : std::string(); }

// Numbers as they are.
std::string field(const trace::Trace& trace, const trace::Span& span, Column column) {
  switch (column) {
    case Column::device: {
      const std::optional<std::uint32_t> device = device_of(trace, span);
      return device ? fmt::format("{}", *device) : std::string();
    }
    case Column::host_call: return duration_field(host_call_of(span));
    case Column::start: return duration_field(start_of(span));
    case Column::duration: return duration_field(duration_of(span));
    case Column::waiting: return duration_field(waiting_of(span));
    case Column::bytes: return span.bytes == 0 ? std::string() : fmt::format("{}", span.bytes);
    case Column::rate: return rate_of(span) > 0 ? fmt::format("{:.0f}", rate_of(span)) : std::string();
    default: return output::csv_field(cell(trace, span, column));
  }
}

}  // namespace

std::string_view heading(Column column) { return tr(text_of(column).heading); }
std::string_view meaning(Column column) { return tr(text_of(column).meaning); }
std::string_view usual(Column column) { return text_of(column).usual; }
bool is_number(Column column) { return text_of(column).number; }

std::string cell(const trace::Trace& trace, const trace::Span& span, Column column) {
  switch (column) {
    case Column::operation: return fmt::format("{}", span.operation);
    case Column::line: return span.line == 0 ? std::string() : fmt::format("{}", span.line);
    case Column::name: return std::string(timeline::span_name(trace, span));
    case Column::kind: return std::string(name(span.kind));
    case Column::stream: return span.stream < trace.streams.size() ? trace.streams[span.stream].name : std::string();
    case Column::device: {
      const std::optional<std::uint32_t> device = device_of(trace, span);
      return device ? tr("GPU {}", *device) : std::string();
    }
    case Column::engine: return span.engine == Engine::none ? std::string() : std::string(name(span.engine));
    case Column::host_call: return duration_text(host_call_of(span));
    case Column::start: return time_text(start_of(span));
    case Column::duration: return duration_text(duration_of(span));
    case Column::waiting: return duration_text(waiting_of(span));
    case Column::bytes: return span.bytes == 0 ? std::string() : display_bytes(span.bytes);
    case Column::rate: return rate_of(span) > 0 ? display_bandwidth(span.bytes, duration_of(span)) : std::string();
    case Column::reason:
      return span.reason == trace::WaitReason::none ? std::string() : std::string(trace::name(span.reason));
  }
  return {};
}

std::string to_csv(const trace::Trace& trace, const Rows& rows, std::size_t most) {
  std::string out;
  const bool several = trace::device_count(trace) > 1;
  const auto left_out = [&](std::size_t column) { return static_cast<Column>(column) == Column::device && !several; };
  for (std::size_t i = 0; i < kColumns; ++i)
    if (!left_out(i)) fmt::format_to(std::back_inserter(out), "{}{}", i == 0 ? "" : ",", kColumnTexts[i].csv);
  out += '\n';
  for (std::size_t row = 0; row < std::min(rows.size(), most); ++row) {
    const trace::Span span = trace::span_at(trace, rows[row]);
    for (std::size_t i = 0; i < kColumns; ++i) {
      if (left_out(i)) continue;
      if (i > 0) out += ',';
      out += field(trace, span, static_cast<Column>(i));
    }
    out += '\n';
  }
  return out;
}

}  // namespace streamscope::reading
