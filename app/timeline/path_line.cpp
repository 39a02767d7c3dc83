#include "app/timeline/path_line.h"

#include <algorithm>
#include <map>

#include "app/timeline/lane_search.h"

namespace streamscope::timeline {
namespace {

using verdict::PieceKind;

constexpr std::uint32_t kNoRow = 0xFFFF'FFFFu;
constexpr std::size_t kFanOut = 64;

bool on_host(PieceKind kind) {
  switch (kind) {
    case PieceKind::call:
    case PieceKind::work:
    case PieceKind::wake:
    case PieceKind::between_calls:
    case PieceKind::thread_start: return true;
    case PieceKind::execution:
    case PieceKind::hand_over:
    case PieceKind::wait:
    case PieceKind::unexplained: break;
  }
  return false;
}

// Finds the row of each piece. Tracks are few, and an operation's is mostly that of the one before it.
class Rows {
 public:
  Rows(const trace::Trace& trace, const Tracks& tracks) : trace_(trace) {
    for (const Track& track : tracks.tracks)
      if (track.kind != TrackKind::inside) tracks_.emplace(key(track), &track);
  }

  std::uint32_t of(const verdict::Piece& piece) {
    if (piece.operation >= trace::span_count(trace_)) return kNoRow;
    const trace::Span span = trace::span_at(trace_, piece.operation);
    const auto in = [&](TrackKind kind, std::uint32_t id) { return lane({kind, id}, span, piece.operation); };
    if (on_host(piece.kind)) return number_of(in(TrackKind::host, span.thread), std::nullopt);
    std::optional<PathLane> stream;
    if (span.stream != trace::Span::kNoStream) stream = in(TrackKind::stream, span.stream);
    const std::optional<PathLane> engine = in(TrackKind::engine, number(trace::queue_of(span)));
    return stream || engine ? number_of(stream, engine) : number_of(in(TrackKind::host, span.thread), std::nullopt);
  }
  std::vector<PathRow> all() && { return std::move(all_); }

 private:
  std::optional<PathLane> lane(const TrackKey& wanted, const trace::Span& span, OperationIndex index) const {
    const auto track = tracks_.find(wanted);
    if (track == tracks_.end()) return std::nullopt;
    // What has no bar, such as a call that was not seen, is drawn in the first lane.
    return PathLane{wanted, static_cast<std::uint32_t>(lane_of(*track->second, span, index).value_or(0))};
  }
  std::uint32_t number_of(std::optional<PathLane> first, std::optional<PathLane> second) {
    if (!first) std::swap(first, second);
    if (!first) return kNoRow;
    const PathRow row{*first, second};
    const auto [at, is_new] = numbers_.try_emplace(row, static_cast<std::uint32_t>(all_.size()));
    if (is_new) all_.push_back(row);
    return at->second;
  }

  const trace::Trace& trace_;
  std::map<TrackKey, const Track*> tracks_;
  std::map<PathRow, std::uint32_t> numbers_;
  std::vector<PathRow> all_;
};

void note_touched(PathLine& line) {
  line.touched.clear();
  if (line.rows.size() > kMarkedRows) return;
  for (std::size_t below = line.row.size(); below > kFanOut;) {
    std::vector<RowsTouched> level((below + kFanOut - 1) / kFanOut);
    for (std::size_t i = 0; i < below; ++i) {
      if (line.touched.empty())
        level[i / kFanOut].set(line.row[i]);
      else
        level[i / kFanOut] |= line.touched.back()[i];
    }
    below = level.size();
    line.touched.push_back(std::move(level));
  }
}

// The rows of the legs [first, end).
RowsTouched rows_touched(const PathLine& line, std::size_t first, std::size_t end) {
  RowsTouched out;
  for (std::size_t level = 0; first < end; ++level) {
    const auto add = [&](std::size_t i) {
      if (level == 0)
        out.set(line.row[i]);
      else
        out |= line.touched[level - 1][i];
    };
    if (level == line.touched.size() || end - first <= 2 * kFanOut) {
      for (std::size_t i = first; i < end; ++i) add(i);
      break;
    }
    for (; first % kFanOut != 0; ++first) add(first);
    for (; end % kFanOut != 0; --end) add(end - 1);
    first /= kFanOut;
    end /= kFanOut;
  }
  return out;
}

// Draws from left to right; what is not shown leaves a gap.
class Pen {
 public:
  explicit Pen(std::vector<PathStroke>& to) : to_(to) {}
  void go(std::int64_t x, std::optional<int> y) {
    if (!y) {
      at_.reset();
      return;
    }
    if (at_ && at_->y0 != *y) to_.push_back({x, x, at_->y0, *y});
    at_ = PathStroke{x, x, *y, *y};
  }
  void along(std::int64_t x) {
    if (!at_ || x <= at_->x0) return;
    to_.push_back({at_->x0, x, at_->y0, at_->y0});
    at_->x0 = x;
  }

