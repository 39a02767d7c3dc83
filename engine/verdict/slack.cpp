#include "engine/verdict/slack.h"

#include <algorithm>
#include <limits>

#include "engine/verdict/critical_path.h"

namespace streamscope::verdict {
namespace {

using trace::Span;

constexpr Nanoseconds kNoLimit = std::numeric_limits<Nanoseconds>::max();

Nanoseconds later(Nanoseconds slack, Nanoseconds gap) { return slack == kNoLimit ? kNoLimit : slack + gap; }

class WalkBack {
 public:
  explicit WalkBack(const History& history) : history_(history), slack_(history.size(), kNoLimit) {
    for (const std::vector<OperationIndex>& thread : history.calls())
      at_call_.emplace_back(thread.size() + 1, kNoLimit);
  }

  // Back in time, by starts, since what makes room may run on: what comes behind something has its slack before it.
  std::vector<Nanoseconds> run() {
    for (OperationIndex i = 0; i < history_.size(); ++i) {
      if (history_.executes(i) && trace::device_work(history_.span(i))) last_ = std::max(last_, history_.span(i).end);
    }
    std::vector<Step> steps;
    for (OperationIndex i = 0; i < history_.size(); ++i) {
      const Span& span = history_.span(i);
      if (history_.executes(i)) slack_[i] = std::max<Nanoseconds>(0, last_ - span.end);
      if (history_.in_stream(i) && known(span.start) && known(span.end)) steps.push_back({span.start, i, What::start});
    }
    for (const std::vector<OperationIndex>& thread : history_.calls()) {
      for (const OperationIndex i : thread) {
        steps.push_back({history_.span(i).host_end, i, What::call_returns});
        steps.push_back({history_.span(i).host_begin, i, What::call_begins});
      }
    }
    std::ranges::sort(steps, std::greater{});
    for (const Step& step : steps) {
      switch (step.what) {
        case What::start: start(step.operation); break;
        case What::call_returns: call_returns(step.operation); break;
        case What::call_begins: call_begins(step.operation); break;
      }
    }
    for (OperationIndex i = 0; i < history_.size(); ++i) {
      if (!history_.executes(i)) slack_[i] = kAbsent;
    }
    return std::move(slack_);
  }

 private:
  // Of one instant the later operation comes first, and of one operation the later one in this list.
  enum class What : std::uint8_t { call_begins, start, call_returns };
  struct Step {
    Nanoseconds at = 0;
    OperationIndex operation = kNoOperation;
    What what = What::start;
    friend auto operator<=>(const Step&, const Step&) = default;
  };

  void limit(OperationIndex i, Nanoseconds slack) { slack_[i] = std::min(slack_[i], slack); }

  // What released it last has no more slack than it; the others have what they were earlier.
  void start(OperationIndex i) {
    const Nanoseconds its = slack_[i], start = history_.span(i).start;
    const auto before = [&](OperationIndex other) {
      const Nanoseconds end = history_.span(other).end;
      if (known(end) && end <= start) limit(other, later(its, start - end));
    };
    for (const program::Dependency& one : history_.behind(i)) before(one.on);
    if (const auto unit = history_.unit_taken(i)) {
      const OperationIndex other = history_.right_before(i, *unit, kAbsent, start);
      if (other != kNoOperation) before(other);
    }
    if (const OperationIndex last = released_by(i); last != kNoOperation) return limit(last, its);
    // The host issued it last: what does no work and came right before it, such as its graph's launch, is handed over.
    OperationIndex latest = kNoOperation;
    for (const program::Dependency& one : history_.behind(i)) {
      if (latest == kNoOperation || history_.span(one.on).end > history_.span(latest).end) latest = one.on;
    }
    if (latest != kNoOperation && !history_.executes(latest)) limit(latest, its);
    if (const OperationIndex launch = history_.span(i).launch; launch != kNoOperation) limit(launch, its);
  }

  // kNoOperation: the host issued it last.
  OperationIndex released_by(OperationIndex i) const {
    if (!known(history_.span(i).start)) return kNoOperation;
    const std::vector<Slice> held = held_before_start(history_, i);
    return held.empty() ? kNoOperation : held.back().by;
  }

  void call_returns(OperationIndex i) {
    const Span& span = history_.span(i);
    const Nanoseconds behind = at_call_[span.thread][history_.place(i) + 1];
    const Release waited = awaited(history_, i);
    if (!known(waited.at) || waited.by == kNoOperation) return;
    const Nanoseconds gap = std::max<Nanoseconds>(0, span.host_begin - waited.at);
    if (span.kind == OperationKind::join) {
      Nanoseconds& its = at_call_[history_.span(waited.by).thread].back();
      its = std::min(its, later(behind, gap));
    } else {
      limit(waited.by, later(behind, gap));
    }
  }

  // By how much later the call could begin: what it waits for anyway comes on top.
  void call_begins(OperationIndex i) {
    const Span& span = history_.span(i);
    const Release waited = awaited(history_, i);
    const bool own = waited.by == i;
    const Nanoseconds waits = known(waited.at) && !own ? std::max<Nanoseconds>(0, waited.at - span.host_begin) : 0;
    Nanoseconds least = later(at_call_[span.thread][history_.place(i) + 1], waits);
    if (history_.in_stream(i) && known(span.start)) {
      const bool held = released_by(i) != kNoOperation;
      least = std::min(least, later(slack_[i], held ? std::max<Nanoseconds>(0, span.start - span.host_end) : 0));
    }
    if (span.kind == OperationKind::thread) {
      for (const std::vector<OperationIndex>& thread : history_.calls()) {
        if (!thread.empty() && thread.front() == i + 1)
          least = std::min(least, at_call_[history_.span(i + 1).thread][0]);
      }
    }
    at_call_[span.thread][history_.place(i)] = least;
  }

  const History& history_;
  Nanoseconds last_ = kAbsent;
  std::vector<Nanoseconds> slack_;
  std::vector<std::vector<Nanoseconds>> at_call_;  // of each thread: by how much later it could begin its call there
};

}  // namespace

std::vector<Nanoseconds> slack(const History& history) { return WalkBack(history).run(); }

}  // namespace streamscope::verdict
