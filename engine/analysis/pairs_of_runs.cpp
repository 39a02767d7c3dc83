#include "engine/analysis/pairs_of_runs.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <string_view>
#include <tuple>
#include <unordered_map>
#include <utility>

#include "engine/base/translate.h"
#include "engine/trace/packed_spans.h"

namespace streamscope::analysis {
namespace {

// Gives the texts of both traces numbers, so that operations are compared by numbers.
class Words {
 public:
  std::uint32_t of(std::string_view word) {
    return known_.emplace(word, static_cast<std::uint32_t>(known_.size())).first->second;
  }

 private:
  std::unordered_map<std::string_view, std::uint32_t> known_;
};

// What decides whether two operations can be the same work.
struct Mark {
  std::uint32_t name = 0, kind = 0, stream = 0;  // stream: by its name
  std::uint32_t span = 0;
  std::uint64_t bytes = 0;
  auto what() const { return std::pair(name, kind); }
  auto what_and_where() const { return std::tuple(name, kind, stream); }
};

std::vector<Mark> marks_of(const trace::Trace& trace, Words& words) {
  std::vector<std::uint32_t> names, streams;
  for (const std::string& each : trace.names) names.push_back(words.of(each));
  for (const trace::StreamInfo& each : trace.streams) streams.push_back(words.of(each.name));
  const std::uint32_t nameless = words.of("");
  std::vector<Mark> out;
  out.reserve(trace::span_count(trace));
  for (std::uint32_t i = 0; i < trace::span_count(trace); ++i) {
    const trace::Span span = trace::span_at(trace, i);
    out.push_back({span.name < names.size() ? names[span.name] : nameless, static_cast<std::uint32_t>(span.kind),
                   span.stream < streams.size() ? streams[span.stream] : trace::Span::kNoStream, i, span.bytes});
  }
  return out;
}

void pair(PairedRuns& out, std::uint32_t a, std::uint32_t b) {
  out.of_first[a] = b;
  out.of_second[b] = a;
  ++out.pairs;
}

void pair_by_operation(PairedRuns& out, const trace::Trace& first, const trace::Trace& second) {
  // Operations rise with the index in both.
  std::uint32_t b = 0;
  const auto count = static_cast<std::uint32_t>(trace::span_count(second));
  for (std::uint32_t a = 0; a < out.of_first.size(); ++a) {
    const OperationIndex wanted = trace::span_at(first, a).operation;
    while (b < count && trace::span_at(second, b).operation < wanted) ++b;
    if (b < count && trace::span_at(second, b).operation == wanted) pair(out, a, b++);
  }
}

using At = std::vector<Mark>::const_iterator;
template <class Key>
At end_of(At at, At end, Key key) {
  return std::find_if(at, end, [&](const Mark& each) { return key(each) != key(*at); });
}

// Both are of one name and kind, by stream and then in the program's order.
void pair_by_stream(PairedRuns& out, At a, At a_end, At b, At b_end) {
  const auto stream = [](const Mark& each) { return each.stream; };
  while (a != a_end && b != b_end) {
    if (a->stream != b->stream) {
      At& behind = a->stream < b->stream ? a : b;
      behind = end_of(behind, &behind == &a ? a_end : b_end, stream);
      continue;
    }
    const At a_next = end_of(a, a_end, stream), b_next = end_of(b, b_end, stream);
    for (; a != a_next && b != b_next; ++a, ++b) pair(out, a->span, b->span);
    a = a_next;
    b = b_next;
  }
}

// Both are of one name and kind; in the program's order each goes on in the data where the one before ended.
void pair_by_place(PairedRuns& out, const std::vector<Mark>& here, const std::vector<Mark>& there) {
  std::uint64_t at = 0, other = 0;  // where the two begin
  std::size_t i = 0;
  bool taken = false;
  for (const Mark& each : here) {
    for (; i < there.size() && other + there[i].bytes <= at; ++i, taken = false) other += there[i].bytes;
    if (i == there.size()) return;
    if (!std::exchange(taken, true)) pair(out, each.span, there[i].span);
    at += each.bytes;
  }
}

bool sizes_known(At at, At end) {
  return std::all_of(at, end, [](const Mark& each) { return each.bytes != 0; });
}

void pair_in_order(PairedRuns& out, std::vector<Mark> first, std::vector<Mark> second) {
  const auto by_what = [](const Mark& x, const Mark& y) {
    return std::tuple(x.what_and_where(), x.span) < std::tuple(y.what_and_where(), y.span);
  };
  std::sort(first.begin(), first.end(), by_what);
  std::sort(second.begin(), second.end(), by_what);
  const auto what = [](const Mark& each) { return each.what(); };
  At a = first.begin(), b = second.begin();
  const At a_end = first.end(), b_end = second.end();
  std::vector<Mark> here, there;
  const auto by_program = [](At at, At end) {
    std::vector<Mark> all(at, end);
    std::sort(all.begin(), all.end(), [](const Mark& x, const Mark& y) { return x.span < y.span; });
    return all;
  };
  while (a != a_end && b != b_end) {
    if (a->what() != b->what()) {
      if (a->what() < b->what())
        a = end_of(a, a_end, what);
      else
        b = end_of(b, b_end, what);
      continue;
    }
    const At a_next = end_of(a, a_end, what), b_next = end_of(b, b_end, what);
    const bool as_many = a_next - a == b_next - b;
    if (as_many || (sizes_known(a, a_next) && sizes_known(b, b_next))) {
      here = by_program(a, a_next), there = by_program(b, b_next);
      if (!as_many) pair_by_place(out, here, there);
      for (std::size_t i = 0; as_many && i < here.size(); ++i) pair(out, here[i].span, there[i].span);
    } else {
      pair_by_stream(out, a, a_next, b, b_next);
    }
    a = a_next;
    b = b_next;
  }
}

struct Beginnings {
  Nanoseconds call = kAbsent, work = kAbsent;
};
Beginnings beginnings(const trace::Trace& trace) {
  Beginnings out;
  const auto least = [](Nanoseconds& of, Nanoseconds time) {
    if (known(time) && (!known(of) || time < of)) of = time;
  };
  for (std::size_t i = 0; i < trace::span_count(trace); ++i) {
    const trace::Span span = trace::span_at(trace, i);
    least(out.call, span.host_begin);
    if (trace::device_work(span)) least(out.work, span.start);
  }
  return out;
}

std::optional<Nanoseconds> between(Nanoseconds second, Nanoseconds first) {
  if (!known(first) || !known(second)) return std::nullopt;
  return elapsed(second, first);
}

bool has_execution(const trace::Span& span) { return known(span.start) && known(span.end); }

Nanoseconds with_offset(Nanoseconds by, Nanoseconds offset) {
  Nanoseconds sum = 0;
  if (!known(by)) return kAbsent;
  return __builtin_add_overflow(by, offset, &sum) ? kAbsent : sum;
}

// The larger, the worse; below 0: the pair has no such difference.
double badness(const PairDifference& of, WorstBy by) {
  const auto size = [](Nanoseconds time) { return known(time) ? std::abs(static_cast<double>(time)) : -1; };
  switch (by) {
    case WorstBy::length: return size(of.length);
    case WorstBy::start: return size(of.by.start);
    case WorstBy::end: return size(of.by.end);
    case WorstBy::waiting: return size(of.by.waiting);
    case WorstBy::ratio:
      if (!of.ratio) return -1;
      return *of.ratio > 0 ? std::abs(std::log(*of.ratio)) : std::numeric_limits<double>::infinity();
    case WorstBy::program: return 0;
  }
  return 0;
}

}  // namespace

PairedRuns pair_runs(const trace::Run& first, const trace::Run& second) {
  PairedRuns out;
  out.of_first.assign(trace::span_count(first.trace), kAlone);
  out.of_second.assign(trace::span_count(second.trace), kAlone);
  // A trace of another tool has no program.
  out.same_program = !first.program.empty() && first.program == second.program;
  if (out.same_program) {
    pair_by_operation(out, first.trace, second.trace);
  } else {
    Words words;
    std::vector<Mark> here = marks_of(first.trace, words), there = marks_of(second.trace, words);
    pair_in_order(out, std::move(here), std::move(there));
  }
  out.alone_in_first = out.of_first.size() - out.pairs;
  out.alone_in_second = out.of_second.size() - out.pairs;
  const Beginnings a = beginnings(first.trace), b = beginnings(second.trace);
  out.first_call = between(b.call, a.call);
  out.first_work = between(b.work, a.work);
  return out;
}

Nanoseconds length(const trace::Span& span) {
  return has_execution(span) ? elapsed(span.start, span.end) : elapsed(span.host_begin, span.host_end);
}

PairDifference difference(const trace::Trace& first, const trace::Span& a, const trace::Trace& second,
                          const trace::Span& b, Nanoseconds offset) {
  PairDifference out;
  out.by = difference(b, a);
  out.by.start = with_offset(out.by.start, offset);
  out.by.end = with_offset(out.by.end, offset);
  if (has_execution(a) != has_execution(b)) return out;  // an execution is not compared with a call
  const Nanoseconds before = length(a);
  Nanoseconds after = length(b);
  out.per_byte = a.bytes != b.bytes && a.bytes != 0 && b.bytes != 0;
  const double same_size = out.per_byte ? static_cast<double>(a.bytes) / static_cast<double>(b.bytes) : 1;
  const auto for_as_many = [&](Nanoseconds time) { return std::llround(static_cast<double>(time) * same_size); };
  if (out.per_byte && known(after)) after = for_as_many(after);
  out.length = elapsed(before, after);
  if (known(out.length) && before > 0 && after >= 0)
    out.ratio = static_cast<double>(after) / static_cast<double>(before);
  if (has_execution(a))
    out.noise = std::max<Nanoseconds>(0, execution_noise(first, a)) +
                for_as_many(std::max<Nanoseconds>(0, execution_noise(second, b)));
  return out;
}

std::vector<std::uint32_t> worst_first(const trace::Trace& first, const trace::Trace& second, const PairedRuns& paired,
                                       WorstBy by, Nanoseconds offset) {
  std::vector<std::uint32_t> out;
  out.reserve(paired.pairs);
  std::vector<double> bad;
  if (by != WorstBy::program) bad.resize(paired.of_first.size());
  for (std::uint32_t i = 0; i < paired.of_first.size(); ++i) {
    if (paired.of_first[i] == kAlone) continue;
    out.push_back(i);
    if (by == WorstBy::program) continue;
    bad[i] = badness(
        difference(first, trace::span_at(first, i), second, trace::span_at(second, paired.of_first[i]), offset), by);
  }
  if (by != WorstBy::program)
    std::stable_sort(out.begin(), out.end(), [&](std::uint32_t x, std::uint32_t y) { return bad[x] > bad[y]; });
  return out;
}

std::optional<double> TotalChange::ratio() const {
  if (first.unit == FigureUnit::share || *first.value <= 0) return std::nullopt;
  return *second.value / *first.value;
}

std::vector<TotalChange> total_changes(const RunFigures& first, const RunFigures& second) {
  std::vector<TotalChange> out;
  const auto add = [&](const Figure& a, const Figure& b) {
    if (a.value && b.value && a.weight != FigureWeight::file) out.push_back({a, b});
  };
  const auto time = [](std::string_view name, Nanoseconds value, Nanoseconds noise) {
    return Figure{.name = name,
                  .value = known(value) ? std::optional(static_cast<double>(value)) : std::nullopt,
                  .noise = static_cast<double>(noise)};
  };
  const auto makespan = [&](const RunFigures& of) {
    return time(tr("Makespan"), of.analysis.makespan, of.noise.makespan);
  };
  const auto wall = [&](const RunFigures& of) {
    const std::optional<trace::Statistic>& found = of.run.wall;
    return time(tr("Wall"), found ? found->median : kAbsent, found && known(found->spread) ? found->spread : 0);
  };
  add(makespan(first), makespan(second));
  add(wall(first), wall(second));
  const std::vector<Figure> before = figures(first.analysis, first.noise);
  const std::vector<Figure> after = figures(second.analysis, second.noise);
  for (std::size_t i = 0; i < before.size(); ++i) add(before[i], after[i]);
  constexpr std::string_view kNames[] = {tr_later("H2D engine busy"), tr_later("D2H engine busy"),
                                         tr_later("Compute busy")};
  const std::size_t engines =
      std::min({first.analysis.engines.size(), second.analysis.engines.size(), std::size(kNames)});
  for (std::size_t i = 0; i < engines; ++i) {
    const EngineUse &a = first.analysis.engines[i], &b = second.analysis.engines[i];
    if (a.operations != 0 || b.operations != 0) add(time(tr(kNames[i]), a.busy, 0), time(tr(kNames[i]), b.busy, 0));
  }
  return out;
}

}  // namespace streamscope::analysis
