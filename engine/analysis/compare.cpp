#include "engine/analysis/compare.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdlib>
#include <utility>

#include "engine/analysis/analysis.h"
#include "engine/analysis/noise.h"
#include "engine/base/quantity.h"
#include "engine/base/translate.h"

namespace streamscope::analysis {
namespace {

// A host call differs by this much from one time to the next on any machine.
constexpr Nanoseconds kCallScatter = 1'000;
// A smaller difference in the share of time that was shared with others explains nothing.
constexpr double kSignificantShare = 0.1;

Nanoseconds minus(Nanoseconds a, Nanoseconds b) { return elapsed(b, a); }

const trace::Span* at(const trace::Trace& trace, OperationIndex operation) {
  if (operation >= trace.spans.size()) return nullptr;
  return &trace.spans[operation];
}

bool executed(const trace::Span& span) { return known(span.start) && known(span.end) && span.start <= span.end; }
bool called(const trace::Span& span) { return known(span.host_begin) && known(span.host_end); }
// The call returns when the work is done: a blocking copy.
bool blocks(const trace::Span& span) { return called(span) && executed(span) && span.host_end >= span.end; }
bool on_device(const trace::Span& span) { return span.stream != trace::Span::kNoStream; }

// The operation whose end let this one start; null where it was its own call that did.
const trace::Span* waited_for(const trace::Trace& trace, const trace::Span& span) {
  switch (span.reason) {
    case trace::WaitReason::stream:
    case trace::WaitReason::legacy:
    case trace::WaitReason::event:
    case trace::WaitReason::engine:
    case trace::WaitReason::graph:
    case trace::WaitReason::queue: return at(trace, span.waits_for);
    default: return nullptr;
  }
}

// When an operation that waits for no other could have started.
Nanoseconds issued(const trace::Span& span) { return blocks(span) ? span.host_begin : span.host_end; }

// What a span's start followed, in one of the traces.
struct Start {
  const trace::Span* before;  // null: its own call
  Nanoseconds since;          // the end of that, or the issue
  Nanoseconds gap;            // from there to the start
  Nanoseconds inherited;      // by how much `since` differs from the other trace
};
Start start_of(const trace::Trace& trace, const trace::Trace& other, const trace::Span& span, const trace::Span& same,
               bool measured) {
  Start out{waited_for(trace, span), kAbsent, kAbsent, 0};
  const trace::Span* there = nullptr;
  if (out.before != nullptr && known(out.before->end)) {
    out.since = out.before->end;
    there = at(other, out.before->operation);
  } else {
    out.before = nullptr;
    out.since = issued(span);
  }
  const Nanoseconds since_there = there != nullptr ? there->end : out.before == nullptr ? issued(same) : kAbsent;
  out.gap = minus(span.start, out.since);
  const Nanoseconds by = measured ? minus(out.since, since_there) : minus(since_there, out.since);
  if (known(by)) out.inherited = by;
  return out;
}

// The inherited part of a difference: never more than all of it, nor in the other direction.
Nanoseconds within(Nanoseconds part, Nanoseconds whole) {
  return whole >= 0 ? std::clamp<Nanoseconds>(part, 0, whole) : std::clamp<Nanoseconds>(part, whole, 0);
}

// Disjoint intervals, asked for how much of another they cover.
class Cover {
 public:
  explicit Cover(std::vector<trace::Interval> all) : all_(std::move(all)) {
    sums_.reserve(all_.size() + 1);
    sums_.push_back(0);
    for (const trace::Interval& each : all_) sums_.push_back(sums_.back() + (each.end - each.start));
  }
  double share(const trace::Span& span) const {
    return span.end > span.start
               ? static_cast<double>(before(span.end) - before(span.start)) / static_cast<double>(span.end - span.start)
               : 0;
  }

