#include "app/window/state/state.h"

#include <cctype>

namespace streamscope::window {

std::string ghost_of(const State& state) {
  if (!state.settings.predict || !state.runs.shown || !state.runs.shown->with_ghosts) return {};
  return state.runs.shown->run->prediction->trace.provenance.profile;
}

const timeline::Tracks& tracks_in_view(const State& state) {
  return ghost_of(state).empty() ? state.runs.shown->tracks : *state.runs.shown->with_ghosts;
}

std::optional<trace::Span> span_of(const State& state, OperationIndex operation) {
  if (!state.runs.shown || operation == kNoOperation) return std::nullopt;
  return trace::find_span(state.runs.shown->run->trace, operation);
}

bool of_another_tool(const State& state) {
  return state.runs.shown && trace::of_another_tool(state.runs.shown->run->trace.provenance);
}

std::shared_ptr<const RunVerdict> verdict_in_view(const State& state) {
  if (!state.runs.shown || state.runs.shown->number == 0) return nullptr;
  const auto found = state.verdicts.found.find(state.runs.shown->number);
  return found == state.verdicts.found.end() ? nullptr : found->second;
}

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
  const RangeReading* now = range_in_view(state);
  const auto verdict = verdict_in_view(state);
  if (now != nullptr && now->marks == state.timeline.marks && now->verdict == verdict) return std::nullopt;
  RangeReading due;
  due.verdict = verdict;
  due.of = state.runs.shown;
  due.range = state.timeline.range;
  due.marks = state.timeline.marks;
  return due;
}

std::optional<CudaWanted> cuda_due(const State& state) {
  const Workspace& looks = state.workspace;
  const bool seen = looks.cuda_open && looks.dock_open && looks.dock == command::Dock::program;
  if (!seen || of_another_tool(state) || state.cuda.asked == state.editing.version) return std::nullopt;
  return CudaWanted{state.editing.version, state.editing.program, cuda_name(state)};
}

std::uint32_t selected_line(const State& state) {
  const std::optional<trace::Span> span = span_of(state, state.timeline.selected);
  return span && state.runs.shown->run->program == state.editing.program ? span->line : 0;
}

std::string cuda_name(const State& state) {
  const std::string& name = state.editing.own_program ? state.editing.own.name : state.editing.experiment_name;
  std::string file = name.empty() ? "program" : name;
  // A shell is to take it as one word: "example of event".
  for (char& c : file)
    if (static_cast<unsigned char>(c) < 0x80 && std::isalnum(static_cast<unsigned char>(c)) == 0 && c != '-' &&
        c != '.')
      c = '_';
  return file + ".cu";
}

const RangeReading* range_in_view(const State& state) {
  const RangeReading* read = state.readings.range.get();
  const bool newest = read != nullptr && read->of == state.runs.shown && read->range == state.timeline.range;
  return newest ? read : nullptr;
}

std::shared_ptr<const timeline::SearchHighlight> search_highlight(const State& state) {
  if (state.readings.search.empty() || !state.readings.table || state.readings.table->of != state.runs.shown)
    return nullptr;
  return state.readings.table->highlight;
}

}  // namespace streamscope::window
