#include "engine/analysis/analysis.h"

#include <algorithm>
#include <array>
#include <limits>
#include <optional>
#include <utility>

#include "engine/trace/packed_spans.h"

namespace streamscope::analysis {
namespace {

constexpr std::array kMeasuredEngines{Engine::h2d, Engine::d2h, Engine::compute};

// 0 where either time is not known or the end lies before the start.
Nanoseconds length(Nanoseconds from, Nanoseconds to) {
  const Nanoseconds between = elapsed(from, to);
  return known(between) && between > 0 ? between : 0;
}

double ratio(Nanoseconds part, Nanoseconds whole) {
  return known(whole) && whole > 0 ? static_cast<double>(part) / static_cast<double>(whole) : 0.0;
}

bool is_copy(OperationKind kind) {
  return kind == OperationKind::h2d || kind == OperationKind::d2h || kind == OperationKind::d2d ||
         kind == OperationKind::peer;
}

// Calls that put work into a stream and need not wait for it.
bool asynchronous_call(const trace::Span& span) {
  switch (span.kind) {
    case OperationKind::h2d:
    case OperationKind::d2h: return !span.blocking;
    case OperationKind::d2d:
    case OperationKind::peer:
    case OperationKind::memset:
    case OperationKind::kernel:
    case OperationKind::fault:
    case OperationKind::record:
    case OperationKind::wait:
    case OperationKind::hostfn:
    case OperationKind::prefetch:
    case OperationKind::launch: return true;
    case OperationKind::malloc:
    case OperationKind::free: return span.stream != trace::Span::kNoStream;
    default: return false;
  }
}

// The union of intervals. Those that are added in the order of their starts are joined at once.
class Union {
 public:
  void add(trace::Interval next) {
    if (parts_.empty() || next.start > parts_.back().end) {
      parts_.push_back(next);
    } else if (next.start >= parts_.back().start) {
      parts_.back().end = std::max(parts_.back().end, next.end);
    } else {
      sorted_ = false;
      parts_.push_back(next);
    }
  }
  // Sorted and disjoint.
  const std::vector<trace::Interval>& parts() {
    if (std::exchange(sorted_, true)) return parts_;
    std::sort(parts_.begin(), parts_.end(),
              [](const trace::Interval& a, const trace::Interval& b) { return a.start < b.start; });
    for (const trace::Interval& next : std::exchange(parts_, {})) add(next);
    return parts_;
  }

 private:
  std::vector<trace::Interval> parts_;
  bool sorted_ = true;
};

// Of intervals that may overlap, in the order of their starts: where two or more of them are open.
class Together {
 public:
  void add(const trace::Interval& next) {
    if (next.start < last_start_) {
      sorted_ = false;
      return;
    }
    if (next.start < end_) found_.add({next.start, std::min(next.end, end_)});
    end_ = std::max(end_, next.end);
    last_start_ = next.start;
  }
  bool sorted() const { return sorted_; }
  const std::vector<trace::Interval>& found() { return found_.parts(); }

