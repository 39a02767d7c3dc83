#include "engine/device/life.h"

#include <algorithm>
#include <limits>
#include <tuple>
#include <utility>

namespace streamscope {
namespace {

constexpr Nanoseconds kNever = std::numeric_limits<Nanoseconds>::max();
// From a launch to the first block on an idle device; a longer wait has another cause.
constexpr Nanoseconds kLaunchLatency = 10'000;
// Rates of copies are good to such a factor: over the bus, and within the device, where kernels want memory too. A
// copy's setup is good to kSetupDoubt. (Against CUPTI's records on an H200, 2026.)
constexpr double kRateDoubt = 1.03, kMemoryDoubt = 1.5;
constexpr Nanoseconds kSetupDoubt = 1'000;

bool takes_no_time(OperationKind kind) { return kind == OperationKind::record || kind == OperationKind::wait; }

// Done by the host thread itself. A blocking copy is not: its copy has a life on the device too.
bool is_host_work(const Operation& operation) { return !ordered_in(operation).has_value(); }

bool host_waits(const Operation& operation) {
  const OperationKind is = kind(operation.work);
  return is == OperationKind::sync || is == OperationKind::poll ||
         std::holds_alternative<op::BlockingCopy>(operation.work);
}

// A call that may hold the host while the copy goes on: the copy can start before it returns.
bool may_hold_host(const Program& program, const Operation& operation) {
  if (std::holds_alternative<op::BlockingCopy>(operation.work)) return true;
  const auto* copy = std::get_if<op::Copy>(&operation.work);
  return copy != nullptr && program.buffers[copy->range.buffer.value].host == HostMemory::pageable;
}

WaitReason reason_of(DependencyKind kind) {
  switch (kind) {
    case DependencyKind::stream: return WaitReason::stream;
    case DependencyKind::legacy: return WaitReason::legacy;
    case DependencyKind::event: return WaitReason::event;
    case DependencyKind::host: return WaitReason::host;
    case DependencyKind::graph: return WaitReason::graph;
  }
  return WaitReason::unknown;
}

struct Cause {
  Nanoseconds time = kAbsent;
  WaitReason reason = WaitReason::none;
  OperationIndex operation = kNoOperation;
};

class Reconstruction {
 public:
  Reconstruction(const Program& program, const Dependencies& dependencies, std::span<const Observed> observed,
                 std::span<Span> spans, const Circumstances& circumstances)
      : program_(program),
        dependencies_(dependencies),
        observed_(observed),
        spans_(spans),
        dispatch_(circumstances.dispatch),
        opened_(circumstances.opened) {}

  void run() {
    take_over();
    set_late_events_right();
    find_ready();
    before_on_engine_.resize(count(), kNoOperation);
    const Queue in = queue_on_engine(Engine::h2d), out = queue_on_engine(Engine::d2h);
    start_copies(in, out);
    start_copies(out, in);
    start_the_rest();
    queue_kernels();
    find_reasons();
  }

 private:
  std::size_t count() const { return spans_.size(); }
  const Operation& operation(std::size_t i) const { return program_.operations[i]; }
  bool host_work(std::size_t i) const { return is_host_work(operation(i)); }

  void take_over() {
    for (std::size_t i = 0; i < count(); ++i) {
      Span& span = spans_[i];
      const Observed& seen = observed_[i];
      span.host_begin = seen.host_begin;
      span.host_end = seen.host_end;
      span.source = seen.source;
      span.uncertainty = seen.uncertainty;
      span.start_source = known(seen.start) ? seen.source : Source::none;
      span.start_uncertainty = known(seen.start) ? seen.uncertainty : 0;
      span.ready_source = Source::none;
      span.ready_uncertainty = 0;
      span.samples = seen.samples;
      span.spread = seen.spread;
      span.polls = seen.polls;
      span.reason = WaitReason::none;
      span.waits_for = kNoOperation;
      span.ready = kAbsent;
      span.start = seen.start;
      span.end = seen.end;
      if (host_work(i)) {
        span.ready = span.start = seen.host_begin;
        span.end = seen.host_end;
        span.ready_source = span.start_source = span.source = Source::host;
        span.start_uncertainty = span.uncertainty = 0;
      }
    }
  }

