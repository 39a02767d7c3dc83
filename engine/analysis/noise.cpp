#include "engine/analysis/noise.h"

#include <algorithm>
#include <cmath>

namespace streamscope {
namespace {

struct Edge {
  Source source;
  Nanoseconds uncertainty;
};

// Whether the clocks' tie is part of that time's uncertainty. What was inferred may follow from the host's clock, and
// then it is not: its uncertainty is smaller than the tie.
bool tied(const Edge& edge, Nanoseconds tie) {
  switch (edge.source) {
    case Source::event:
    case Source::stamp:
    case Source::cupti:
    case Source::inferred: return edge.uncertainty >= tie;
    default: return false;
  }
}

Nanoseconds between(const Trace& trace, const Edge& from, const Edge& to) {
  const Nanoseconds tie = trace.provenance.uncertainty;
  const Nanoseconds both = from.uncertainty + to.uncertainty;
  return tied(from, tie) && tied(to, tie) ? both - 2 * tie : both;
}

// Of a trace merged from many runs each end is seen in runs of its own.
Nanoseconds spread_of(const Span& span) { return span.samples > 1 ? span.spread : 0; }

double square(double value) { return value * value; }

}  // namespace

Nanoseconds execution_noise(const Trace& trace, const Span& span) {
  return between(trace, {span.start_source, span.start_uncertainty}, {span.source, span.uncertainty}) + spread_of(span);
}

Nanoseconds waiting_noise(const Trace& trace, const Span& span) {
  return between(trace, {span.ready_source, span.ready_uncertainty}, {span.start_source, span.start_uncertainty});
}

Nanoseconds gap_noise(const Trace& trace, const Span& before, const Span& span) {
  return between(trace, {before.source, before.uncertainty}, {span.start_source, span.start_uncertainty}) +
         spread_of(before);
}

FigureNoise figure_noise(const Run& run, const Analysis& analysis) {
  const Trace& trace = run.trace;
  const Span* first = nullptr;
  const Span* last = nullptr;
  double squares = 0, waiting_squares = 0;
  for (const Span& span : trace.spans) {
    if (!device_work(span) || !known(span.start) || !known(span.end) || span.end < span.start) continue;
    if (first == nullptr || span.start < first->start) first = &span;
    if (last == nullptr || span.end > last->end) last = &span;
    squares += square(static_cast<double>(execution_noise(trace, span)));
    if (known(span.ready)) waiting_squares += square(static_cast<double>(waiting_noise(trace, span)));
  }
  FigureNoise noise;
  if (first == nullptr || !known(analysis.makespan) || analysis.makespan <= 0) return noise;
  // The spread of a merged trace's makespan is that of its last end.
  const bool spread_known = run.makespan && known(run.makespan->spread);
  noise.makespan = between(trace, {first->start_source, first->start_uncertainty}, {last->source, last->uncertainty}) +
                   (spread_known ? run.makespan->spread : spread_of(*last));
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

}  // namespace streamscope
