// Counters of a trace as rows below its tracks: values that change, each drawn as an area from 0 to its largest.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "app/timeline/layout_options.h"
#include "engine/base/time.h"

namespace streamscope::timeline {

// A value holds from each time until the next; times ascend.
struct CounterRow {
  std::string name;
  std::vector<Nanoseconds> times;
  std::vector<double> values;
  double least = 0, most = 0;  // of all values and 0
};
CounterRow counter_row(std::string name, std::vector<Nanoseconds> times, std::vector<double> values);

int counter_height(const LayoutOptions& options);  // of one row, pixels
// How many of the rows have room: a third of the picture is theirs at most. And how tall they are together.
std::size_t counters_shown(const LayoutOptions& options);
int counters_height(const LayoutOptions& options);
// The largest value that the row has in the column [from, to), or what it holds there; nothing before its first.
std::optional<double> value_in(const CounterRow& row, Nanoseconds from, Nanoseconds to);

}  // namespace streamscope::timeline
