#include "engine/analysis/noise.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <optional>

#include "engine/base/quantity.h"
#include "engine/trace/packed_spans.h"

namespace streamscope::analysis {
namespace {

struct Edge {
  trace::Source source = trace::Source::none;
  Nanoseconds uncertainty = 0;
  int device = kSome;  // by whose clock, where that is certain
  static constexpr int kSome = -1;
};

bool of_device_clock(trace::Source source) {
  return source == trace::Source::event || source == trace::Source::stamp || source == trace::Source::cupti;
}

// Whether the uncertainty of the clocks' offset is part of that time's uncertainty. One that was inferred from a host
// call alone is surer than that.
bool tied(const Edge& edge, Nanoseconds tie) { return of_device_clock(edge.source) && edge.uncertainty >= tie; }

// A time of an operation. What was inferred follows from the operation's own end: where the host saw that, or it was
// inferred itself, the clocks' offset need not be part of it.
Edge edge(trace::Source source, std::uint32_t uncertainty, const trace::Span& span) {
  const bool as_end = source == trace::Source::inferred && of_device_clock(span.source);
  return {as_end ? span.source : source, uncertainty};
}
// The event behind a copy between devices may be that of either.
Edge on_its_device(Edge edge, const trace::Span& span) {
  if (span.kind != OperationKind::peer) edge.device = span.device;
  return edge;
}
Edge ready_of(const trace::Span& span) { return edge(span.ready_source, span.ready_uncertainty, span); }
Edge start_of(const trace::Span& span) {
  return on_its_device(edge(span.start_source, span.start_uncertainty, span), span);
}
Edge end_of(const trace::Span& span) { return on_its_device({span.source, span.uncertainty}, span); }

// Of several devices each has a tie of its own: between two of them nothing cancels.
Nanoseconds between(const trace::Trace& trace, const Edge& from, const Edge& to) {
  Nanoseconds tie = trace.provenance.uncertainty;
  for (const trace::Provenance& other : trace.other_devices) tie = std::min(tie, other.uncertainty);
  const Nanoseconds both = from.uncertainty + to.uncertainty;
  if (!trace.other_devices.empty() && (from.device == Edge::kSome || from.device != to.device)) return both;
  return tied(from, tie) && tied(to, tie) ? both - 2 * tie : both;
}

// In a trace merged from many runs each end was observed in other runs.
Nanoseconds spread_of(const trace::Span& span) { return span.samples > 1 ? span.spread : 0; }

double square(double value) { return value * value; }

}  // namespace

Nanoseconds execution_noise(const trace::Trace& trace, const trace::Span& span) {
  const Nanoseconds apart = between(trace, start_of(span), end_of(span));
  const bool follows_from_end = span.start_source == trace::Source::inferred && span.launch == kNoOperation &&
                                trace::is_of_event(span.source) && known(span.ready) && known(span.start);
  if (!follows_from_end) return apart + spread_of(span);
  // Such a start is as late as the end is, and no earlier than it was ready.
  const Nanoseconds longer =
      std::max<Nanoseconds>(0, span.start - span.ready) + between(trace, ready_of(span), end_of(span));
  const Nanoseconds shorter = Nanoseconds{span.start_uncertainty} - span.uncertainty;
  return std::min(apart, std::max(longer, shorter)) + spread_of(span);
}

Nanoseconds waiting_noise(const trace::Trace& trace, const trace::Span& span) {
  return between(trace, ready_of(span), start_of(span));
}

Nanoseconds gap_noise(const trace::Trace& trace, const trace::Span& before, const trace::Span& span) {
  return between(trace, end_of(before), start_of(span)) + spread_of(before);
}

std::string noise_text(Nanoseconds noise) {
  Nanoseconds unit = 1;
  while (noise / unit >= 100) unit *= 10;
  return "±" + display_duration((noise + unit / 2) / unit * unit);
}

FigureNoise figure_noise(const trace::Run& run, const Analysis& analysis) {
  return figure_noise(run, analysis, {kAbsent + 1, std::numeric_limits<Nanoseconds>::max()});
}

FigureNoise figure_noise(const trace::Run& run, const Analysis& analysis, const trace::Interval& range) {
  const trace::Trace& trace = run.trace;
  const auto ready_edge = [&](const trace::Span& span) { return span.ready < range.start ? Edge{} : ready_of(span); };
  const auto start_edge = [&](const trace::Span& span) {
    return span.start < range.start || span.start > range.end ? Edge{} : start_of(span);
  };
  const auto end_edge = [&](const trace::Span& span) { return span.end > range.end ? Edge{} : end_of(span); };
  std::optional<trace::Span> first, last;
  double squares = 0, waiting_squares = 0;
  for (std::size_t i = 0; i < trace::span_count(trace); ++i) {
    const trace::Span span = trace::span_at(trace, i);
    if (!trace::device_work(span) || !known(span.start) || !known(span.end) || span.end < span.start) continue;
    if (known(span.ready) && meets(range, std::min(span.ready, span.start), std::max(span.ready, span.start)))
      waiting_squares += square(static_cast<double>(between(trace, ready_edge(span), start_edge(span))));
    if (!meets(range, span.start, span.end)) continue;
    if (!first || span.start < first->start) first = span;
    if (!last || span.end > last->end) last = span;
    squares += square(static_cast<double>(between(trace, start_edge(span), end_edge(span)) +
                                          (span.end > range.end ? 0 : spread_of(span))));
  }
  FigureNoise noise;
  if (!first || !known(analysis.makespan) || analysis.makespan <= 0) return noise;
  noise.makespan = between(trace, start_edge(*first), end_edge(*last));
  // The spread of the makespan of a merged trace is that of its last end.
  const bool spread_known = run.makespan && known(run.makespan->spread);
  if (last->end <= range.end) noise.makespan += spread_known ? run.makespan->spread : spread_of(*last);
  const auto makespan = static_cast<double>(analysis.makespan);
  const double busy = std::sqrt(squares);
  noise.waiting = static_cast<Nanoseconds>(std::sqrt(waiting_squares));
  noise.overlap = std::min(busy / makespan, 1.0);
  if (known(analysis.serial.time) && analysis.serial.time > 0) {
    // A serial run's own makespan is as uncertain as this one's, and its runs differ; durations are so each by itself.
    const bool durations = analysis.serial.source == SerialSource::durations;
    const Nanoseconds differ = run.serial && known(run.serial->spread) ? run.serial->spread : 0;
    const double off =
        durations ? busy : static_cast<double>(between(trace, start_edge(*first), end_edge(*last)) + differ);
    noise.speed_up = analysis.serial_speed_up * std::sqrt(square(off / static_cast<double>(analysis.serial.time)) +
                                                          square(static_cast<double>(noise.makespan) / makespan));
  }
  return noise;
}

}  // namespace streamscope::analysis
