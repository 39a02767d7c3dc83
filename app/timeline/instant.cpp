#include "app/timeline/instant.h"

#include <algorithm>
#include <limits>

#include "app/timeline/instant_index.h"
#include "engine/analysis/wait_cause.h"
#include "engine/analysis/waits.h"

namespace streamscope::timeline {
namespace {

// An innermost host call lies in at most so many others.
constexpr std::size_t kDeepest = 64;

OperationState state_of(const trace::Trace& trace, const trace::Span& span, Nanoseconds time) {
  if (known(span.end) && span.end <= time && span.start <= time) return OperationState::done;
  if (span.start <= time) return OperationState::running;
  const bool in_trace = known(span.host_begin) || known(span.ready) || span.launch != kNoOperation;
  if (time < entry_time(trace, span)) return in_trace ? OperationState::unissued : OperationState::unknown;
  if (known(span.ready) && span.ready <= time) return OperationState::ready;
  if (known(span.host_end) && time < span.host_end) return OperationState::calling;
  return known(span.ready) ? OperationState::held : OperationState::queued;
}

// Where its host call has come back, its wait began there.
Nanoseconds issued(const trace::Trace& trace, const trace::Span& span, Nanoseconds time) {
  return known(span.host_end) && span.host_end <= time ? span.host_end : entry_time(trace, span);
}

double share(Nanoseconds begin, Nanoseconds end, Nanoseconds time) {
  if (end <= begin) return 1;
  return std::clamp(static_cast<double>(elapsed(begin, time)) / static_cast<double>(elapsed(begin, end)), 0.0, 1.0);
}

OperationStatus status_of(const trace::Trace& trace, std::uint32_t index, Nanoseconds time) {
  const trace::Span span = trace::span_at(trace, index);
  OperationStatus out{.operation = span.operation, .index = index, .state = state_of(trace, span, time)};
  switch (out.state) {
    case OperationState::unknown:
    case OperationState::unissued: break;
    case OperationState::calling:
    case OperationState::queued:
    case OperationState::held: out.since = issued(trace, span, time); break;
    case OperationState::ready: out.since = span.ready; break;
    case OperationState::running:
    case OperationState::done: out.since = span.start; break;
  }
  const bool begun = out.state >= OperationState::running;
  out.left = elapsed(time, begun ? span.end : span.start);
  if (begun) out.done = share(span.start, span.end, time);
  return out;
}

// Of the first of a stream that waits; `before`: the last of it that is running, if any.
std::optional<Wait> wait_of(const trace::Trace& trace, const OperationStatus& first, OperationIndex before) {
  const trace::Span span = trace::span_at(trace, first.index);
  Wait wait{.index = first.index, .operation = span.operation, .since = first.since};
  const auto add_reason = [&] {
    const analysis::CauseOfWait cause = analysis::wait_cause(trace, span);
    wait.reason = cause.reason;
    wait.on = cause.operation;
  };
  switch (first.state) {
    case OperationState::ready:
      if (!analysis::keeps_from_ready(span.reason) && span.reason != trace::WaitReason::host) add_reason();
      return wait;
    case OperationState::held:
    case OperationState::queued:
      // The reason recorded is the last that fell away: it stands until then.
      if (analysis::keeps_from_ready(span.reason) && span.reason != trace::WaitReason::stream) {
        add_reason();
      } else if (before != kNoOperation) {
        wait.reason = trace::WaitReason::stream;
        wait.on = before;
      } else if (span.reason == trace::WaitReason::stream) {
        add_reason();
      } else if (first.state == OperationState::queued) {
        wait.reason = trace::WaitReason::unknown;
      }
      return wait;
    default: return std::nullopt;
  }
}

std::optional<Wait> host_wait(const trace::Trace& trace, const OperationStatus& call, Nanoseconds time) {
  const trace::Span span = trace::span_at(trace, call.index);
  Wait wait{
      .index = call.index, .operation = span.operation, .reason = trace::WaitReason::host, .since = span.host_begin};
  if (analysis::host_waits(span)) {
    wait.on = analysis::wait_cause(trace, span).operation;
    return wait;
  }
  // A call that comes back only when its own operation is done.
  if (span.stream == trace::Span::kNoStream || !known(span.end) || span.end <= time || span.host_end < span.end)
    return std::nullopt;
  wait.on = span.operation;
  return wait;
}

HostNow host_now_at(const trace::Trace& trace, const InstantIndex::Row& row, Nanoseconds time) {
  HostNow now{.thread = row.id, .call = {}, .next = {}};
  const RowCounts at = row_counts(trace, row, RowKind::thread, time);
  const auto call = [&](std::uint32_t index) {
    const trace::Span span = trace::span_at(trace, index);
    const bool begun = span.host_begin <= time;
    return OperationStatus{span.operation,
                           index,
                           begun ? OperationState::running : OperationState::unissued,
                           begun ? span.host_begin : kAbsent,
                           elapsed(time, begun ? span.host_end : span.host_begin),
                           begun ? share(span.host_begin, span.host_end, time) : 0};
  };
  std::vector<std::uint32_t> open;
  running_at(trace, row, RowKind::thread, time, at, kDeepest, open);
  if (!open.empty()) now.call = call(open.back());
  if (at.begun < row.by_begin.size()) now.next = call(row.by_begin[at.begun]);
  return now;
}

}  // namespace

Instant instant(const trace::Trace& trace, const InstantIndex& index, Nanoseconds time, std::size_t most) {
  time = std::clamp(time, kAbsent + 1, std::numeric_limits<Nanoseconds>::max() - 1);
  Instant out;
  out.time = time;
  std::vector<std::uint32_t> found;
  const auto add_found = [&](std::vector<OperationStatus>& into) {
    for (const std::uint32_t each : found) into.push_back(status_of(trace, each, time));
    found.clear();
  };
  for (const InstantIndex::Row& row : index.threads()) {
    out.threads.push_back(host_now_at(trace, row, time));
    if (const auto& call = out.threads.back().call)
      if (const auto wait = host_wait(trace, *call, time)) out.waits.push_back(*wait);
  }
  for (const InstantIndex::Row& row : index.streams()) {
    const RowCounts at = row_counts(trace, row, RowKind::stream, time);
    StreamNow now{.stream = row.id, .queue = {}, .running = at.running, .waiting = at.waiting};
    running_at(trace, row, RowKind::stream, time, at, most, found);
    const OperationIndex before = found.empty() ? kNoOperation : trace::span_at(trace, found.back()).operation;
    add_found(now.queue);
    const std::size_t first = now.queue.size();
    waiting_at(trace, row, RowKind::stream, time, at, most > first ? most - first : 1, found);
    add_found(now.queue);
    if (now.queue.size() > first)
      if (const auto wait = wait_of(trace, now.queue[first], before)) out.waits.push_back(*wait);
    out.streams.push_back(std::move(now));
  }
  for (const InstantIndex::Row& row : index.engines()) {
    const RowCounts at = row_counts(trace, row, RowKind::engine, time);
    EngineNow now{.engine = device_engine(row.id), .running = {}, .count = at.running, .next = {}};
    running_at(trace, row, RowKind::engine, time, at, most, found);
    add_found(now.running);
    if (at.begun < row.by_begin.size()) now.next = status_of(trace, row.by_begin[at.begun], time);
    out.engines.push_back(std::move(now));
  }
  return out;
}

namespace {

template <class Better>
Nanoseconds nearest(const trace::Trace& trace, const InstantIndex& index, Better better) {
  Nanoseconds best = kAbsent;
  const auto offer = [&](Nanoseconds time) {
    if (!known(best) || better(time, best)) best = time;
  };
  const auto look = [&](const std::vector<InstantIndex::Row>& rows, RowKind kind) {
    for (const InstantIndex::Row& row : rows) {
      const auto times = [&](std::uint32_t each) { return *row_times(trace, trace::span_at(trace, each), kind); };
      better.of(
          row.by_begin, [&](std::uint32_t each) { return times(each).begin; }, offer);
      better.of(
          row.by_end.empty() ? row.by_begin : row.by_end, [&](std::uint32_t each) { return times(each).end; }, offer);
    }
  };
  look(index.threads(), RowKind::thread);
  look(index.streams(), RowKind::stream);
  look(index.engines(), RowKind::engine);
  return best;
}

struct EarliestAfter {
  Nanoseconds time;
  bool operator()(Nanoseconds a, Nanoseconds b) const { return a < b; }
  template <class Time, class Offer>
  void of(const std::vector<std::uint32_t>& order, Time time_of, Offer offer) const {
    const auto at = std::partition_point(order.begin(), order.end(), [&](auto each) { return time_of(each) <= time; });
    if (at != order.end()) offer(time_of(*at));
  }
};

struct LatestBefore {
  Nanoseconds time;
  bool operator()(Nanoseconds a, Nanoseconds b) const { return a > b; }
  template <class Time, class Offer>
  void of(const std::vector<std::uint32_t>& order, Time time_of, Offer offer) const {
    const auto at = std::partition_point(order.begin(), order.end(), [&](auto each) { return time_of(each) < time; });
    if (at != order.begin()) offer(time_of(*(at - 1)));
  }
};

}  // namespace

Nanoseconds event_after(const trace::Trace& trace, const InstantIndex& index, Nanoseconds time) {
  return nearest(trace, index, EarliestAfter{time});
}

Nanoseconds event_before(const trace::Trace& trace, const InstantIndex& index, Nanoseconds time) {
  return nearest(trace, index, LatestBefore{time});
}

}  // namespace streamscope::timeline