 private:
  Nanoseconds before(Nanoseconds time) const {
    const auto next =
        std::partition_point(all_.begin(), all_.end(), [&](const trace::Interval& i) { return i.end <= time; });
    const Nanoseconds sum = sums_[static_cast<std::size_t>(next - all_.begin())];
    return next == all_.end() || next->start >= time ? sum : sum + (time - next->start);
  }
  std::vector<trace::Interval> all_;
  std::vector<Nanoseconds> sums_;
};

// When two kernels or more run on that device.
std::vector<trace::Interval> concurrent_kernels(const std::vector<trace::Span>& spans, std::uint32_t device) {
  std::vector<std::pair<Nanoseconds, int>> edges;
  for (const trace::Span& span : spans) {
    if (trace::queue_of(span) != DeviceEngine{device, Engine::compute} || !executed(span)) continue;
    edges.emplace_back(span.start, 1);
    edges.emplace_back(span.end, -1);
  }
  std::sort(edges.begin(), edges.end());
  std::vector<trace::Interval> out;
  int running = 0;
  Nanoseconds since = 0;
  for (const auto& [time, step] : edges) {
    if (running == 1 && step == 1) since = time;
    if (running == 2 && step == -1 && time > since) out.push_back({since, time});
    running += step;
  }
  return out;
}

// What runs at the same time as the operations of each engine, on the same device.
class Concurrency {
 public:
  explicit Concurrency(const trace::Trace& trace) {
    const auto engines = static_cast<std::uint32_t>(trace::device_count(trace) * kEngines);
    for (std::uint32_t i = 0; i < engines; ++i) {
      const auto [device, engine] = device_engine(i);
      covers_.emplace_back(engine == Engine::h2d       ? busy(trace.spans, {device, Engine::d2h})
                           : engine == Engine::d2h     ? busy(trace.spans, {device, Engine::h2d})
                           : engine == Engine::compute ? concurrent_kernels(trace.spans, device)
                                                       : std::vector<trace::Interval>());
    }
  }
  double share(const trace::Span& span) const {
    const std::size_t at = number(trace::queue_of(span));
    return at < covers_.size() ? covers_[at].share(span) : 0;
  }

 private:
  std::vector<Cover> covers_;  // by number()
};

class Comparer {
 public:
  explicit Comparer(const trace::Run& run)
      : measured_(run.trace),
        predicted_(run.prediction->trace),
        device_seen_(known(trace::makespan(measured_.spans)) ||
                     std::none_of(measured_.spans.begin(), measured_.spans.end(), trace::device_work)),
        concurrency_measured_(measured_),
        concurrency_predicted_(predicted_) {}

  Comparison all() {
    for (std::size_t i = 0; i < measured_.spans.size(); ++i) {
      const trace::Span &measured = measured_.spans[i], &predicted = predicted_.spans[i];
      call(measured, predicted);
      if (!on_device(measured) || !executed(measured) || !executed(predicted)) continue;
      start(measured, predicted);
      execution(measured, predicted);
    }
    Comparison out;
    out.count = found_.size();
    for (const Found& each : found_) {
      Comparison::Sum& sum = each.deviation.what == Deviation::What::execution ? out.execution
                             : each.deviation.what == Deviation::What::waiting ? out.waiting
                                                                               : out.call;
      ++sum.count;
      if (__builtin_add_overflow(sum.by, each.deviation.by, &sum.by)) sum.by = kAbsent;  // a file may hold any number
    }
    const auto worse = [](const Found& x, const Found& y) {
      const Deviation &a = x.deviation, &b = y.deviation;
      const auto by_a = std::llabs(a.by), by_b = std::llabs(b.by);
      return by_a != by_b ? by_a > by_b : a.operation != b.operation ? a.operation < b.operation : a.what < b.what;
    };
    const std::size_t kept = std::min(kDeviationsKept, found_.size());
    std::partial_sort(found_.begin(), found_.begin() + static_cast<std::ptrdiff_t>(kept), found_.end(), worse);
    found_.resize(kept);
    for (Found& each : found_) {  // only of these: a million texts would take long
      each.deviation.cause = cause(measured_.spans[each.span], predicted_.spans[each.span], each.deviation.what);
      out.deviations.push_back(std::move(each.deviation));
    }
    return out;
  }

 private:
  void add(const trace::Span& measured, const trace::Span& predicted, Deviation::What what, Nanoseconds by,
           Nanoseconds uncertainty) {
    if (by == 0 || std::llabs(by) <= uncertainty) return;
    const Nanoseconds end =
        on_device(measured) ? minus(measured.end, predicted.end) : minus(measured.host_end, predicted.host_end);
    found_.push_back({{measured.operation, measured.line, what, by, end, uncertainty, {}},
                      static_cast<std::size_t>(&measured - measured_.spans.data())});
  }

