#include "engine/analysis/analysis.h"

#include <algorithm>
#include <array>
#include <limits>

namespace streamscope {
namespace {

constexpr std::array kMeasuredEngines{Engine::h2d, Engine::d2h, Engine::compute};

// Nothing where either end is not known or the end lies before the start: such a span has no length to count.
Nanoseconds length(Nanoseconds from, Nanoseconds to) {
  const Nanoseconds between = elapsed(from, to);
  return known(between) && between > 0 ? between : 0;
}

void add(Nanoseconds& sum, Nanoseconds part) {
  if (__builtin_add_overflow(sum, part, &sum)) sum = std::numeric_limits<Nanoseconds>::max();
}

double ratio(Nanoseconds part, Nanoseconds whole) {
  return known(whole) && whole > 0 ? static_cast<double>(part) / static_cast<double>(whole) : 0.0;
}

bool is_copy(OperationKind kind) {
  return kind == OperationKind::h2d || kind == OperationKind::d2h || kind == OperationKind::d2d;
}

// Calls that put work into a stream and need not wait for it. A blocking copy is told from an asynchronous one by its
// name (label() of engine/program/program.h): the span has no other mark.
bool asynchronous_call(const Trace& trace, const Span& span) {
  switch (span.kind) {
    case OperationKind::h2d:
    case OperationKind::d2h:
      return span.name >= trace.names.size() || !trace.names[span.name].starts_with("cudaMemcpy ");
    case OperationKind::d2d:
    case OperationKind::memset:
    case OperationKind::kernel:
    case OperationKind::record:
    case OperationKind::wait:
    case OperationKind::hostfn: return true;
    default: return false;
  }
}

// Time in which at least two of the lists have an interval open. Each list is sorted and disjoint.
Nanoseconds at_least_two(const std::array<std::vector<Interval>, kMeasuredEngines.size()>& lists) {
  struct Edge {
    Nanoseconds at;
    int change;
  };
  std::vector<Edge> edges;
  for (const auto& list : lists) {
    for (const Interval& interval : list) {
      edges.push_back({interval.start, +1});
      edges.push_back({interval.end, -1});
    }
  }
  std::sort(edges.begin(), edges.end(), [](const Edge& a, const Edge& b) { return a.at < b.at; });
  Nanoseconds sum = 0, from = 0;
  int open = 0;
  for (const Edge& edge : edges) {
    if (open >= 2) add(sum, length(from, edge.at));
    open += edge.change;
    from = edge.at;
  }
  return sum;
}

}  // namespace

std::vector<Interval> busy(const std::vector<Span>& spans, Engine engine) {
  std::vector<Interval> intervals;
  for (const Span& span : spans) {
    if (span.engine == engine && known(span.start) && known(span.end) && span.start < span.end) {
      intervals.push_back({span.start, span.end});
    }
  }
  std::sort(intervals.begin(), intervals.end(), [](const Interval& a, const Interval& b) { return a.start < b.start; });
  std::size_t kept = 0;
  for (const Interval& next : intervals) {
    if (kept > 0 && next.start <= intervals[kept - 1].end) {
      intervals[kept - 1].end = std::max(intervals[kept - 1].end, next.end);
    } else {
      intervals[kept++] = next;
    }
  }
  intervals.resize(kept);
  return intervals;
}

Analysis analyse(const Trace& trace) {
  Analysis analysis;
  analysis.makespan = makespan(trace.spans);

  std::array<std::vector<Interval>, kMeasuredEngines.size()> unions;
  for (std::size_t i = 0; i < kMeasuredEngines.size(); ++i) {
    EngineUse use;
    use.engine = kMeasuredEngines[i];
    unions[i] = busy(trace.spans, use.engine);
    for (const Interval& interval : unions[i]) add(use.busy, length(interval.start, interval.end));
    use.use = ratio(use.busy, analysis.makespan);
    analysis.engines.push_back(use);
  }
  analysis.overlapped = at_least_two(unions);
  analysis.overlap = ratio(analysis.overlapped, analysis.makespan);

  for (const Span& span : trace.spans) {
    if (asynchronous_call(trace, span)) add(analysis.host_calls, length(span.host_begin, span.host_end));
    if (!device_work(span)) continue;
    add(analysis.serial_sum, length(span.start, span.end));
    add(analysis.waiting, length(span.ready, span.start));
    for (EngineUse& use : analysis.engines) {
      if (use.engine != span.engine) continue;
      ++use.operations;
      if (is_copy(span.kind)) use.bytes += span.bytes;
    }
  }
  analysis.speed_up = ratio(analysis.serial_sum, analysis.makespan);
  return analysis;
}

}  // namespace streamscope
