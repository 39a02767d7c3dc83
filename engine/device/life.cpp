#include "engine/device/life.h"

#include <algorithm>
#include <array>
#include <functional>
#include <limits>
#include <numeric>
#include <queue>
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

// Of what is done in a stream: malloc and free are the stream-ordered ones.
bool takes_no_time(OperationKind kind) {
  return kind == OperationKind::record || kind == OperationKind::wait || kind == OperationKind::launch ||
         kind == OperationKind::malloc || kind == OperationKind::free;
}

// Done by the host thread itself. A blocking copy is not: its copy has a life on the device too.
bool is_host_work(const Operation& operation) { return !ordered_in(operation).has_value(); }

bool host_waits(const Operation& operation) {
  const OperationKind is = kind(operation.work);
  return is == OperationKind::sync || is == OperationKind::poll || is == OperationKind::join ||
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
                 std::span<Span> spans, const Circumstances& circumstances, std::span<const OperationIndex> issued)
      : program_(program),
        dependencies_(dependencies),
        observed_(observed),
        spans_(spans),
        dispatch_(circumstances.dispatch),
        opened_(circumstances.opened),
        order_(issued.begin(), issued.end()) {
    if (!order_.empty()) return;
    order_.resize(spans.size());
    std::iota(order_.begin(), order_.end(), OperationIndex{0});
  }

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
  static std::array<Nanoseconds, kEngines> never_used() {
    std::array<Nanoseconds, kEngines> free;
    free.fill(std::numeric_limits<Nanoseconds>::min() / 2);
    return free;
  }
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
      if (span.kind == OperationKind::launch) span.end = kAbsent;  // what was seen is when its last node ended
      if (host_work(i)) {
        span.ready = span.start = seen.host_begin;
        span.end = seen.host_end;
        span.ready_source = span.start_source = span.source = Source::host;
        span.start_uncertainty = span.uncertainty = 0;
      }
    }
  }

  // From the operation issued last to the first: what comes after is settled before what it limits.
  void set_late_events_right() {
    std::vector<Nanoseconds>& limit = limit_;
    limit.resize(count(), kNever);
    awaited_by_.resize(count(), kNoOperation);
    for (auto at = order_.rbegin(); at != order_.rend(); ++at) {
      const std::size_t i = *at;
      Span& span = spans_[i];
      if (host_work(i)) continue;
      if (unseen(i) && whole_end(i) < limit[i]) {
        limit[i] = whole_end(i);
        awaited_by_[i] = kNoOperation;
      }
      if (span.source == Source::event && known(span.end) && span.end > limit[i]) {
        const Nanoseconds allowed = std::min<Nanoseconds>(kEventLag + 2 * Nanoseconds{span.uncertainty}, kSettled / 2);
        if (span.end - limit[i] <= allowed) span.end = limit[i];
      }
      Nanoseconds bound = limit[i];
      const bool stamped = span.kind == OperationKind::kernel && span.source == Source::stamp && known(span.start);
      if (stamped) {
        bound = span.start;
      } else if (!takes_no_time(span.kind) && known(span.end)) {
        bound = std::min(bound, span.end);
      } else if (unseen(i)) {
        bound -= moving_time(i, false).shortest;
      }
      for (const Dependency& dependency : dependencies_.of(static_cast<OperationIndex>(i))) {
        if (bound >= limit[dependency.on]) continue;
        limit[dependency.on] = bound;
        awaited_by_[dependency.on] = stamped ? static_cast<OperationIndex>(i) : kNoOperation;
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
    if (operation(i).launch != kNoOperation) return span.host_begin;  // comes after its launch
    if (may_hold_host(program_, operation(i))) return span.host_begin;
    if (known(span.end) && known(span.host_end) && span.host_end > span.end) return span.host_begin;
    return span.host_end;
  }

  // A node of a graph whose end nothing tells; once all of its launch has ended something can be said of it.
  bool unseen(std::size_t i) const {
    return operation(i).launch != kNoOperation && !takes_no_time(spans_[i].kind) && !known(observed_[i].end) &&
           known(whole_end(i));
  }
  Nanoseconds whole_end(std::size_t node) const { return observed_[operation(node).launch].end; }

  // Whether a kernel began at this node's limit that, as far as is known, waited for nothing that ended later.
  bool is_awaited(std::size_t i) const {
    if (awaited_by_[i] == kNoOperation) return false;
    const auto before = dependencies_.of(awaited_by_[i]);
    return std::none_of(before.begin(), before.end(), [&](const Dependency& dependency) {
      const Nanoseconds end = observed_[dependency.on].end;
      return dependency.on != i && spans_[dependency.on].kind != OperationKind::launch && known(end) &&
             end > limit_[i] - 2 * dispatch_.after_dependency;
    });
  }

  void infer_end(std::size_t i) {
    Span& span = spans_[i];
    const Moving moving = moving_time(i, true);
    // What was seen is stronger here too.
    span.ready = std::max(span.host_begin, std::min(span.ready, limit_[i] - moving.shortest));
    const Nanoseconds low = span.ready + moving.shortest, high = std::max(low, limit_[i]);
    Nanoseconds& free = engine_free_[static_cast<std::size_t>(span.engine)];
    Nanoseconds start = span.ready + dispatch_.after_dependency;
    bool both = false;
    if (span.engine == Engine::h2d || span.engine == Engine::d2h) {
      start = std::max(start, free + dispatch_.after_copy);
      both = engine_free_[static_cast<std::size_t>(span.engine == Engine::h2d ? Engine::d2h : Engine::h2d)] > start;
    }
    Nanoseconds end = high;
    if (moving.longest != kNever) end = start + moving_time(i, both).usual;
    if (is_awaited(i)) end = high - dispatch_.after_dependency;
    span.end = std::clamp(end, low, high);
    free = std::max(free, span.end);
    span.source = Source::inferred;
    const Nanoseconds doubt = std::max(span.end - low, high - span.end) +
                              std::max(observed_[operation(i).launch].uncertainty, span.ready_uncertainty);
    span.uncertainty = static_cast<std::uint32_t>(std::min<Nanoseconds>(doubt, 0xFFFFFFFF));
  }

  // The last node of a launch to end ends with it: certainly so where no other could be the last.
  void end_launch(OperationIndex launch, std::size_t nodes) {
    const Observed& whole = observed_[launch];
    OperationIndex latest = launch + 1;
    std::size_t could_be_last = 0;
    for (OperationIndex i = launch + 1; i <= launch + nodes; ++i) {
      if (!known(spans_[i].end)) return;
      if (spans_[i].end > spans_[latest].end) latest = i;
      could_be_last += unseen(i) && limit_[i] >= whole.end ? 1 : 0;
    }
    Span& span = spans_[latest];
    if (!unseen(latest) || whole.end > limit_[latest] || whole.end < span.end) return;
    const Nanoseconds moved = whole.end - span.end;
    span.end = whole.end;
    if (could_be_last == 1) {
      span.source = whole.source;
      span.uncertainty = whole.uncertainty;
    } else {
      span.uncertainty = static_cast<std::uint32_t>(std::min<Nanoseconds>(span.uncertainty + moved, 0xFFFFFFFF));
    }
  }

  // By node: those that come right after it.
  const std::vector<std::vector<std::uint32_t>>& followers(GraphId graph) {
    followers_.resize(program_.graphs.size());
    auto& of = followers_[graph.value];
    const auto& nodes = program_.graphs[graph.value].nodes;
    if (!of.empty()) return of;
    of.resize(nodes.size());
    for (std::uint32_t n = 0; n < nodes.size(); ++n) {
      for (const std::uint32_t before : nodes[n].after) of[before].push_back(n);
    }
    return of;
  }

  // The nodes of a launch in the order in which they were ready: copies of one direction take turns in that order.
  void go_through(OperationIndex launch) {
    const GraphId graph = std::get<op::Launch>(operation(launch).work).graph;
    const auto& nodes = program_.graphs[graph.value].nodes;
    const auto& after = followers(graph);
    std::vector<std::size_t> waits_for(nodes.size());
    using Ready = std::pair<Nanoseconds, std::uint32_t>;
    std::priority_queue<Ready, std::vector<Ready>, std::greater<>> ready;
    const auto offer = [&](std::uint32_t node) {
      make_ready(launch + 1 + node);
      ready.emplace(spans_[launch + 1 + node].ready, node);
    };
    for (std::uint32_t n = 0; n < nodes.size(); ++n) {
      waits_for[n] = nodes[n].after.size();
      if (waits_for[n] == 0) offer(n);
    }
    while (!ready.empty()) {
      const std::uint32_t node = ready.top().second;
      ready.pop();
      const OperationIndex i = launch + 1 + node;
      if (unseen(i) && known(spans_[i].ready)) infer_end(i);
      for (const std::uint32_t next : after[node]) {
        if (--waits_for[next] == 0) offer(next);
      }
    }
    if (known(observed_[launch].end)) end_launch(launch, nodes.size());
  }

  void find_ready() {
    for (const OperationIndex i : order_) {
      if (host_work(i) || operation(i).launch != kNoOperation) continue;
      make_ready(i);
      if (spans_[i].kind == OperationKind::launch) go_through(i);
    }
  }

  void make_ready(std::size_t i) {
    Span& span = spans_[i];
    const Nanoseconds issue = issued(i);
    if (!known(issue)) return;
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
    if (!all_known && !known(span.end) && !unseen(i)) {
      span.ready = kAbsent;
      span.ready_source = Source::none;
      span.ready_uncertainty = 0;
      return;
    }
    // What was seen is stronger than what follows: an estimate of ready gives way.
    for (const auto& [time, uncertainty] :
         {std::pair{span.start, span.start_uncertainty}, {span.end, span.uncertainty}}) {
      if (!known(time) || time >= span.ready) continue;
      span.ready = time;
      span.ready_source = Source::inferred;
      span.ready_uncertainty = std::max(span.ready_uncertainty, uncertainty);
    }
    if (span.kind == OperationKind::launch && limit_[i] < span.ready) {
      // Its nodes began before the call came back.
      span.ready = std::max(span.host_begin, limit_[i]);
    }
    if (takes_no_time(span.kind)) {
      span.start = span.end = span.ready;
      span.start_source = span.source = Source::inferred;
      span.start_uncertainty = span.uncertainty = span.ready_uncertainty;
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
    Nanoseconds usual = 0;
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
            time.setup + kSetupDoubt + static_cast<Nanoseconds>(bytes * (both ? time.both : time.alone) * doubt),
            time.setup + static_cast<Nanoseconds>(bytes * (both ? time.both : time.alone))};
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
    Nanoseconds doubt =
        moving.longest == kNever ? std::min(usually, high - low) : std::max(span.start - low, high - span.start);
    // Of a copy whose end is only bounded the end of the one before it need not be right either.
    if (span.launch != kNoOperation && span.source == Source::inferred) {
      doubt = std::max({doubt, span.start - span.ready, span.end - moving.shortest - span.start});
    }
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
    for (const OperationIndex i : order_) {
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
  std::vector<OperationIndex> order_;       // of issue
  std::vector<Nanoseconds> limit_;          // by operation: something that comes after it had begun by then
  std::vector<OperationIndex> awaited_by_;  // and what, where it was a kernel by its stamp
  std::array<Nanoseconds, kEngines> engine_free_ = never_used();
  std::vector<std::vector<std::vector<std::uint32_t>>> followers_;  // by graph, by node
  std::vector<OperationIndex> before_on_engine_;
};

}  // namespace

void reconstruct(const Program& program, const Dependencies& dependencies, std::span<const Observed> observed,
                 std::span<Span> spans, const Circumstances& circumstances, std::span<const OperationIndex> issued) {
  Reconstruction(program, dependencies, observed, spans, circumstances, issued).run();
}

std::vector<bool> settled(const Program& program, const Dependencies& dependencies, std::span<const Span> spans,
                          std::size_t issued, Nanoseconds now) {
  Nanoseconds horizon = now - kSettled;
  // What a call that has not returned yet asks for may have been under way since it began.
  if (issued > 0 && issued < spans.size() && !is_host_work(program.operations[issued])) {
    horizon = std::min(horizon, spans[issued - 1].host_end);
  }
  // A kernel that began and has no end may run or not: what began later may have waited for it. Of a launch that has
  // not ended it is not even known which of its nodes began.
  for (const Span& span : spans) {
    if (span.launch != kNoOperation && span.launch < issued && !known(span.end)) {
      horizon = std::min(horizon, spans[span.launch].host_begin);
    }
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
