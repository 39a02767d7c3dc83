#include "engine/verdict/idle.h"

#include <algorithm>
#include <functional>
#include <limits>

#include "engine/base/int128.h"
#include "engine/base/translate.h"
#include "engine/trace/interval.h"

namespace streamscope::verdict {
namespace {

using trace::Span;

IdleCause cause_of(WaitCause cause) {
  switch (cause) {
    case WaitCause::stream: return IdleCause::stream;
    case WaitCause::event: return IdleCause::event;
    case WaitCause::legacy: return IdleCause::legacy;
    case WaitCause::graph: return IdleCause::graph;
    case WaitCause::pool: return IdleCause::pool;
    case WaitCause::gate: return IdleCause::gate;
    default: return IdleCause::unexplained;
  }
}

// Goes through the time of one engine. What begins and ends then is kept in a list for each sort of instant, since each
// of these is all but in order already: to sort them together would take several times as long.
class EngineSweep {
 public:
  EngineSweep(const History& history, trace::Interval range)
      : history_(history), range_(range), under_way_(history.calls().size(), 0) {}

  void reserve(std::size_t more) {
    issues_.reserve(issues_.size() + more);
    readies_.reserve(readies_.size() + more);
    starts_.reserve(starts_.size() + more);
    ends_.reserve(ends_.size() + more);
  }

  void add(OperationIndex i) {
    const Span& span = history_.span(i);
    const Nanoseconds issued = history_.issued(i), ready = history_.ready(i);
    const Release& release = history_.release(i);
    const bool held = ready > issued, waits = span.start > ready;
    const IdleCause by = known(release.at) && release.at > issued ? cause_of(release.cause) : IdleCause::hand_over;
    const std::uint8_t before = held ? static_cast<std::uint8_t>(by) : kNothing;
    const IdleCause then = span.reason == trace::WaitReason::queue ? IdleCause::queue : IdleCause::hand_over;
    const std::uint8_t after = waits ? static_cast<std::uint8_t>(then) : kNothing;
    issues_.push_back({issued, i, before});
    if (held || waits) readies_.push_back({ready, before, after});
    starts_.push_back({span.start, after});
    ends_.push_back(span.end);
  }

  EngineIdle sum(DeviceEngine engine) {
    sort(issues_);
    sort(readies_, &Ready::at);
    sort(starts_, &Start::at);
    sort(ends_);
    EngineIdle out{.engine = engine, .causes = {}};
    for (Nanoseconds at = range_.start; at < range_.end;) {
      const Nanoseconds until = std::min(go_to(at), range_.end);
      if (running_ > 0) {
        out.busy += until - at;
      } else {
        out.idle += until - at;
        charge(at, until);
      }
      at = until;
    }
    for (std::size_t cause = 0; cause < kIdleCauses; ++cause) {
      if (times_[cause] > 0) out.causes.push_back({static_cast<IdleCause>(cause), times_[cause]});
    }
    std::ranges::stable_sort(out.causes, std::greater{}, &IdleTime::time);
    return out;
  }

 private:
  static constexpr std::uint8_t kNothing = kIdleCauses;  // else an IdleCause
  struct Issue {
    Nanoseconds at;
    OperationIndex operation;
    std::uint8_t from_then;
    friend auto operator<=>(const Issue&, const Issue&) = default;
  };
  struct Ready {
    Nanoseconds at;
    std::uint8_t until_then, from_then;
  };
  struct Start {
    Nanoseconds at;
    std::uint8_t until_then;
  };

  template <class List, class Key = std::identity>
  static void sort(List& list, Key key = {}) {
    if (!std::ranges::is_sorted(list, {}, key)) std::ranges::sort(list, {}, key);
  }

  // All that begins or ends up to that instant. Returns when the next thing does.
  Nanoseconds go_to(Nanoseconds at) {
    for (; issue_ < issues_.size(); ++issue_) {
      if (issues_[issue_].from_then == kNothing) continue;
      if (issues_[issue_].at > at) break;
      ++now_[issues_[issue_].from_then];
    }
    for (; ready_ < readies_.size() && readies_[ready_].at <= at; ++ready_) {
      --now_[readies_[ready_].until_then];
      ++now_[readies_[ready_].from_then];
    }
    for (; start_ < starts_.size() && starts_[start_].at <= at; ++start_) {
      --now_[starts_[start_].until_then];
      ++running_;
    }
    for (; end_ < ends_.size() && ends_[end_] <= at; ++end_) --running_;
    Nanoseconds next = std::numeric_limits<Nanoseconds>::max();
    if (issue_ < issues_.size()) next = issues_[issue_].at;
    if (ready_ < readies_.size()) next = std::min(next, readies_[ready_].at);
    if (start_ < starts_.size()) next = std::min(next, starts_[start_].at);
    if (end_ < ends_.size()) next = std::min(next, ends_[end_]);
    return next;
  }

  void charge(Nanoseconds from, Nanoseconds to) {
    using enum IdleCause;
    if (share(from, to, hand_over, queue) || share(from, to, stream, unexplained)) return;
    while (issued_ < issues_.size() && issues_[issued_].at <= from) ++issued_;
    if (issued_ == issues_.size()) {
      times_[static_cast<std::size_t>(drain)] += to - from;
    } else {
      charge_host(from, to, issues_[issued_].operation);
    }
  }

