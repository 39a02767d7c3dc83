#include "engine/device/life.h"

#include <algorithm>
#include <limits>
#include <tuple>

namespace streamscope {
namespace {

constexpr Nanoseconds kNever = std::numeric_limits<Nanoseconds>::max();
// From a launch to the first block on an idle device; a longer wait has another cause.
constexpr Nanoseconds kLaunchLatency = 10'000;

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
                 std::span<Span> spans)
      : program_(program), dependencies_(dependencies), observed_(observed), spans_(spans) {}

  void run() {
    take_over();
    set_late_events_right();
    find_ready();
    queue_on_engine(Engine::h2d);
    queue_on_engine(Engine::d2h);
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
      span.polls = seen.polls;
      span.reason = WaitReason::none;
      span.waits_for = kNoOperation;
      span.ready = kAbsent;
      span.start = seen.start;
      span.end = seen.end;
      if (host_work(i)) {
        span.ready = span.start = seen.host_begin;
        span.end = seen.host_end;
        span.source = Source::host;
        span.uncertainty = 0;
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
      Nanoseconds ready = issue;
      bool all_known = true;
      for (const Dependency& dependency : dependencies_.of(static_cast<OperationIndex>(i))) {
        const Nanoseconds end = spans_[dependency.on].end;
        if (!known(end)) all_known = false;
        ready = std::max(ready, end);
      }
      if (!all_known && !known(span.end)) continue;
      // What was seen is stronger than what follows: an estimate of ready gives way.
      if (known(span.start)) ready = std::min(ready, span.start);
      if (known(span.end)) ready = std::min(ready, span.end);
      span.ready = ready;
      if (takes_no_time(span.kind)) {
        span.start = span.end = ready;
        span.source = Source::inferred;
      }
    }
  }

  void queue_on_engine(Engine engine) {
    std::vector<OperationIndex> queue;
    for (std::size_t i = 0; i < count(); ++i) {
      if (spans_[i].engine == engine && known(spans_[i].end) && known(spans_[i].ready)) {
        queue.push_back(static_cast<OperationIndex>(i));
      }
    }
    std::sort(queue.begin(), queue.end(), [&](OperationIndex a, OperationIndex b) {
      return std::tie(spans_[a].end, a) < std::tie(spans_[b].end, b);
    });
    before_on_engine_.resize(count(), kNoOperation);
    OperationIndex before = kNoOperation;
    for (const OperationIndex i : queue) {
      Span& span = spans_[i];
      if (!known(span.start)) {
        span.start = span.ready;
        if (before != kNoOperation) span.start = std::max(span.start, spans_[before].end);
      }
      before_on_engine_[i] = before;
      before = i;
    }
  }

  void start_the_rest() {
    for (Span& span : spans_) {
      if (!known(span.start) && known(span.end)) span.start = span.ready;
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
  std::vector<OperationIndex> before_on_engine_;
};

}  // namespace

void reconstruct(const Program& program, const Dependencies& dependencies, std::span<const Observed> observed,
                 std::span<Span> spans) {
  Reconstruction(program, dependencies, observed, spans).run();
}

}  // namespace streamscope
