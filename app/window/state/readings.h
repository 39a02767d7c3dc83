// What the table of operations, its histogram and the summary of a range say of the run in view. Each is made once for
// what it follows from (run, search, range, order, marks), on the background thread where the run is large.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <variant>
#include <vector>

#include "app/reading/histogram.h"
#include "app/reading/operations.h"
#include "app/timeline/search_highlight.h"
#include "app/window/state/run_verdict.h"
#include "app/window/state/shown_run.h"

namespace streamscope::window {

struct TableReading {
  std::shared_ptr<const ShownRun> of;
  std::string words;  // of the search
  std::optional<trace::Interval> range;
  reading::TableSort sort;
  std::optional<reading::QueryError> error;  // of the words; then all below is of what stands before it
  std::string read;                          // those words
  std::shared_ptr<const reading::Matches> matches;
  std::shared_ptr<const reading::Rows> rows;  // of the matches, sorted
  reading::Histogram in_range, matched;
  std::shared_ptr<const timeline::SearchHighlight>
      highlight;  // of the query, wherever the range lies; null: all, or too many
};

struct RangeReading {
  std::shared_ptr<const ShownRun> of;
  std::optional<trace::Interval> range;
  std::vector<trace::Interval> marks;
  std::shared_ptr<const RunVerdict> verdict;  // null: not known (yet)
  // Of the range, where there is one
  analysis::Analysis analysis;
  analysis::FigureNoise noise;
  std::size_t operations = 0;
  std::vector<WaitTotal> waits;       // where there is a verdict
  std::vector<std::size_t> in_marks;  // operations in each of the marks
};

struct Readings {
  std::string search;
  reading::TableSort sort;
  // What was read last, maybe of another run or search than those in view, and whether it is being made.
  std::shared_ptr<const TableReading> table;
  std::shared_ptr<const RangeReading> range;
  bool table_under_way = false, range_under_way = false;
};

namespace command {
struct Search {  // among the operations; see app/reading/query.h
  std::string words;
};
struct SortTable {
  reading::TableSort sort;
};
struct TableRequested {};
struct TableRead {
  std::shared_ptr<const TableReading> reading;  // null: what was read is of no use any more
};
struct RangeRequested {};
struct RangeRead {
  std::shared_ptr<const RangeReading> reading;  // likewise
};
}  // namespace command

using ReadingsCommand = std::variant<command::Search, command::SortTable, command::TableRequested, command::TableRead,
                                     command::RangeRequested, command::RangeRead>;
void update(Readings& readings, const ReadingsCommand& command);

// Fills in the rest; `before` is the reading so far, whose parts are taken over where they are the same. May take a
// second for ten million operations.
TableReading read(TableReading due, const TableReading* before);
RangeReading read(RangeReading due);

// More are not lit on the timeline, to save memory: each costs about 60 bytes.
inline constexpr std::size_t kMostLit = 2'000'000;
}  // namespace streamscope::window
