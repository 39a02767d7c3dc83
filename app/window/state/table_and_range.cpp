#include "app/window/state/table_and_range.h"

namespace streamscope::window {

std::optional<TableReading> table_due(const State& state) {
  const bool seen = state.workspace.dock_open && state.workspace.dock == command::Dock::operations;
  if (!state.runs.shown || (!seen && state.readings.search.empty())) return std::nullopt;
  const TableReading* now = state.readings.table.get();
  if (now != nullptr && now->of == state.runs.shown && now->words == state.readings.search &&
      now->range == state.timeline.range && now->sort == state.readings.sort)
    return std::nullopt;
  TableReading due;
  due.of = state.runs.shown;
  due.words = state.readings.search;
  due.range = state.timeline.range;
  due.sort = state.readings.sort;
  return due;
}

std::optional<RangeReading> range_due(const State& state) {
  if (!state.runs.shown || (!state.timeline.range && state.timeline.marks.empty())) return std::nullopt;
  const RangeReading* now = state.readings.range.get();
  if (now != nullptr && now->of == state.runs.shown && now->range == state.timeline.range &&
      now->marks == state.timeline.marks)
    return std::nullopt;
  RangeReading due;
  due.of = state.runs.shown;
  due.range = state.timeline.range;
  due.marks = state.timeline.marks;
  return due;
}

std::shared_ptr<const timeline::SearchHighlight> lit(const State& state) {
  if (state.readings.search.empty() || !state.readings.table || state.readings.table->of != state.runs.shown)
    return nullptr;
  return state.readings.table->lit;
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
