#include "engine/reconstruct/activity.h"

#include <algorithm>
#include <map>
#include <numeric>
#include <unordered_map>
#include <variant>

namespace streamscope::reconstruct {
namespace {

Nanoseconds middle(const ApiCall& call) { return call.begin + (call.end - call.begin) / 2; }

// Finds the one interval that a time lies in.
class Intervals {
 public:
  // Of one thread.
  Intervals(std::span<const HostInterval> intervals, std::uint32_t thread) : intervals_(intervals) {
    for (std::size_t i = 0; i < intervals.size(); ++i) {
      if (intervals[i].thread != thread) continue;
      if (known(intervals[i].begin) && known(intervals[i].end)) by_begin_.push_back(i);
    }
    std::stable_sort(by_begin_.begin(), by_begin_.end(),
                     [&](std::size_t a, std::size_t b) { return intervals[a].begin < intervals[b].begin; });
    Nanoseconds latest = kAbsent;
    for (const std::size_t i : by_begin_) {
      latest = std::max(latest, intervals[i].end);
      latest_end_.push_back(latest);
    }
  }

  std::size_t at(Nanoseconds time) const {
    const auto after = std::upper_bound(by_begin_.begin(), by_begin_.end(), time,
                                        [&](Nanoseconds t, std::size_t i) { return t < intervals_[i].begin; });
    if (after == by_begin_.begin()) return kNoInterval;
    const auto position = static_cast<std::size_t>(after - by_begin_.begin()) - 1;
    if (position > 0 && latest_end_[position - 1] > time) return kNoInterval;  // an earlier one reaches over it
    return intervals_[by_begin_[position]].end >= time ? by_begin_[position] : kNoInterval;
  }

