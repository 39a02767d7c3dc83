#include "app/window/state/table_and_range.h"

#include <algorithm>
#include <utility>

namespace streamscope::window {

std::optional<TableReading> table_due(const State& state) {
  const bool seen = state.dock_open && state.dock == command::Dock::operations;
  if (!state.runs.shown || (!seen && state.search.empty())) return std::nullopt;
  const TableReading* now = state.table.get();
  if (now != nullptr && now->of == state.runs.shown && now->words == state.search &&
      now->range == state.timeline.range && now->sort == state.table_sort)
    return std::nullopt;
  TableReading due;
  due.of = state.runs.shown;
  due.words = state.search;
  due.range = state.timeline.range;
  due.sort = state.table_sort;
  return due;
}

std::optional<RangeReading> range_due(const State& state) {
  if (!state.runs.shown || (!state.timeline.range && state.timeline.marks.empty())) return std::nullopt;
  const RangeReading* now = state.range_reading.get();
  if (now != nullptr && now->of == state.runs.shown && now->range == state.timeline.range &&
      now->marks == state.timeline.marks)
    return std::nullopt;
  RangeReading due;
  due.of = state.runs.shown;
  due.range = state.timeline.range;
  due.marks = state.timeline.marks;
  return due;
}

TableReading read(TableReading due, const TableReading* before) {
  const trace::Trace& trace = due.of->run->trace;
  auto query = reading::parse_query(due.words);
  due.read = due.words;
  if (!query) {
    due.error = query.error();
    due.read = due.words.substr(0, due.error->readable);
    query = reading::parse_query(due.read);
  }
  const bool same_range = before != nullptr && before->of == due.of && before->range == due.range;
  const bool same_rows = same_range && before->read == due.read;
  if (same_range)
    due.in_range = before->in_range;
  else
    due.in_range = reading::histogram(trace, reading::find_operations(trace, {}, due.range).rows);
  if (same_rows) {
    due.matches = before->matches;
    due.matched = before->matched;
    due.lit = before->lit;
  } else {
    due.matches = std::make_shared<const reading::Matches>(reading::find_operations(trace, *query, due.range));
    const auto& meant = due.matches->meant;
    if (meant && std::count(meant->begin(), meant->end(), true) <= static_cast<std::ptrdiff_t>(kMostLit))
      due.lit = std::make_shared<const timeline::SearchHighlight>(timeline::search_highlight(due.of->tracks, *meant));
    due.matched = query->terms.empty() ? due.in_range : reading::histogram(trace, due.matches->rows);
  }
  if (due.sort == reading::TableSort{})
    due.rows = {due.matches, &due.matches->rows};  // the same rows, kept by the matches
  else if (same_rows && before->sort == due.sort)
    due.rows = before->rows;
  else
    due.rows = std::make_shared<const reading::Rows>(reading::sorted(trace, due.matches->rows, due.sort));
  return due;
}

RangeReading read(RangeReading due) {
  const trace::Run& run = *due.of->run;
  if (due.range) {
    due.analysis = analysis::analyse(run.trace, *due.range);
    due.noise = analysis::figure_noise(run, due.analysis, *due.range);
  }
  std::vector<trace::Interval> intervals = due.marks;
  if (due.range) intervals.push_back(*due.range);
  due.in_marks = analysis::operations_in(run.trace, intervals);
  if (due.range) {
    due.operations = due.in_marks.back();
    due.in_marks.pop_back();
  }
  return due;
}

std::shared_ptr<const timeline::SearchHighlight> lit(const State& state) {
  if (state.search.empty() || !state.table || state.table->of != state.runs.shown) return nullptr;
  return state.table->lit;
}

OperationIndex next_match(const State& state, int direction) {
  if (!state.table || state.table->rows->size() == 0) return kNoOperation;
  const TableReading& table = *state.table;
  const trace::Trace& trace = table.of->run->trace;
  const std::size_t count = table.rows->size();
  const auto place = trace::find_index(trace, state.timeline.selected);
  const auto row = place ? table.rows->find(static_cast<std::uint32_t>(*place)) : std::nullopt;
  const std::size_t first = direction > 0 ? 0 : count - 1;
  const std::size_t next = !row ? first : (*row + (direction > 0 ? 1 : count - 1)) % count;
  return trace::span_at(trace, (*table.rows)[next]).operation;
}

}  // namespace streamscope::window
