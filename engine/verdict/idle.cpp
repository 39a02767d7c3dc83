#include "engine/verdict/idle.h"

#include <algorithm>
#include <limits>

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

class EngineSweep {
 public:
  EngineSweep(const History& history, trace::Interval range) : history_(history), range_(range) {}

  void add(OperationIndex i) {
    const Span& span = history_.span(i);
    const Nanoseconds issued = history_.issued(i), ready = history_.ready(i);
    changes_.push_back({span.start, kRunning, +1});
    changes_.push_back({span.end, kRunning, -1});
    issues_.push_back({issued, i});
    const Release& release = history_.release(i);
    const IdleCause held = known(release.at) && release.at > issued ? cause_of(release.cause) : IdleCause::hand_over;
    note(issued, ready, held);
    note(ready, span.start, span.reason == trace::WaitReason::queue ? IdleCause::queue : IdleCause::hand_over);
  }

  EngineIdle sum(DeviceEngine engine) {
    std::ranges::sort(changes_, {}, &Change::at);
    if (!std::ranges::is_sorted(issues_)) std::ranges::sort(issues_);
    EngineIdle out{.engine = engine, .causes = {}};
    Nanoseconds at = range_.start;
    for (std::size_t next = 0; at < range_.end;) {
      while (next < changes_.size() && changes_[next].at <= at) {
        now_[changes_[next].what] += changes_[next].by;
        ++next;
      }
      const Nanoseconds until = next < changes_.size() ? std::min(changes_[next].at, range_.end) : range_.end;
      if (now_[kRunning] > 0) {
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
  struct Change {
    Nanoseconds at;
    std::uint8_t what;  // an IdleCause, or kRunning
    std::int8_t by;
  };
  struct Issue {
    Nanoseconds at;
    OperationIndex operation;
    friend auto operator<=>(const Issue&, const Issue&) = default;
  };
  static constexpr std::uint8_t kRunning = kIdleCauses;

  void note(Nanoseconds from, Nanoseconds to, IdleCause cause) {
    if (to <= from) return;
    changes_.push_back({from, static_cast<std::uint8_t>(cause), +1});
    changes_.push_back({to, static_cast<std::uint8_t>(cause), -1});
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
      const auto part = static_cast<Nanoseconds>(static_cast<__int128>(to - from) * now_[cause] / count);
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
    auto at = std::ranges::lower_bound(thread, from, {}, [&](OperationIndex i) { return history_.span(i).host_end; });
    for (; at != thread.end() && from < to; ++at) {
      const Span& each = history_.span(*at);
      add(IdleCause::between_calls, from, each.host_begin);
      add(activity(*at), each.host_begin, each.host_end);
    }
    add(IdleCause::between_calls, from, to);
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
  std::vector<Change> changes_;
  std::vector<Issue> issues_;
  std::size_t issued_ = 0;
  std::int64_t now_[kIdleCauses + 1] = {};
  Nanoseconds times_[kIdleCauses] = {};
};

}  // namespace

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
      for (std::size_t unit = 0; unit < kUnits; ++unit) {
        for (const OperationIndex i : history.executed(device, static_cast<Unit>(unit))) {
          if (history.span(i).engine != engine) continue;
          sweep.add(i);
          any = true;
        }
      }
      if (any) out.push_back(sweep.sum({device, engine}));
    }
  }
  return out;
}

}  // namespace streamscope::verdict