 private:
  Union found_;
  Nanoseconds end_ = kAbsent, last_start_ = kAbsent;
  bool sorted_ = true;
};

// The time in which so many of them have an interval open, but none where it is 0: a sweep over all edges.
std::vector<Nanoseconds> open_at_once(std::vector<Union>& unions, Union& two_or_more) {
  std::vector<std::size_t> at(unions.size());  // counts edges: 2 i is the start of part i, 2 i + 1 its end
  std::vector<Nanoseconds> sums(unions.size() + 1);
  Nanoseconds from = 0;
  for (std::size_t open = 0;;) {
    std::size_t first = unions.size();
    Nanoseconds edge = 0;
    for (std::size_t i = 0; i < unions.size(); ++i) {
      const std::vector<trace::Interval>& parts = unions[i].parts();
      if (at[i] == 2 * parts.size()) continue;
      const trace::Interval& part = parts[at[i] / 2];
      const Nanoseconds next = at[i] % 2 == 0 ? part.start : part.end;
      if (first < unions.size() && next >= edge) continue;
      first = i;
      edge = next;
    }
    if (first == unions.size()) return sums;
    if (open > 0) add(sums[open], length(from, edge));
    if (open > 1 && from < edge) two_or_more.add({from, edge});
    open = at[first]++ % 2 == 0 ? open + 1 : open - 1;
    from = edge;
  }
}

bool copies_between_devices(const trace::Trace& trace) {
  const std::size_t count = trace::device_count(trace) > 1 ? trace::span_count(trace) : 0;
  for (std::size_t i = 0; i < count; ++i) {
    if (trace::span_at(trace, i).engine == Engine::peer) return true;
  }
  return false;
}

// Its place among the engines of that many devices, the links behind all others; nothing for what is no engine of
// theirs.
std::optional<std::size_t> place_of(const trace::Span& span, std::size_t devices, bool links) {
  if (span.device >= devices || (span.engine == Engine::peer && !links)) return std::nullopt;
  if (span.engine == Engine::peer) return devices * kMeasuredEngines.size() + span.device;
  const auto at = std::find(kMeasuredEngines.begin(), kMeasuredEngines.end(), span.engine);
  if (at == kMeasuredEngines.end()) return std::nullopt;
  return span.device * kMeasuredEngines.size() + static_cast<std::size_t>(at - kMeasuredEngines.begin());
}

bool has_length(Nanoseconds start, Nanoseconds end) { return known(start) && known(end) && start <= end; }

// The bytes in proportion to the part of the execution.
std::uint64_t share_of(std::uint64_t bytes, Nanoseconds part, Nanoseconds whole) {
  if (part >= whole) return bytes;
  return static_cast<std::uint64_t>(static_cast<long double>(bytes) * static_cast<long double>(part) /
                                    static_cast<long double>(whole));
}

// Of one engine whose operations do not come in the order of their starts.
Together sorted_together(const trace::Trace& trace, const trace::Interval& range, std::size_t engine,
                         std::size_t devices) {
  std::vector<trace::Interval> all;
  for (std::size_t i = 0; i < trace::span_count(trace); ++i) {
    const trace::Span span = trace::span_at(trace, i);
    if (place_of(span, devices, true) != engine || !has_length(span.start, span.end)) continue;
    const trace::Interval ran{std::max(span.start, range.start), std::min(span.end, range.end)};
    if (ran.start < ran.end) all.push_back(ran);
  }
  std::sort(all.begin(), all.end(),
            [](const trace::Interval& a, const trace::Interval& b) { return a.start < b.start; });
  Together out;
  for (const trace::Interval& each : all) out.add(each);
  return out;
}

// All times but kAbsent.
constexpr trace::Interval kEverything{kAbsent + 1, std::numeric_limits<Nanoseconds>::max()};

}  // namespace

bool meets(const trace::Interval& range, Nanoseconds start, Nanoseconds end) {
  if (!has_length(start, end)) return false;
  if (start == end) return range.start <= start && start < range.end;
  return std::max(start, range.start) < std::min(end, range.end);
}

bool meets(const trace::Interval& range, const trace::Span& span) {
  if (has_length(span.start, span.end)) return meets(range, span.start, span.end);
  return meets(range, span.host_begin, span.host_end);
}

std::vector<std::size_t> operations_in(const trace::Trace& trace, const std::vector<trace::Interval>& intervals) {
  std::vector<std::size_t> counts(intervals.size(), 0);
  if (intervals.empty()) return counts;
  for (std::size_t i = 0; i < trace::span_count(trace); ++i) {
    const trace::Span span = trace::span_at(trace, i);
    for (std::size_t k = 0; k < intervals.size(); ++k) counts[k] += meets(intervals[k], span) ? 1 : 0;
  }
  return counts;
}

std::vector<trace::Interval> busy(const std::vector<trace::Span>& spans, DeviceEngine engine) {
  Union all;
  for (const trace::Span& span : spans)
    if (trace::queue_of(span) == engine && length(span.start, span.end) > 0) all.add({span.start, span.end});
  return all.parts();
}

Analysis analyse(const trace::Trace& trace) { return analyse(trace, kEverything); }

Analysis analyse(const trace::Run& run) {
  Analysis analysis = analyse(run.trace);
  analysis.serial = serial_of(run);
  // Medians of runs on both sides, where there are any.
  const bool both = run.serial && run.makespan;
  const Nanoseconds makespan = both ? run.makespan->median : analysis.makespan;
  if (known(analysis.serial.time)) analysis.serial_speed_up = ratio(analysis.serial.time, makespan);
  return analysis;
}

Analysis analyse(const trace::Trace& trace, const trace::Interval& range) {
  const auto within = [&range](Nanoseconds start, Nanoseconds end) -> Nanoseconds {
    if (!has_length(start, end)) return 0;
    return length(std::max(start, range.start), std::min(end, range.end));
  };
  Analysis analysis;
  const std::size_t devices = trace::device_count(trace);
  for (std::uint32_t device = 0; device < devices; ++device)
    for (const Engine engine : kMeasuredEngines) analysis.engines.push_back({.engine = engine, .device = device});
  const bool links = copies_between_devices(trace);
  if (links) {
    for (std::uint32_t device = 0; device < devices; ++device)
      analysis.engines.push_back({.engine = Engine::peer, .device = device});
  }
  std::vector<Union> unions(analysis.engines.size());
  std::vector<Together> together(unions.size());
  WaitSums waits;
  Nanoseconds first = kAbsent, last = kAbsent;
  std::vector<bool> has_work(trace.streams.size());
  for (std::size_t i = 0; i < trace::span_count(trace); ++i) {
    const trace::Span span = trace::span_at(trace, i);
    if (asynchronous_call(span) && trace::has_own_call(span))
      add(analysis.host_calls, within(span.host_begin, span.host_end));
    waits.add(span, range);
    const auto engine = place_of(span, devices, links);
    const Nanoseconds part = within(span.start, span.end);
    if (engine && part > 0) {
      const trace::Interval ran{std::max(span.start, range.start), std::min(span.end, range.end)};
      unions[*engine].add(ran);
      together[*engine].add(ran);
    }
    if (!trace::device_work(span)) continue;
    if (trace::has_own_call(span) && span.stream < has_work.size()) has_work[span.stream] = true;
    add(analysis.serial_sum, part);
    add(analysis.waiting, within(span.ready, span.start));
    const bool inside = meets(range, span.start, span.end);
    if (inside) {
      const Nanoseconds from = std::max(span.start, range.start), to = std::min(span.end, range.end);
      if (!known(first) || from < first) first = from;
      if (!known(last) || to > last) last = to;
    }
    // One whose times are not known counts in the whole, but in no range.
    if (!engine || (!inside && range != kEverything)) continue;
    EngineUse& use = analysis.engines[*engine];
    ++use.operations;
    if (is_copy(span.kind)) use.bytes += share_of(span.bytes, part, length(span.start, span.end));
  }
  analysis.waits = waits.found();
  analysis.streams = static_cast<std::uint32_t>(std::count(has_work.begin(), has_work.end(), true));
  analysis.one_copy_engine = !trace.device_facts.empty() && trace.device_facts.front().copy_engines == 1;
  analysis.makespan = elapsed(first, last);
  for (std::size_t i = 0; i < unions.size(); ++i) {
    EngineUse& use = analysis.engines[i];
    for (const trace::Interval& part : unions[i].parts()) add(use.busy, length(part.start, part.end));
    use.use = ratio(use.busy, analysis.makespan);
  }
  Union overlapped;
  analysis.busy_at_once = open_at_once(unions, overlapped);
  analysis.busy_at_once[0] = std::max<Nanoseconds>(0, analysis.makespan);
  for (std::size_t k = 1; k < analysis.busy_at_once.size(); ++k) {
    analysis.busy_at_once[0] -= std::min(analysis.busy_at_once[0], analysis.busy_at_once[k]);
  }
  // Kernels side by side overlap, too, though they have one engine.
  for (std::size_t i = 0; i < together.size(); ++i) {
    if (!together[i].sorted()) together[i] = sorted_together(trace, range, i, devices);
    for (const trace::Interval& each : together[i].found()) overlapped.add(each);
  }
  for (const trace::Interval& part : overlapped.parts()) add(analysis.overlapped, length(part.start, part.end));
  analysis.overlap = ratio(analysis.overlapped, analysis.makespan);
  analysis.speed_up = ratio(analysis.serial_sum, analysis.makespan);
  return analysis;
}

}  // namespace streamscope::analysis
