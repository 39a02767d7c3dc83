// One row of disjoint spans, and what of it shows at a zoom. The cost of a view follows its pixels, not the spans.
//
// A span covers the pixel columns that pixels() of view.h says, at least one. A column that some span covers is drawn,
// all others are not: none vanishes however short, none is invented. What is drawn comes as runs, by two rules:
//
//   own     A span that fills at least kOwnColumns columns from edge to edge is a run of its own, with every column it
//           covers. The column in which two such spans meet is the longer one's (the first of equals).
//   merged  All other drawn columns that touch are one run, cut where a cell ends. Its colour is that of the longest
//           of its spans (the first of equals). A cell is kCellColumns columns wide; cells are counted from
//           the lane's first span, not from the plot's edge, so that colours stay where they are while the view pans.
//           The cut is at the first span with its first column in a later cell, among every grain()-th span of the
//           lane: 1 where spans are few, and where thousands lie in a cell as many as leave at least four such spans in
//           one.
//
// What the columns of a merged run consist of, density.h says: each span that was added with a class has its share.
//
// Which runs there are depends on the lane and the view, never on the columns that are asked for: what emit() cuts off
// at the edges is the same run, and under() agrees with emit() at every pixel.
//
// How: spans are sorted and disjoint, so both ends of their pixels are monotone. Between two spans with an empty column
// between them lies a gap of at least a pixel, and a pyramid of maxima over the gaps shows where the next one is; a
// second pyramid, over the durations, shows where the next span is that may have columns of its own, and who is the
// longest of a run. What is looked at of a lane in sight as a whole is its upper levels, which fit a cache: it is the
// misses that cost.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <vector>

#include "app/timeline/view.h"

namespace streamscope::timeline {

inline constexpr std::int64_t kOwnColumns = 2;
inline constexpr std::int64_t kCellColumns = 32;  // a power of two

// Level 0 has the greatest of every 16 values, level n of every 16 of level n - 1: 0.53 bytes a value. From level 1 on
// it also gets which value that is, the first of equals.
struct MaxPyramid {
  struct Level {
    std::vector<Nanoseconds> most;
    std::vector<std::uint32_t> which;  // level 0: empty
  };
  std::vector<Level> levels;
};

// Two classes below 16: what a span counts as where bars are coloured by kind, and by stream.
inline constexpr std::size_t kClasses = 16;
constexpr std::uint8_t class_pair(std::uint8_t by_kind, std::uint8_t by_stream) {
  return static_cast<std::uint8_t>(by_kind | by_stream << 4);
}
constexpr std::uint8_t class_of(std::uint8_t pair, std::size_t which) {
  return static_cast<std::uint8_t>(which == 0 ? pair & 15U : pair >> 4U);
}

// How long the spans before a block were busy, by class: 8 bytes for each class that the lane has and each block.
struct ClassSums {
  std::vector<std::uint8_t> classes;              // that the lane has, ascending
  std::array<std::uint8_t, kClasses> place{};     // of a class in `classes`
  std::uint32_t block = 16;                       // spans; 32 where there are many classes
  std::vector<std::uint64_t> before;              // nanoseconds; [block][place in `classes`]; sums may wrap around
  std::vector<std::vector<std::uint32_t>> brief;  // by place in `classes`: the spans that last 0 ns
};

struct Lane {
  // Sorted and disjoint: start[i] <= end(i) <= start[i + 1]. Lengths take 4 bytes where ends would take 8.
  std::vector<Nanoseconds> start;
  std::vector<std::uint32_t> length;  // nanoseconds; kLong: it is one of `long_spans`
  std::vector<std::uint32_t> span;    // index into Trace::spans
  std::vector<std::uint8_t> classes;  // of each span, a ClassPair; empty: this lane has none

  static constexpr std::uint32_t kLong = 0xFFFF'FFFF;
  struct LongSpan {
    std::uint32_t index = 0;
    Nanoseconds end = 0;
  };
  std::vector<LongSpan> long_spans;  // by index: spans of 4.29 s and more; in an hour 838 at most

  // Filled by index():
  MaxPyramid gaps;                  // from end(i) to start[i + 1]; the last has no end
  MaxPyramid durations;             // from start[i] to end(i)
  std::vector<Nanoseconds> sample;  // start[0], start[16], ...
  std::array<ClassSums, 2> sums;    // by the first class of the pair and by the second

  std::uint32_t size() const { return static_cast<std::uint32_t>(start.size()); }
  bool empty() const { return start.empty(); }
  Nanoseconds end(std::uint32_t i) const { return length[i] != kLong ? start[i] + length[i] : end_of_long(i); }
  std::uint32_t first_ending(Nanoseconds at) const;                 // then or later; size() where none does
  void add(Nanoseconds from, Nanoseconds to, std::uint32_t which);  // from <= to
  void add(Nanoseconds from, Nanoseconds to, std::uint32_t which, std::uint8_t pair);
  void end_last_at(Nanoseconds time);  // at or after its start, and before its end
  void reserve(std::size_t count);
  void shrink_to_fit();

 private:
  Nanoseconds end_of_long(std::uint32_t i) const;
};
void index(Lane& lane);  // to be called once when all spans are added

// Among how many spans of the lane one can be the first of a merged run that is cut by a cell: 1, 16, 64, 256, ...
std::uint32_t grain(const Lane& lane, const View& view);

// The columns [x0, x1) of the plot. Of a merged run, first..last are its spans, on either side of the plot's edge too
// (at a cut, those of the column next to it that come before the cut as well), and `longest` is the one whose colour it
// has; of a span's own run all three are that span.
struct PixelRun {
  std::int32_t x0 = 0, x1 = 0;
  std::uint32_t first = 0, last = 0, longest = 0;
  friend bool operator==(const PixelRun&, const PixelRun&) = default;
};
// Whether it shows one span and nothing else: only such a run can be named.
inline bool alone(const PixelRun& run) { return run.first == run.last; }

// Appends the runs within the columns [begin, end), from left to right, disjoint.
void emit(const Lane& lane, const View& view, std::int32_t begin, std::int32_t end, std::vector<PixelRun>& out);
// What is drawn in one column: emit()'s run, cut to it. Where that is a span's own, first..last are those that cover
// this very column, for what is shorter may hide at its edges.
std::optional<PixelRun> under(const Lane& lane, const View& view, std::int32_t column);

}  // namespace streamscope::timeline