  // From the last operation to the first: what comes after is settled before what it limits.
  void set_late_events_right() {
    std::vector<Nanoseconds> limit(count(), kNever);
    for (std::size_t i = count(); i-- > 0;) {
      Span& span = spans_[i];
      if (host_work(i)) continue;
      if (span.source == Source::event && known(span.end) && span.end > limit[i]) {
        const Nanoseconds allowed = std::min<Nanoseconds>(kEventLag + 2 * Nanoseconds{span.uncertainty}, kSettled / 2);
        if (span.end - limit[i] <= allowed) span.end = limit[i];
      }
      Nanoseconds bound = limit[i];
      if (span.kind == OperationKind::kernel && span.source == Source::stamp && known(span.start)) {
        bound = span.start;
      } else if (!takes_no_time(span.kind) && known(span.end)) {
        bound = std::min(bound, span.end);
      }
      for (const Dependency& dependency : dependencies_.of(static_cast<OperationIndex>(i))) {
        limit[dependency.on] = std::min(limit[dependency.on], bound);
      }
    }
  }

  // What an event could not tell exactly cannot have ended before what it depends on did.
  void set_early_event_right(std::size_t i) {
    Span& span = spans_[i];
    if (span.source != Source::event || !known(span.end)) return;
    const Nanoseconds latest = span.end + span.uncertainty;
    for (const Dependency& dependency : dependencies_.of(static_cast<OperationIndex>(i))) {
      const Nanoseconds before = spans_[dependency.on].end;
      if (known(before) && before > span.end && before <= latest) span.end = before;
    }
  }

  // When the device could know of it. The call hands its work over just before it returns, unless it holds the host.
  Nanoseconds issued(std::size_t i) const {
    const Span& span = spans_[i];
    if (may_hold_host(program_, operation(i))) return span.host_begin;
    if (known(span.end) && known(span.host_end) && span.host_end > span.end) return span.host_begin;
    return span.host_end;
  }

  void find_ready() {
    for (std::size_t i = 0; i < count(); ++i) {
      Span& span = spans_[i];
      if (host_work(i)) continue;
      const Nanoseconds issue = issued(i);
      if (!known(issue)) continue;
      span.ready = issue;
      span.ready_source = Source::host;
      if (held_by_gate(i)) span.ready = opened_;
      bool all_known = true;
      set_early_event_right(i);
      for (const Dependency& dependency : dependencies_.of(static_cast<OperationIndex>(i))) {
        const Span& on = spans_[dependency.on];
        if (!known(on.end)) all_known = false;
        if (!known(on.end) || on.end <= span.ready) continue;
        span.ready = on.end;
        span.ready_source = on.source;
        span.ready_uncertainty = on.uncertainty;
      }
      if (!all_known && !known(span.end)) {
        span.ready = kAbsent;
        span.ready_source = Source::none;
        span.ready_uncertainty = 0;
        continue;
      }
      // What was seen is stronger than what follows: an estimate of ready gives way.
      for (const auto& [time, uncertainty] :
           {std::pair{span.start, span.start_uncertainty}, {span.end, span.uncertainty}}) {
        if (!known(time) || time >= span.ready) continue;
        span.ready = time;
        span.ready_source = Source::inferred;
        span.ready_uncertainty = std::max(span.ready_uncertainty, uncertainty);
      }
      if (takes_no_time(span.kind)) {
        span.start = span.end = span.ready;
        span.start_source = span.source = Source::inferred;
        span.start_uncertainty = span.uncertainty = span.ready_uncertainty;
      }
    }
  }

  bool held_by_gate(std::size_t i) const { return known(opened_) && issued(i) < opened_; }

  // The copies of one direction.
  struct Queue {
    std::vector<OperationIndex> ended;  // in that order
    Nanoseconds pending = kNever;       // when the first of those that have not ended was ready
  };
  Queue queue_on_engine(Engine engine) {
    Queue result;
    std::vector<OperationIndex>& queue = result.ended;
    for (std::size_t i = 0; i < count(); ++i) {
      const Span& span = spans_[i];
      if (span.engine != engine || !known(span.ready)) continue;
      if (known(span.end)) {
        queue.push_back(static_cast<OperationIndex>(i));
      } else {
        result.pending = std::min(result.pending, span.ready);
      }
    }
    std::sort(queue.begin(), queue.end(), [&](OperationIndex a, OperationIndex b) {
      return std::tie(spans_[a].end, a) < std::tie(spans_[b].end, b);
    });
    for (std::size_t at = 1; at < queue.size(); ++at) before_on_engine_[queue[at]] = queue[at - 1];
    return result;
  }

  // A copy cannot start before this.
  Nanoseconds earliest_start(OperationIndex i) const {
    const OperationIndex before = before_on_engine_[i];
    return before == kNoOperation ? spans_[i].ready : std::max(spans_[i].ready, spans_[before].end);
  }