  // When the call's own time begins: not before what the host waited for was done. Of a run that saw the host's calls
  // only, whole calls are compared.
  Nanoseconds own_since(const trace::Trace& trace, const trace::Span& span) const {
    if (!device_seen_) return span.host_begin;
    if (blocks(span)) return std::max(span.host_begin, span.end);
    if (on_device(span)) return span.host_begin;
    const trace::Span* awaited =
        span.kind == OperationKind::sync || span.kind == OperationKind::poll || span.kind == OperationKind::join
            ? at(trace, span.waits_for)
            : nullptr;
    if (awaited == nullptr) return span.host_begin;
    const Nanoseconds done = known(awaited->end) ? awaited->end : awaited->host_end;
    return known(done) ? std::clamp(done, span.host_begin, std::max(span.host_begin, span.host_end)) : span.host_begin;
  }

  Nanoseconds call_length(const trace::Trace& trace, const trace::Span& span) const {
    return span.host_end - own_since(trace, span);
  }

  void call(const trace::Span& measured, const trace::Span& predicted) {
    if (!called(measured) || !called(predicted)) return;
    const Nanoseconds by = call_length(measured_, measured) - call_length(predicted_, predicted);
    const bool exact = measured_.provenance.kind == trace::Provenance::Kind::model;
    const bool waits = own_since(measured_, measured) != measured.host_begin;
    const Nanoseconds tie = waits ? measured_.provenance.uncertainty : 0;
    add(measured, predicted, Deviation::What::call, by, exact ? 0 : kCallScatter + tie);
  }

  void start(const trace::Span& measured, const trace::Span& predicted) {
    const Nanoseconds whole = measured.start - predicted.start;
    const Start here = start_of(measured_, predicted_, measured, predicted, true);
    const Start there = start_of(predicted_, measured_, predicted, measured, false);
    const Nanoseconds first = within(here.inherited, whole), second = within(there.inherited, whole);
    const Nanoseconds own = whole - (std::llabs(first) >= std::llabs(second) ? first : second);
    Nanoseconds uncertainty = measured.start_uncertainty;
    if (here.before != nullptr) uncertainty = gap_noise(measured_, *here.before, measured);
    add(measured, predicted, Deviation::What::waiting, own, uncertainty);
  }

  void execution(const trace::Span& measured, const trace::Span& predicted) {
    const Nanoseconds by = (measured.end - measured.start) - (predicted.end - predicted.start);
    add(measured, predicted, Deviation::What::execution, by, execution_noise(measured_, measured));
  }

  std::string cause(const trace::Span& measured, const trace::Span& predicted, Deviation::What what) const {
    switch (what) {
      case Deviation::What::execution: return execution_cause(measured, predicted);
      case Deviation::What::waiting: return start_cause(measured, predicted);
      case Deviation::What::call: break;
    }
    return call_cause(measured, predicted);
  }

  std::string execution_cause(const trace::Span& measured, const trace::Span& predicted) const {
    const Nanoseconds here = measured.end - measured.start, there = predicted.end - predicted.start;
    const bool copy = measured.engine == Engine::h2d || measured.engine == Engine::d2h;
    std::string text = copy && here > 0 && there > 0
                           ? tr("ran at {}, {} predicted", display_bandwidth(measured.bytes, here),
                                display_bandwidth(measured.bytes, there))
                           : tr("took {}, {} predicted", display_duration(here), display_duration(there));
    const double shared = concurrency_measured_.share(measured), in_model = concurrency_predicted_.share(predicted);
    if (std::abs(shared - in_model) >= kSignificantShare) {
      text += tr("; {} for {:.0f} % of it, {:.0f} % predicted",
                 copy ? tr("the other direction was busy") : tr("other kernels ran beside it"), shared * 100,
                 in_model * 100);
    }
    return text;
  }

  std::string start_cause(const trace::Span& measured, const trace::Span& predicted) const {
    const Start here = start_of(measured_, predicted_, measured, predicted, true);
    const Start there = start_of(predicted_, measured_, predicted, measured, false);
    const bool alike = here.before == nullptr
                           ? there.before == nullptr
                           : there.before != nullptr && here.before->operation == there.before->operation;
    if (alike && known(here.gap) && known(there.gap)) {
      const std::string since = here.before == nullptr ? std::string(tr("its call"))
                                : here.before->line == 0
                                    ? tr("operation {} had ended", here.before->operation)
                                    : tr("operation {} (line {}) had ended", here.before->operation, here.before->line);
      return tr("started {} after {}, {} predicted", display_duration(here.gap), since, display_duration(there.gap));
    }
    const auto words = [](const trace::Trace& trace, const trace::Span& span) {
      const std::string why = explain_wait(trace, span);
      return why.empty() ? std::string(tr("it did not wait")) : why;
    };
    const bool false_dependency =
        measured.reason == trace::WaitReason::queue && predicted.reason != trace::WaitReason::queue;
    const bool other_way = here.before != nullptr && measured.reason == trace::WaitReason::engine &&
                           here.before->kind != measured.kind && there.before != here.before;
    return tr("{}{}; predicted: {}",
              false_dependency ? tr("a false dependency: ")
              : other_way      ? tr("the other direction held it: ")
                               : "",
              words(measured_, measured), words(predicted_, predicted));
  }

