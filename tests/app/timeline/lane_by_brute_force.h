// What a lane shows, span by span.
#pragma once

#include <algorithm>
#include <cstdint>
#include <optional>
#include <vector>

#include "app/timeline/lane.h"

namespace streamscope::timeline {

struct Piece {
  Nanoseconds start, end;
};
using Pieces = std::vector<Piece>;

inline Lane lane_of(const Pieces& pieces) {
  Lane lane;
  for (const Piece& piece : pieces) lane.add(piece.start, piece.end, lane.size());
  index(lane);
  return lane;
}

// The rule of docs/window.md and of lane.h, said once more in 128 bits, column by column and without any search.
class ByBruteForce {
 public:
  ByBruteForce(const Pieces& pieces, const View& view, std::uint32_t grain)
      : pieces_(pieces), view_(view), grain_(grain) {}

  bool covers(std::uint32_t i, std::int64_t x) const {
    const Wide s = from_edge(pieces_[i].start), e = from_edge(pieces_[i].end), q = view_.scale;
    const bool holds_start = x * q <= s && s < (x + 1) * q;
    const bool overlaps = s < (x + 1) * q && x * q < e;
    return holds_start || overlaps;
  }

  // What is drawn in columns [begin, end). A run may begin and end outside.
  std::vector<PixelRun> all(int begin, int end) const {
    struct Column {
      std::uint32_t first = 0, last = 0;
      bool drawn = false, owned = false, cut = false;
      std::uint32_t owner = 0, at_cut = 0;
    };
    // As far out as any merged run of these columns can reach.
    std::int64_t left = begin, right = end;
    for (std::uint32_t i = 0; i < pieces_.size(); ++i) {
      if (x0(i) <= begin && x0(i) > begin - kFar) left = std::min(left, x0(i) - 2);
      if (x0(i) >= end - 2 && x0(i) < end + kFar) right = std::max(right, x0(i) + 4);
    }
    const auto count = static_cast<std::size_t>(right - left);
    std::vector<Column> columns(count);
    for (std::uint32_t i = 0; i < pieces_.size(); ++i) {
      const bool own = has_own(i);
      for (std::int64_t x = std::max(left, x0(i)); x < right && covers(i, x); ++x) {
        Column& column = columns[static_cast<std::size_t>(x - left)];
        if (!column.drawn) column.first = i;
        column.last = i;
        column.drawn = true;
        if (!own) continue;
        if (!column.owned || length(i) > length(column.owner)) column.owner = i;
        column.owned = true;
      }
      if (is_cut(i) && x0(i) >= left && x0(i) < right) {
        Column& column = columns[static_cast<std::size_t>(x0(i) - left)];
        column.cut = true;
        column.at_cut = i;
      }
    }
    std::vector<PixelRun> out;
    std::size_t to = 0;
    for (std::size_t from = 0; from < count; from = to) {
      const Column& head = columns[from];
      to = from + 1;
      if (!head.drawn) continue;
      PixelRun run{0, 0, head.owner, head.owner, head.owner};
      if (!head.owned) run = {0, 0, head.cut ? head.at_cut : head.first, head.last, 0};
      for (; to < count; ++to) {
        const Column& next = columns[to];
        if (!next.drawn) break;
        const bool cut = !head.owned && next.cut && (!next.owned || next.at_cut <= next.owner);
        if (cut) run.last = next.at_cut - 1;
        if (cut || next.owned != head.owned || (head.owned && next.owner != head.owner)) break;
        if (!head.owned) run.last = next.last;
      }
      if (!head.owned) {
        run.longest = run.first;
        for (std::uint32_t i = run.first; i <= run.last; ++i)
          if (length(i) > length(run.longest)) run.longest = i;
      }
      run.x0 = static_cast<std::int32_t>(std::max<std::int64_t>(left + static_cast<std::int64_t>(from), begin));
      run.x1 = static_cast<std::int32_t>(std::min<std::int64_t>(left + static_cast<std::int64_t>(to), end));
      if (run.x0 < run.x1) out.push_back(run);
    }
    return out;
  }

 private:
  using Wide = __int128;
  static Wide floor_of(Wide a, Wide b) { return a / b - (a % b < 0 ? 1 : 0); }
  Wide from_edge(Nanoseconds time) const { return Wide{time} * kFine - view_.origin; }
  Wide length(std::uint32_t i) const { return Wide{pieces_[i].end} - pieces_[i].start; }
  std::int64_t x0(std::uint32_t i) const {
    return static_cast<std::int64_t>(floor_of(from_edge(pieces_[i].start), view_.scale));
  }
  // Counted from the first span.
  Wide cell_of(std::int64_t x) const { return floor_of(x - x0(0), kCellColumns); }
  // The first of its cell among those that may begin a run.
  bool is_cut(std::uint32_t i) const { return i % grain_ == 0 && i > 0 && cell_of(x0(i - grain_)) < cell_of(x0(i)); }
  bool has_own(std::uint32_t i) const {
    const Wide q = view_.scale;
    const Wide first = -floor_of(-from_edge(pieces_[i].start), q), end = floor_of(from_edge(pieces_[i].end), q);
    return end - first >= kOwnColumns;
  }

  static constexpr std::int64_t kFar = 20'000;
  const Pieces& pieces_;
  View view_;
  std::uint32_t grain_;
};

}  // namespace streamscope::timeline