 private:
  std::vector<PathStroke>& to_;
  std::optional<PathStroke> at_;
};

}  // namespace

PathLine path_line(const trace::Trace& trace, const Tracks& tracks, const verdict::Path& path) {
  PathLine out;
  if (path.pieces.empty()) return out;
  Rows rows(trace, tracks);
  std::uint32_t before = kNoRow;
  for (const verdict::Piece& piece : path.pieces) {
    std::uint32_t row = rows.of(piece);
    if (row == kNoRow) row = before;
    if (row == kNoRow || row == before) continue;
    // What comes before the first row that is known belongs to that.
    out.start.push_back(out.start.empty() ? path.pieces.front().from : piece.from);
    out.row.push_back(row);
    before = row;
  }
  out.end = path.pieces.back().to;
  out.rows = std::move(rows).all();
  note_touched(out);
  return out;
}

std::vector<PathStroke> path_strokes(const PathLine& line, const View& view, int width,
                                     const std::function<std::optional<int>(const PathRow&)>& height_of) {
  std::vector<PathStroke> out;
  if (line.start.empty() || width <= 0) return out;
  std::vector<std::optional<int>> heights;
  heights.reserve(line.rows.size());
  for (const PathRow& row : line.rows) heights.push_back(height_of(row));
  const auto height = [&](std::uint32_t leg) { return heights[line.row[leg]]; };
  const std::int64_t last = column(view, line.end);
  if (column(view, line.start.front()) >= width || last < 0) return out;
  const auto ends_beyond = [&](std::int64_t x) {
    return [&line, &view, x](std::uint32_t leg) { return column(view, line.end_of(leg)) > x; };
  };

  Pen pen(out);
  std::uint32_t at = lane_search::gallop(0, line.size(), ends_beyond(-1));
  if (at == line.size()) return out;
  std::int64_t x = std::max<std::int64_t>(column(view, line.start[at]), 0);
  pen.go(x, height(at));
  for (;;) {
    // The leg at hand goes on to the column in which it ends; the legs after it that end there too are one stroke.
    const std::int64_t to = std::min<std::int64_t>(column(view, line.end_of(at)), width);
    pen.along(to);
    if (to >= width || at + 1 >= line.size()) break;
    const std::uint32_t next = std::min(lane_search::gallop(at + 1, line.size(), ends_beyond(to)), line.size() - 1);
    if (next > at + 1) {
      std::optional<int> top, bottom;
      const auto stretch = [&](std::optional<int> y) {
        if (!y) return;
        top = std::min(top.value_or(*y), *y);
        bottom = std::max(bottom.value_or(*y), *y);
      };
      if (line.rows.size() > kMarkedRows) {
        for (std::uint32_t leg = at; leg <= next; ++leg) stretch(height(leg));
      } else {
        const RowsTouched rows = rows_touched(line, at, next + 1);
        for (std::uint32_t row = 0; row < line.rows.size(); ++row)
          if (rows.test(row)) stretch(heights[row]);
      }
      if (top) {
        pen.go(to, top);
        pen.go(to, bottom);
      }
    }
    pen.go(to, height(next));
    at = next;
  }
  // A path within one column and one row is a dot.
  if (const auto y = height(at); out.empty() && y && line.size() == 1) out.push_back({x, x, *y, *y});
  return out;
}

}  // namespace streamscope::timeline