  // Among the causes from `first` to `last` that hold something now.
  bool share(Nanoseconds from, Nanoseconds to, IdleCause first, IdleCause last) {
    std::int64_t count = 0;
    for (auto cause = static_cast<std::size_t>(first); cause <= static_cast<std::size_t>(last); ++cause)
      count += now_[cause];
    if (count == 0) return false;
    Nanoseconds left = to - from;
    std::size_t lowest = kIdleCauses;
    for (auto cause = static_cast<std::size_t>(first); cause <= static_cast<std::size_t>(last); ++cause) {
      if (now_[cause] == 0) continue;
      if (lowest == kIdleCauses) lowest = cause;
      const bool alone = now_[cause] == count;
      const auto part = alone ? left : static_cast<Nanoseconds>(divided(Int128{to - from} * now_[cause], count));
      times_[cause] += part;
      left -= part;
    }
    times_[lowest] += left;
    return true;
  }

  // What the thread does that issues it at last.
  void charge_host(Nanoseconds from, Nanoseconds to, OperationIndex next) {
    const OperationIndex call = history_.span(next).launch == kNoOperation ? next : history_.span(next).launch;
    const auto add = [&](IdleCause cause, Nanoseconds begin, Nanoseconds end) {
      begin = std::max(begin, from);
      end = std::min(end, to);
      if (end <= begin) return;
      times_[static_cast<std::size_t>(cause)] += end - begin;
      from = end;
    };
    const Span& its = history_.span(call);
    if (!trace::has_own_call(its) || its.thread >= history_.calls().size()) return add(IdleCause::fill, from, to);
    const std::vector<OperationIndex>& thread = history_.calls()[its.thread];
    for (std::size_t at = call_under_way(its.thread, from); at < thread.size() && from < to; ++at) {
      const Span& each = history_.span(thread[at]);
      add(IdleCause::between_calls, from, each.host_begin);
      add(activity(thread[at]), each.host_begin, each.host_end);
    }
    add(IdleCause::between_calls, from, to);
  }

  // The thread's first call that is not over before then. Each time that is asked for is later than the one before: the
  // search goes on from there, in steps twice as long each time.
  std::size_t call_under_way(std::uint32_t of_thread, Nanoseconds then) {
    const std::vector<OperationIndex>& thread = history_.calls()[of_thread];
    std::size_t& at = under_way_[of_thread];
    const auto is_over = [&](OperationIndex i) { return history_.span(i).host_end < then; };
    std::size_t step = 1;
    while (at + step < thread.size() && is_over(thread[at + step])) at += step, step *= 2;
    const auto from = thread.begin() + static_cast<std::ptrdiff_t>(at);
    const auto end = thread.begin() + static_cast<std::ptrdiff_t>(std::min(at + step + 1, thread.size()));
    at = static_cast<std::size_t>(std::partition_point(from, end, is_over) - thread.begin());
    return at;
  }

  IdleCause activity(OperationIndex call) const {
    const Span& span = history_.span(call);
    switch (span.kind) {
      case OperationKind::sync:
      case OperationKind::poll:
      case OperationKind::join: return IdleCause::host_wait;
      case OperationKind::work:
      case OperationKind::touch: return IdleCause::host_work;
      default: return IdleCause::host_call;
    }
  }

  const History& history_;
  const trace::Interval range_;
  std::vector<Issue> issues_;
  std::vector<Ready> readies_;
  std::vector<Start> starts_;
  std::vector<Nanoseconds> ends_;
  std::size_t issue_ = 0, ready_ = 0, start_ = 0, end_ = 0;  // what comes next
  std::size_t issued_ = 0;                                   // the first that is not issued yet
  std::int64_t running_ = 0;
  std::int64_t now_[kIdleCauses + 1] = {};  // by cause; the last of nothing
  Nanoseconds times_[kIdleCauses] = {};
  std::vector<std::size_t> under_way_;  // by thread: what call_under_way() found last
};

}  // namespace

std::string in_words(IdleCause cause) {
  switch (cause) {
    case IdleCause::hand_over: return tr("hand-over");
    case IdleCause::queue: return tr("work behind a shared queue");
    case IdleCause::stream: return tr("work behind its stream");
    case IdleCause::event: return tr("work behind an event");
    case IdleCause::legacy: return tr("work behind the legacy stream");
    case IdleCause::graph: return tr("work behind its graph");
    case IdleCause::pool: return tr("work behind freed memory");
    case IdleCause::gate: return tr("the gate");
    case IdleCause::unexplained: return tr("unexplained");
    case IdleCause::host_wait: return tr("no work: host waits");
    case IdleCause::host_call: return tr("no work: host in a call");
    case IdleCause::host_work: return tr("no work: host computes");
    case IdleCause::between_calls: return tr("no work: host between calls");
    case IdleCause::fill: return tr("no work yet");
    case IdleCause::drain: return tr("no more work");
  }
  return {};
}

std::vector<EngineIdle> idle_times(const History& history) {
  trace::Interval range{std::numeric_limits<Nanoseconds>::max(), kAbsent};
  for (OperationIndex i = 0; i < history.size(); ++i) {
    if (!history.executes(i) || !trace::device_work(history.span(i))) continue;
    range.start = std::min(range.start, history.span(i).start);
    range.end = std::max(range.end, history.span(i).end);
  }
  std::vector<EngineIdle> out;
  for (std::uint32_t device = 0; device < history.devices(); ++device) {
    for (const Engine engine : {Engine::h2d, Engine::d2h, Engine::compute}) {
      EngineSweep sweep(history, range);
      bool any = false;
      for (std::size_t at = 0; at < kUnits; ++at) {
        const auto unit = static_cast<Unit>(at);
        if (!history.any_through(engine, device, unit)) continue;
        any = true;
        sweep.reserve(history.executed(device, unit).size());
        for (const OperationIndex i : history.executed(device, unit)) {
          if (history.span(i).engine == engine) sweep.add(i);
        }
      }
      if (any) out.push_back(sweep.sum({device, engine}));
    }
  }
  return out;
}

}  // namespace streamscope::verdict