  void start_copies(const Queue& own, const Queue& opposite) {
    const std::vector<OperationIndex>& others = opposite.ended;
    std::size_t at = 0;
    for (const OperationIndex i : own.ended) {
      Span& span = spans_[i];
      if (known(span.start)) continue;
      const Nanoseconds earliest = earliest_start(i);
      while (at < others.size() && spans_[others[at]].end <= earliest) ++at;
      // Of those that have not ended yet the first to be ready is under way.
      const bool both = at < others.size() ? earliest_start(others[at]) < span.end : opposite.pending < span.end;
      // Behind a copy on its engine that ended last it was queued there; else something let it go.
      const bool queued = before_on_engine_[i] != kNoOperation && earliest > span.ready;
      set_start(span, earliest, queued || !was_let_go(i) ? dispatch_.after_copy : dispatch_.after_dependency,
                moving_time(i, both));
    }
  }

  // Whether another operation's end made it ready, and not its own issue or the gate.
  bool was_let_go(std::size_t i) const {
    return spans_[i].ready > std::max(issued(i), held_by_gate(i) ? opened_ : kAbsent);
  }

  struct Moving {
    Nanoseconds shortest = 0;
    Nanoseconds longest = kNever;  // not known
  };
  // How long the bytes of a copy or a memset are on their way. Not of pageable memory: the host has a hand in it.
  Moving moving_time(std::size_t i, bool both) const {
    CopyTime time;
    double doubt = kRateDoubt;
    if (const auto* copy = std::get_if<op::Copy>(&operation(i).work)) {
      if (program_.buffers[copy->range.buffer.value].host == HostMemory::pageable) return {};
      time = copy->direction == Direction::h2d ? dispatch_.h2d : dispatch_.d2h;
    } else if (spans_[i].kind == OperationKind::d2d || spans_[i].kind == OperationKind::memset) {
      time = dispatch_.on_device;
      doubt = kMemoryDoubt;
    }
    if (!time.known()) return {};
    const auto bytes = static_cast<double>(spans_[i].bytes);
    return {time.setup + static_cast<Nanoseconds>(bytes * time.alone / doubt),
            time.setup + kSetupDoubt + static_cast<Nanoseconds>(bytes * (both ? time.both : time.alone) * doubt)};
  }

  // `usually`: how long after `earliest` it starts where its bytes do not say.
  static void set_start(Span& span, Nanoseconds earliest, Nanoseconds usually, const Moving& moving) {
    // Small copies can pass a large one on their engine: a copy with no time left for its bytes behind the one before
    // it was under way beside it.
    if (span.end - earliest + Nanoseconds{span.uncertainty} < moving.shortest) earliest = span.ready;
    const Nanoseconds high = std::max(earliest, span.end - moving.shortest);
    const Nanoseconds low = moving.longest == kNever ? earliest : std::clamp(span.end - moving.longest, earliest, high);
    span.start = std::clamp(earliest + usually, low, high);
    span.start_source = Source::inferred;
    // Where its bytes do not bound it, what is usual is taken to be right to within itself.
    const Nanoseconds doubt =
        moving.longest == kNever ? std::min(usually, high - low) : std::max(span.start - low, high - span.start);
    span.start_uncertainty = static_cast<std::uint32_t>(
        std::min<Nanoseconds>(doubt + std::max(span.uncertainty, span.ready_uncertainty), 0xFFFFFFFF));
  }

  void start_the_rest() {
    for (std::size_t i = 0; i < count(); ++i) {
      Span& span = spans_[i];
      if (known(span.start) || !known(span.end) || !known(span.ready)) continue;
      set_start(span, span.ready, was_let_go(i) ? dispatch_.after_dependency : dispatch_.after_copy,
                moving_time(i, false));
    }
  }

  void queue_kernels() {
    std::vector<OperationIndex> queue;
    for (std::size_t i = 0; i < count(); ++i) {
      if (spans_[i].kind == OperationKind::kernel && known(spans_[i].start))
        queue.push_back(static_cast<OperationIndex>(i));
    }
    std::sort(queue.begin(), queue.end(), [&](OperationIndex a, OperationIndex b) {
      return std::tie(spans_[a].start, a) < std::tie(spans_[b].start, b);
    });
    for (std::size_t at = 1; at < queue.size(); ++at) before_on_engine_[queue[at]] = queue[at - 1];
  }

