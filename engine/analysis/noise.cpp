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
};

// Whether the uncertainty of the clocks' offset is part of that time's uncertainty. An inferred time may come from the
// host's clock alone: then its uncertainty is smaller than that of the offset.
bool tied(const Edge& edge, Nanoseconds tie) {
  switch (edge.source) {
    case trace::Source::event:
    case trace::Source::stamp:
    case trace::Source::cupti:
    case trace::Source::inferred: return edge.uncertainty >= tie;
    default: return false;
  }
}

Nanoseconds between(const trace::Trace& trace, const Edge& from, const Edge& to) {
  const Nanoseconds tie = trace.provenance.uncertainty;
  const Nanoseconds both = from.uncertainty + to.uncertainty;
  return tied(from, tie) && tied(to, tie) ? both - 2 * tie : both;
}

// In a trace merged from many runs each end was observed in other runs.
Nanoseconds spread_of(const trace::Span& span) { return span.samples > 1 ? span.spread : 0; }

double square(double value) { return value * value; }

}  // namespace

Nanoseconds execution_noise(const trace::Trace& trace, const trace::Span& span) {
  return between(trace, {span.start_source, span.start_uncertainty}, {span.source, span.uncertainty}) + spread_of(span);
}

Nanoseconds waiting_noise(const trace::Trace& trace, const trace::Span& span) {
  return between(trace, {span.ready_source, span.ready_uncertainty}, {span.start_source, span.start_uncertainty});
}

Nanoseconds gap_noise(const trace::Trace& trace, const trace::Span& before, const trace::Span& span) {
  return between(trace, {before.source, before.uncertainty}, {span.start_source, span.start_uncertainty}) +
         spread_of(before);
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
  const auto ready_edge = [&](const trace::Span& span) {
    return span.ready < range.start ? Edge{} : Edge{span.ready_source, span.ready_uncertainty};
  };
  const auto start_edge = [&](const trace::Span& span) {
    return span.start < range.start || span.start > range.end ? Edge{}
                                                              : Edge{span.start_source, span.start_uncertainty};
  };
  const auto end_edge = [&](const trace::Span& span) {
    return span.end > range.end ? Edge{} : Edge{span.source, span.uncertainty};
  };
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
  if (analysis.serial_sum > 0) {
    noise.speed_up = analysis.speed_up * std::sqrt(square(busy / static_cast<double>(analysis.serial_sum)) +
                                                   square(static_cast<double>(noise.makespan) / makespan));
  }
  return noise;
}

}  // namespace streamscope::analysis
