// The critical path as one line over the rows: along the lower edge of the bars that it goes through, and straight up
// or down at the instants at which it goes on in another row.
//
//   path_line(trace, tracks, path)   once for each run
//   path_strokes(line, ...)          once for each view; the cost follows the pixels, not the pieces of the path
#pragma once

#include <bitset>
#include <compare>
#include <cstdint>
#include <functional>
#include <optional>
#include <vector>

#include "app/timeline/tracks.h"
#include "app/timeline/view.h"
#include "engine/verdict/critical_path.h"

namespace streamscope::timeline {

// Lanes of tracks, known by the tracks' names, so that a picture may leave tracks out: where the first is not shown,
// the line runs in the second.
struct PathLane {
  TrackKey track;
  std::uint32_t lane = 0;
  friend auto operator<=>(const PathLane&, const PathLane&) = default;
};
struct PathRow {
  PathLane first;
  std::optional<PathLane> second;
  friend auto operator<=>(const PathRow&, const PathRow&) = default;
};
inline constexpr std::size_t kMarkedRows = 256;
using RowsTouched = std::bitset<kMarkedRows>;

struct PathLine {
  std::vector<PathRow> rows;  // that the path goes through, each once
  // Its legs, in order of time, each from where the one before ended. What follows in the same row is one leg.
  std::vector<Nanoseconds> start;
  std::vector<std::uint32_t> row;  // index into `rows`
  Nanoseconds end = 0;             // of the last
  // Which rows 64 legs go through, then 64 times 64, and so on. Empty where there are more rows than kMarkedRows, and
  // then all legs in sight are looked at.
  std::vector<std::vector<RowsTouched>> touched;

  std::uint32_t size() const { return static_cast<std::uint32_t>(start.size()); }
  Nanoseconds end_of(std::uint32_t leg) const { return leg + 1 < size() ? start[leg + 1] : end; }
};

// What the device does is in its stream's row, and in its engine's; what the host does in its thread's. A piece
// without a row of its own, such as time that nothing explains, is drawn in the row of the piece before it.
PathLine path_line(const trace::Trace& trace, const Tracks& tracks, const verdict::Path& path);

// A part of the line, along a row or from row to row: columns of the plot, rows of the picture. Not clipped to rows.
struct PathStroke {
  std::int64_t x0 = 0, x1 = 0;
  int y0 = 0, y1 = 0;
  friend bool operator==(const PathStroke&, const PathStroke&) = default;
};
// From left to right, each from where the one before it ends, within the columns [0, width). `height_of` says at which
// row of the picture a row of the path is drawn; nothing: it is not shown, and the line has a gap there. Of all that
// goes on within one column the line goes through all rows.
std::vector<PathStroke> path_strokes(const PathLine& line, const View& view, int width,
                                     const std::function<std::optional<int>(const PathRow&)>& height_of);

}  // namespace streamscope::timeline
