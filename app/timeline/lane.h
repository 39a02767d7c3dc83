// One row of disjoint spans, and what of it shows at a zoom. The cost of a view follows its pixels, not the spans.
//
// A span covers the pixels that pixels() of view.h says, at least one. A pixel column that some span covers is drawn,
// all others are not: none vanishes however short, none is invented. Each drawn column belongs to the longest of the
// spans that cover it, so a copy, a kernel and a copy that touch keep their own colours as long as they have columns of
// their own; neighbouring columns of one span are one run.
//
// How: spans are sorted and disjoint, so both ends of their pixels are monotone, and a galloping search finds those of
// the next column; a fan-out-16 forest of the longest spans (0.8 B a span) says which of them owns it.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "app/timeline/view.h"

namespace streamscope {

struct Lane {
  // Sorted and disjoint: start[i] <= end[i] <= start[i + 1].
  std::vector<Nanoseconds> start, end;
  std::vector<std::uint32_t> span;  // index into Trace::spans

  // Level 0 tells of every 16 spans which is the longest (the first of equals) and how long it is; level n of every 16
  // entries of level n - 1. Filled by index().
  struct Level {
    std::vector<Nanoseconds> duration;
    std::vector<std::uint32_t> longest;  // index into this lane
  };
  std::vector<Level> levels;

  std::uint32_t size() const { return static_cast<std::uint32_t>(start.size()); }
  bool empty() const { return start.empty(); }
};
void index(Lane& lane);  // to be called once when start and end are complete

// The columns [x0, x1) of the plot. Spans first..last of the lane lie under them; `longest` owns them.
struct PixelRun {
  std::int32_t x0 = 0, x1 = 0;
  std::uint32_t first = 0, last = 0, longest = 0;
  friend bool operator==(const PixelRun&, const PixelRun&) = default;
};
// Appends the runs within the columns [begin, end), from left to right, disjoint.
void emit(const Lane& lane, const View& view, std::int32_t begin, std::int32_t end, std::vector<PixelRun>& out);
// What lies under one column.
std::optional<PixelRun> under(const Lane& lane, const View& view, std::int32_t column);

}  // namespace streamscope