 private:
  std::span<const HostInterval> intervals_;
  std::vector<std::size_t> by_begin_;
  std::vector<Nanoseconds> latest_end_;  // of it and all before it
};

struct Found {
  std::size_t records = 0;
  std::uint64_t bytes = 0;
  Nanoseconds start = kAbsent, end = kAbsent;
  std::uint32_t uncertainty = 0;
  bool contradicts = false;
  bool untimed = false;
};

bool is_whole(const program::Operation& operation, const ExpectedActivity& expected, const Found& its) {
  if (expected.kind == Activity::Kind::kernel) return its.records == 1;
  const bool twice = std::holds_alternative<program::op::PeerCopy>(operation.work);
  return its.bytes == expected.bytes || (twice && its.bytes == 2 * expected.bytes);
}

}  // namespace

std::vector<std::size_t> intervals_of(const ActivityRecords& records, std::span<const HostInterval> intervals) {
  std::map<std::uint32_t, Intervals> by_thread;
  for (const HostInterval& one : intervals) by_thread.try_emplace(one.thread, intervals, one.thread);
  const auto interval_at = [&](const ApiCall& call) {
    for (const std::uint32_t thread : {call.thread, 0u}) {
      const auto of = by_thread.find(thread);
      if (of == by_thread.end()) continue;
      if (const std::size_t at = of->second.at(middle(call)); at != kNoInterval) return at;
    }
    return kNoInterval;
  };
  std::unordered_map<std::uint32_t, std::size_t> by_correlation;
  by_correlation.reserve(records.calls.size());
  for (const ApiCall& call : records.calls) {
    if (!known(call.begin) || !known(call.end) || call.end < call.begin) continue;
    const std::size_t interval = interval_at(call);
    const auto [at, added] = by_correlation.emplace(call.correlation, interval);
    if (!added && at->second != interval) at->second = kNoInterval;
  }
  std::vector<std::size_t> of(records.activities.size(), kNoInterval);
  for (std::size_t i = 0; i < of.size(); ++i) {
    const auto at = by_correlation.find(records.activities[i].correlation);
    if (at != by_correlation.end()) of[i] = at->second;
  }
  return of;
}

std::optional<ExpectedActivity> expected_activity(const program::Operation& operation) {
  const program::Work& work = operation.work;
  ExpectedActivity expected;
  if (program::kind(work) == OperationKind::kernel) return expected;
  if (std::holds_alternative<program::op::Copy>(work) || std::holds_alternative<program::op::CopyOnDevice>(work) ||
      std::holds_alternative<program::op::PeerCopy>(work)) {
    expected.kind = Activity::Kind::copy;
  } else if (std::holds_alternative<program::op::Memset>(work)) {
    expected.kind = Activity::Kind::memset;
  } else {
    return std::nullopt;
  }
  expected.bytes = program::bytes(work);
  if (expected.bytes == 0) return std::nullopt;
  return expected;
}

namespace {

// Which operation a record belongs to that was asked for by the call of operation `called`: a launch's are its nodes'.
OperationIndex operation_of(const program::Program& program, const RecordNames& names, OperationIndex called,
                            const Activity& activity) {
  const auto* launch = std::get_if<program::op::Launch>(&program.operations[called].work);
  if (launch == nullptr) return called;
  if (activity.graph_node == 0 || launch->graph.value >= names.graph_nodes.size()) return kNoOperation;
  const std::vector<std::uint64_t>& nodes = names.graph_nodes[launch->graph.value];
  const auto at = std::find(nodes.begin(), nodes.end(), activity.graph_node);
  return at == nodes.end() ? kNoOperation : called + 1 + static_cast<OperationIndex>(at - nodes.begin());
}

}  // namespace

MatchedActivities match_activities(const program::Program& program, const ActivityRecords& records,
                                   const RecordNames& names, Nanoseconds zero, std::span<device::Observed> observed) {
  std::vector<HostInterval> calls(observed.size());
  for (std::size_t i = 0; i < observed.size(); ++i) {
    const program::Operation& operation = program.operations[i];
    if (operation.launch != kNoOperation || !known(observed[i].host_begin) || !known(observed[i].host_end)) continue;
    calls[i] = {observed[i].host_begin + zero, observed[i].host_end + zero,
                names.threads.empty() ? 0 : names.threads[operation.thread.value]};
  }
  MatchedActivities matched;
  std::vector<Found> found(observed.size());
  const std::vector<std::size_t> of = intervals_of(records, calls);
  for (std::size_t r = 0; r < of.size(); ++r) {
    const Activity& activity = records.activities[r];
    const OperationIndex i = of[r] == kNoInterval
                                 ? kNoOperation
                                 : operation_of(program, names, static_cast<OperationIndex>(of[r]), activity);
    const auto expected = i == kNoOperation ? std::nullopt : expected_activity(program.operations[i]);
    if (!expected) {
      ++matched.foreign;
      continue;
    }
    Found& its = found[i];
    ++its.records;
    its.bytes += activity.bytes;
    if (activity.kind != expected->kind) its.contradicts = true;
    if (!known(activity.start) || !known(activity.end)) {
      its.untimed = true;
      continue;
    }
    if (activity.end < activity.start || activity.start + activity.uncertainty < calls[of[r]].begin)
      its.contradicts = true;
    its.start = known(its.start) ? std::min(its.start, activity.start) : activity.start;
    its.end = std::max(its.end, activity.end);
    its.uncertainty = std::max(its.uncertainty, activity.uncertainty);
  }
  for (std::size_t i = 0; i < observed.size(); ++i) {
    const auto expected = expected_activity(program.operations[i]);
    if (!expected) continue;
    Found& its = found[i];
    const bool fits = !its.contradicts && is_whole(program.operations[i], *expected, its);
    if (its.records > 0 && fits && !its.untimed) {
      ++matched.found;
      observed[i].start = its.start - zero;
      observed[i].end = its.end - zero;
      observed[i].source = trace::Source::cupti;
      observed[i].uncertainty = its.uncertainty;
      continue;
    }
    ++(its.records > 0 && !fits ? matched.contradicting : matched.missing);
    if (matched.first_unknown == kNoOperation) matched.first_unknown = static_cast<OperationIndex>(i);
  }
  return matched;
}

std::optional<ClockWindow> shift_of(std::span<const ActivityBracket> brackets) {
  std::vector<ClockWindow> windows;
  for (const ActivityBracket& bracket : brackets) {
    const ClockWindow one{bracket.start, bracket.host.begin - bracket.start, bracket.host.end - bracket.end};
    if (one.low <= one.high) windows.push_back(one);  // else longer than the interval it lies in: no record of this
  }
  return intersection(windows);
}

RecordShift choose_shift(const ClockWindow& before, const ClockWindow& after) {
  ClockWindow both{before.device, std::max(before.low, after.low), std::min(before.high, after.high)};
  if (both.low > both.high) both = before;
  RecordShift chosen;
  chosen.shift = std::clamp<Nanoseconds>(0, both.low, both.high);
  for (const ClockWindow& window : {before, after}) {
    chosen.uncertainty = std::max({chosen.uncertainty, chosen.shift - window.low, window.high - chosen.shift});
  }
  return chosen;
}

}  // namespace streamscope::reconstruct