  std::string call_cause(const trace::Span& measured, const trace::Span& predicted) const {
    const Nanoseconds here = call_length(measured_, measured), there = call_length(predicted_, predicted);
    const std::string took = display_duration(here), was_to_take = display_duration(there);
    if (own_since(measured_, measured) != measured.host_begin) {
      return tr("the host went on {} after what it waited for, {} predicted", took, was_to_take);
    }
    const bool held = on_device(measured) && here > 4 * there && here - there > 10 * kCallScatter;
    return held ? tr("the host call was held: it took {}, {} predicted", took, was_to_take)
                : tr("the host call took {}, {} predicted", took, was_to_take);
  }

  const trace::Trace& measured_;
  const trace::Trace& predicted_;
  const bool device_seen_;
  const Concurrency concurrency_measured_, concurrency_predicted_;
  struct Found {
    Deviation deviation;
    std::size_t span;  // index into both traces
  };
  std::vector<Found> found_;
};

std::optional<double> error_of(Nanoseconds predicted, Nanoseconds measured) {
  if (!known(predicted) || !known(measured) || measured <= 0) return std::nullopt;
  return static_cast<double>(predicted) / static_cast<double>(measured) - 1;
}

}  // namespace

std::string_view name(Deviation::What what) {
  constexpr std::array<std::string_view, 3> kNames{"execution", "waiting", "call"};
  return kNames[static_cast<std::size_t>(what)];
}

Difference difference(const trace::Span& measured, const trace::Span& predicted) {
  return {minus(measured.start, predicted.start), minus(measured.end, predicted.end),
          minus(minus(measured.end, measured.start), minus(predicted.end, predicted.start)),
          minus(minus(measured.start, measured.ready), minus(predicted.start, predicted.ready))};
}

PredictionError prediction_error(const trace::Run& run) {
  PredictionError out;
  if (!run.prediction) return out;
  out.bare = run.bare_wall.has_value() || run.trace.provenance.instrument == "bare";
  if (run.bare_wall) {
    out.measured_wall = run.bare_wall->median;
  } else if (run.wall) {
    out.measured_wall = run.wall->median;
  }
  out.wall = error_of(run.prediction->wall, out.measured_wall);
  out.makespan =
      error_of(run.prediction->makespan, run.makespan ? run.makespan->median : trace::makespan(run.trace.spans));
  return out;
}

Comparison compare(const trace::Run& run) {
  if (!run.prediction || run.trace.spans.size() != run.prediction->trace.spans.size()) return {};
  return Comparer(run).all();
}

std::string sums_text(const Comparison& comparison) {
  std::string text;
  const auto part = [&](std::string_view what, const Comparison::Sum& sum) {
    if (sum.count == 0) return;
    text += tr("{}{} {}{} in {}", text.empty() ? "" : ", ", what, sum.by > 0 ? "+" : "", display_duration(sum.by),
               sum.count);
  };
  part(tr("execution"), comparison.execution);
  part(tr("waiting"), comparison.waiting);
  part(tr("host calls"), comparison.call);
  return text;
}

std::string prediction_text(const trace::Run& run) {
  if (!run.prediction) return {};
  const PredictionError error = prediction_error(run);
  std::string text =
      tr("predicted {} ({})", display_duration(run.prediction->wall), run.prediction->trace.provenance.profile);
  if (!error.wall) return text;
  const bool measured = run.trace.provenance.kind == trace::Provenance::Kind::measured;
  return text + fmt::format(", {} {}{}: {:+.1f} %", measured ? tr("measured") : tr("this model"),
                            display_duration(error.measured_wall), measured && error.bare ? tr(" bare") : "",
                            *error.wall * 100);
}

}  // namespace streamscope::analysis