  // What the operation behind a dependency itself waited for, where it takes no time of its own.
  Cause seen_through(const Dependency& dependency) const {
    const Span& on = spans_[dependency.on];
    Cause cause{on.end, reason_of(dependency.kind), dependency.on};
    if (takes_no_time(on.kind) && on.waits_for != kNoOperation) {
      if (on.kind == OperationKind::wait && dependency.kind == DependencyKind::stream) cause.reason = on.reason;
      cause.operation = on.waits_for;
    }
    return cause;
  }

  void find_reasons() {
    // By host thread: the last host wait, as long as nothing was issued to a stream since.
    std::vector<OperationIndex> waited;
    for (std::size_t i = 0; i < count(); ++i) {
      Span& span = spans_[i];
      if (span.thread >= waited.size()) waited.resize(span.thread + 1, kNoOperation);
      OperationIndex& host_wait = waited[span.thread];

      Cause last{host_work(i) ? span.host_begin : issued(i)};
      if (!host_work(i) && held_by_gate(i)) last = Cause{opened_, WaitReason::gate};
      for (const Dependency& dependency : dependencies_.of(static_cast<OperationIndex>(i))) {
        const Cause cause = seen_through(dependency);
        if (cause.time > last.time) last = cause;
      }
      if (const Cause cause = engine_cause(i, last); cause.time > last.time) last = cause;
      if (last.reason == WaitReason::none && !host_work(i) && host_wait != kNoOperation) {
        last = Cause{last.time, WaitReason::host, host_wait};
      }
      span.reason = last.reason;
      span.waits_for = last.operation;

      if (host_waits(operation(i))) {
        host_wait = static_cast<OperationIndex>(i);
      } else if (!host_work(i)) {
        host_wait = kNoOperation;
      }
    }
  }

  // `dependency` is what made it ready.
  Cause engine_cause(std::size_t i, const Cause& dependency) const {
    const Span& span = spans_[i];
    if (!known(span.ready) || !known(span.start) || span.start <= span.ready) return {};
    // A kernel that starts late says nothing of why. Its launch takes time too, more where somebody looks on, so only a
    // wait that stands out beside the one before it is put down to the multiprocessors.
    const Nanoseconds before_ready = dependency.reason == WaitReason::none ? 0 : span.ready - issued(i);
    const bool long_after = span.start - span.ready > std::max(kLaunchLatency, before_ready / 4);
    const OperationIndex before = before_on_engine_[i];
    if (before != kNoOperation) {
      const Nanoseconds end = spans_[before].end;
      // A kernel gets multiprocessors when the one before it ends, or once it has handed out all of its blocks.
      const bool freed = known(end) && end > span.ready && end <= span.start;
      const bool running = !known(end) || end > span.start;
      if (span.kind != OperationKind::kernel ? freed : long_after && (freed || running)) {
        return {span.start, WaitReason::engine, before};
      }
    }
    if (span.kind == OperationKind::kernel && long_after) {
      return {span.start, WaitReason::unknown, kNoOperation};
    }
    return {};
  }

  const Program& program_;
  const Dependencies& dependencies_;
  std::span<const Observed> observed_;
  std::span<Span> spans_;
  const Dispatch dispatch_;
  const Nanoseconds opened_;
  std::vector<OperationIndex> before_on_engine_;
};

}  // namespace

void reconstruct(const Program& program, const Dependencies& dependencies, std::span<const Observed> observed,
                 std::span<Span> spans, const Circumstances& circumstances) {
  Reconstruction(program, dependencies, observed, spans, circumstances).run();
}

std::vector<bool> settled(const Program& program, const Dependencies& dependencies, std::span<const Span> spans,
                          std::size_t issued, Nanoseconds now) {
  Nanoseconds horizon = now - kSettled;
  // What a call that has not returned yet asks for may have been under way since it began.
  if (issued > 0 && issued < spans.size() && !is_host_work(program.operations[issued])) {
    horizon = std::min(horizon, spans[issued - 1].host_end);
  }
  // A kernel that began and has no end may run or not: what began later may have waited for it.
  for (const Span& span : spans) {
    if (span.kind == OperationKind::kernel && known(span.start) && !known(span.end)) {
      horizon = std::min(horizon, span.start);
    }
  }
  std::vector<bool> result(spans.size(), false);
  for (std::size_t i = 0; i < issued; ++i) {
    const auto before = dependencies.of(static_cast<OperationIndex>(i));
    result[i] = known(spans[i].end) && spans[i].end < horizon &&
                std::all_of(before.begin(), before.end(),
                            [&](const Dependency& dependency) { return known(spans[dependency.on].end); });
  }
  return result;
}

}  // namespace streamscope
