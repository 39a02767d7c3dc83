#include "app/window/state/selection_steps.h"

#include <algorithm>
#include <cstdlib>
#include <tuple>
#include <utility>
#include <vector>

#include "engine/analysis/wait_cause.h"

namespace streamscope::window {
namespace {

const trace::Trace& trace(const State& state) {
  static const trace::Trace none;
  return state.runs.shown ? state.runs.shown->run->trace : none;
}

// Host threads first, then streams, those of each device together, as the timeline shows them.
using Row = std::tuple<int, std::uint32_t, std::uint32_t>;
Row row_of(const State& state, const trace::Span& span) {
  if (span.stream == trace::Span::kNoStream) return {0, 0, span.thread};
  const std::vector<trace::StreamInfo>& streams = trace(state).streams;
  return {1, span.stream < streams.size() ? streams[span.stream].device : 0, span.stream};
}

Nanoseconds begin_of(const trace::Span& span) { return known(span.start) ? span.start : span.host_begin; }

OperationIndex first(const State& state) {
  return trace::span_count(trace(state)) == 0 ? kNoOperation : trace::span_at(trace(state), 0).operation;
}

// The nearest span of its row before or after in time, in the order of begin and operation.
OperationIndex along_row(const State& state, int direction) {
  const std::optional<trace::Span> here = span_of(state, state.timeline.selected);
  if (!here) return first(state);
  const auto key = [](const trace::Span& span) { return std::pair(begin_of(span), span.operation); };
  std::optional<trace::Span> best;
  for (std::size_t i = 0; i < trace::span_count(trace(state)); ++i) {
    const trace::Span span = trace::span_at(trace(state), i);
    if (!known(begin_of(span)) || row_of(state, span) != row_of(state, *here)) continue;
    const bool ahead = direction > 0 ? key(span) > key(*here) : key(span) < key(*here);
    if (!ahead) continue;
    if (!best || (direction > 0 ? key(span) < key(*best) : key(span) > key(*best))) best = span;
  }
  return !best ? kNoOperation : best->operation;
}

OperationIndex other_row(const State& state, int direction) {
  const std::optional<trace::Span> here = span_of(state, state.timeline.selected);
  if (!here) return first(state);
  std::vector<Row> rows;
  for (std::size_t i = 0; i < trace::span_count(trace(state)); ++i)
    rows.push_back(row_of(state, trace::span_at(trace(state), i)));
  std::sort(rows.begin(), rows.end());
  rows.erase(std::unique(rows.begin(), rows.end()), rows.end());
  const auto at = std::find(rows.begin(), rows.end(), row_of(state, *here));
  if (direction < 0 ? at == rows.begin() : at + 1 == rows.end()) return kNoOperation;
  const Row target = *(at + direction);
  std::optional<trace::Span> best;
  const auto distance = [&](const trace::Span& span) { return std::llabs(begin_of(span) - begin_of(*here)); };
  for (std::size_t i = 0; i < trace::span_count(trace(state)); ++i) {
    const trace::Span span = trace::span_at(trace(state), i);
    if (row_of(state, span) != target || !known(begin_of(span)) || !known(begin_of(*here))) continue;
    if (!best || distance(span) < distance(*best)) best = span;
  }
  return !best ? kNoOperation : best->operation;
}

OperationIndex neighbour(const State& state, OperationIndex wanted) {
  if (!span_of(state, state.timeline.selected)) return first(state);
  return span_of(state, wanted) ? wanted : kNoOperation;
}

}  // namespace

OperationIndex next_operation(const State& state) { return neighbour(state, state.timeline.selected + 1); }
OperationIndex previous_operation(const State& state) {
  return neighbour(state, state.timeline.selected == 0 ? kNoOperation : state.timeline.selected - 1);
}
OperationIndex next_on_track(const State& state) { return along_row(state, 1); }
OperationIndex previous_on_track(const State& state) { return along_row(state, -1); }
OperationIndex on_track_above(const State& state) { return other_row(state, -1); }
OperationIndex on_track_below(const State& state) { return other_row(state, 1); }

OperationIndex waited_for(const State& state) {
  const std::optional<trace::Span> here = span_of(state, state.timeline.selected);
  return !here ? kNoOperation : analysis::wait_cause(trace(state), *here).operation;
}

OperationIndex waited_by(const State& state) {
  if (!state.runs.shown || state.timeline.selected == kNoOperation) return kNoOperation;
  const auto waiting = timeline::waiting_for(state.runs.shown->waiters, state.timeline.selected);
  return waiting.empty() ? kNoOperation : waiting.front();
}

OperationIndex next_match(const State& state, int direction) {
  if (!state.readings.table || state.readings.table->rows->size() == 0) return kNoOperation;
  const TableReading& table = *state.readings.table;
  const trace::Trace& trace = table.of->run->trace;
  const std::size_t count = table.rows->size();
  const auto place = trace::find_index(trace, state.timeline.selected);
  const auto row = place ? table.rows->find(static_cast<std::uint32_t>(*place)) : std::nullopt;
  const std::size_t first = direction > 0 ? 0 : count - 1;
  const std::size_t next = !row ? first : (*row + (direction > 0 ? 1 : count - 1)) % count;
  return trace::span_at(trace, (*table.rows)[next]).operation;
}

}  // namespace streamscope::window
