#include "app/window/state/readings.h"

#include <algorithm>

namespace streamscope::window {
namespace {

struct ReadingsUpdate {
  Readings& readings;

  void operator()(const command::Search& c) { readings.search = c.words; }
  void operator()(const command::SortTable& c) { readings.sort = c.sort; }
  void operator()(const command::TableRequested&) { readings.table_under_way = true; }
  void operator()(const command::TableRead& c) {
    readings.table = c.reading;
    readings.table_under_way = false;
  }
  void operator()(const command::RangeRequested&) { readings.range_under_way = true; }
  void operator()(const command::RangeRead& c) {
    readings.range = c.reading;
    readings.range_under_way = false;
  }
};

}  // namespace

void update(Readings& readings, const ReadingsCommand& command) { std::visit(ReadingsUpdate{readings}, command); }

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
    due.highlight = before->highlight;
  } else {
    due.matches = std::make_shared<const reading::Matches>(reading::find_operations(trace, *query, due.range));
    const auto& meant = due.matches->meant;
    if (meant && std::count(meant->begin(), meant->end(), true) <= static_cast<std::ptrdiff_t>(kMostLit))
      due.highlight =
          std::make_shared<const timeline::SearchHighlight>(timeline::search_highlight(due.of->tracks, *meant));
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
    if (has_entries(due.verdict.get())) due.waits = wait_totals(*due.verdict, *due.range);
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

}  // namespace streamscope::window
