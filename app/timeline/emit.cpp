#include <algorithm>
#include <limits>

#include "app/timeline/lane.h"
#include "app/timeline/lane_search.h"

namespace streamscope::timeline {

namespace {

// A lane in a view. Columns are turned into times and compared as such: no division for each span that is looked at.
class LaneRasterizer {
 public:
  LaneRasterizer(const Lane& lane, const View& view)
      : lane_(lane),
        view_(view),
        origin_(std::clamp(view.origin, -kFurthest * kFine, kFurthest * kFine)),
        cells_(lane.empty() ? 0 : column(view, lane.start.front())),
        pixel_(ceil_div(view.scale, kFine)),
        own_(ceil_div(kOwnColumns * view.scale, kFine)),
        grain_(grain(lane, view)),
        next_gap_(lane, pixel_) {}

  void emit(std::int64_t begin, std::int64_t end, std::vector<PixelRun>& out) {
    // Beyond these columns no time is drawn, and no product overflows before them.
    const std::int64_t furthest = (std::int64_t{1} << 62) / view_.scale;
    begin_ = std::max(begin, -furthest);
    end_ = std::min(end, furthest);
    if (lane_.empty() || begin_ >= end_) return;
    out_ = &out;
    at_ = covering(0, begin_);
    if (at_ == lane_.size()) return;
    x_ = column(view_, lane_.start[at_]);
    if (x_ <= begin_ && !has_own(at_)) back_to_cut();
    walk();
    resolve_longest();
  }

  // The first span at or after `from` that covers column x or one to its right.
  std::uint32_t covering(std::uint32_t from, std::int64_t x) const {
    const std::int64_t edge = origin_ + x * view_.scale;
    const Nanoseconds starts = limit(ceil_div(edge, kFine)), ends = limit(floor_div(edge, kFine) + 1);
    return lane_search::gallop(from, lane_.size(), [&](std::uint32_t i) {
      return std::min(lane_.end(i), kFurthest) >= ends || std::min(lane_.start[i], kFurthest) >= starts;
    });
  }
  // The first span at or after `from` whose first column is x or one to its right.
  std::uint32_t starting(std::uint32_t from, std::int64_t x) const {
    return lane_search::gallop(from, lane_.size(),
                               [&, edge = time_of(x)](std::uint32_t i) { return !before(i, edge); });
  }

 private:
  static std::int64_t floor_div(std::int64_t a, std::int64_t b) { return a / b - (a % b < 0 ? 1 : 0); }
  static std::int64_t ceil_div(std::int64_t a, std::int64_t b) { return a / b + (a % b > 0 ? 1 : 0); }

  // Times are drawn as if they lay within kFurthest (view.h).
  static Nanoseconds limit(Nanoseconds time) {
    return time <= -kFurthest ? std::numeric_limits<Nanoseconds>::min() : time;
  }
  // The first time in column x or to its right.
  Nanoseconds time_of(std::int64_t x) const { return limit(ceil_div(origin_ + x * view_.scale, kFine)); }
  bool before(std::uint32_t i, Nanoseconds edge) const { return std::min(lane_.start[i], kFurthest) < edge; }

  void walk() {
    for (; at_ < lane_.size(); at_ = covering(at_, x_)) {
      x_ = std::max(x_, column(view_, lane_.start[at_]));
      if (x_ >= end_) return;
      if (wide_ < at_) wide_ = lane_search::next_of(lane_search::Durations{lane_}, lane_.size(), at_, own_);
      if (wide_ == at_ && has_own(at_))
        own_run();
      else
        merged_run();
    }
  }

  std::int64_t cell_end(std::int64_t x) const { return x - ((x - cells_) & (kCellColumns - 1)) + kCellColumns; }
  std::int64_t past(std::uint32_t i) const { return pixels(view_, lane_.start[i], lane_.end(i)).x1; }

  // Whether it fills enough columns from edge to edge.
  bool has_own(std::uint32_t i) const {
    const auto fine = [&](Nanoseconds time) { return std::clamp(time, -kFurthest, kFurthest) * kFine - origin_; };
    return fine(lane_.end(i)) >= (ceil_div(fine(lane_.start[i]), view_.scale) + kOwnColumns) * view_.scale;
  }

  void push(std::int64_t x1, std::uint32_t first, std::uint32_t last, std::uint32_t longest) {
    const std::int64_t from = std::max(x_, begin_), to = std::min(x1, end_);
    if (from < to)
      out_->push_back({static_cast<std::int32_t>(from), static_cast<std::int32_t>(to), first, last, longest});
    x_ = x1;
  }

  void own_run() {
    const std::uint32_t i = at_;
    std::int64_t x1 = past(i);
    // Only the last column can be shared with another such span.
    const std::uint32_t next = covering(i + 1, x1);
    if (next < lane_.size() && before(next, time_of(x1)) &&
        lane_search::Durations{lane_}(next) > lane_search::Durations{lane_}(i) && has_own(next))
      --x1;
    push(x1, i, i, i);
    at_ = next;
  }

  // Of the spans that may begin a merged run, counted by grains.
  Nanoseconds start_of(std::uint32_t i) const {
    return grain_ < lane_search::kSample ? lane_.start[i * grain_] : lane_.sample[i * (grain_ / lane_search::kSample)];
  }
  // The first of them at or after `from` with its first column in or right of x.
  std::uint32_t cut_at(std::uint32_t from, std::int64_t x) const {
    const std::uint32_t count = (lane_.size() + grain_ - 1) / grain_;
    const std::uint32_t found = lane_search::gallop(
        from, count, [&, edge = time_of(x)](std::uint32_t i) { return std::min(start_of(i), kFurthest) >= edge; });
    return found == count ? lane_.size() : found * grain_;
  }

  // From the span under the first column asked for to where its run begins at the earliest.
  void back_to_cut() {
    const std::uint32_t first = cut_at(0, cell_end(column(view_, start_of(at_ / grain_))) - kCellColumns);
    x_ = column(view_, lane_.start[first]);
    // A column that is shared with a span before it is that one's only if it is its own.
    const std::uint32_t shared = covering(0, x_);
    at_ = has_own(shared) ? shared : first;
  }

  void merged_run() {
    const std::int64_t cell = cell_end(column(view_, start_of(at_ / grain_)));
    const Nanoseconds cell_edge = time_of(cell);
    const std::uint32_t size = lane_.size();
    if (wide_ <= at_) wide_ = lane_search::next_of(lane_search::Durations{lane_}, size, at_ + 1, own_);
    if (gap_ < at_) gap_ = next_gap_(at_);
    std::uint32_t cut = 0;  // not searched yet
    for (;;) {
      const std::uint32_t next = std::min(wide_, gap_);
      if (cut == 0 && !before(next, cell_edge)) cut = cut_at(at_ / grain_ + 1, cell);
      if (cut != 0 && next >= cut) {
        if (const std::int64_t stop = column(view_, lane_.start[cut]); stop > x_) draw_merged(stop, cut);
        at_ = cut;
        return;
      }
      if (wide_ <= gap_) {
        if (has_own(wide_)) {
          const std::int64_t stop = column(view_, lane_.start[wide_]);
          if (stop > x_) draw_merged(stop, before(wide_ - 1, time_of(stop)) ? wide_ : starting(at_, stop));
          at_ = wide_;
          return;
        }
        wide_ = lane_search::next_of(lane_search::Durations{lane_}, size, wide_ + 1, own_);
      } else {
        const std::int64_t stop = past(gap_);
        if (gap_ + 1 == size || !before(gap_ + 1, time_of(stop + 1))) {
          draw_merged(stop, gap_ + 1);
          at_ = gap_ + 1;
          return;
        }
        gap_ = next_gap_(gap_ + 1);
      }
    }
  }
  void draw_merged(std::int64_t x1, std::uint32_t end) {
    if (end - 1 == at_) return push(x1, at_, at_, at_);
    resolve_longest();
    const std::size_t before = out_->size();
    push(x1, at_, end - 1, at_);
    if (out_->size() == before) return;
    longest_ = lane_search::LongestSpan(lane_).of(at_, end - 1);
    unresolved_run_ = before;
    lane_search::fetch(lane_.length, longest_.from, longest_.from + lane_search::kFanOut);
  }
  // Of the last merged run.
  void resolve_longest() {
    if (unresolved_run_ == kNoRun) return;
    (*out_)[unresolved_run_].longest = lane_search::resolve(lane_, longest_);
    unresolved_run_ = kNoRun;
  }

  const Lane& lane_;
  const View view_;
  const std::int64_t origin_;
  const std::int64_t cells_;       // the column that the first cell begins with
  const Nanoseconds pixel_, own_;  // the least gap with an empty column in it, the least duration with own columns
  const std::uint32_t grain_;
  lane_search::NextGap next_gap_;
  std::int64_t begin_ = 0, end_ = 0;
  std::vector<PixelRun>* out_ = nullptr;

  std::int64_t x_ = 0;      // all left of it is drawn
  std::uint32_t at_ = 0;    // the first span that covers a column from x_ on
  std::uint32_t wide_ = 0;  // at or after at_: the next that is as long as own_
  std::uint32_t gap_ = 0;   // at or after at_: the next with a gap of pixel_ behind it
  static constexpr std::size_t kNoRun = std::numeric_limits<std::size_t>::max();
  std::size_t unresolved_run_ = kNoRun;  // this run's
  lane_search::LongestHint longest_;
};

}  // namespace

std::uint32_t grain(const Lane& lane, const View& view) {
  if (lane.empty()) return 1;
  const double cells = static_cast<double>(lane_search::distance(lane.start.front(), lane.end(lane.size() - 1))) *
                       kFine / (static_cast<double>(view.scale) * static_cast<double>(kCellColumns));
  const double in_a_cell = static_cast<double>(lane.size()) / std::max(cells, 1.0);
  if (in_a_cell < 4 * lane_search::kFanOut) return 1;
  std::uint32_t grain = lane_search::kFanOut;
  while (16.0 * grain <= in_a_cell) grain *= 4;
  return grain;
}

void emit(const Lane& lane, const View& view, std::int32_t begin, std::int32_t end, std::vector<PixelRun>& out) {
  LaneRasterizer(lane, view).emit(begin, end, out);
}

std::optional<PixelRun> under(const Lane& lane, const View& view, std::int32_t at) {
  std::vector<PixelRun> runs;
  LaneRasterizer rasterizer(lane, view);
  rasterizer.emit(at, std::int64_t{at} + 1, runs);
  if (runs.empty()) return std::nullopt;
  PixelRun run = runs.front();
  if (alone(run)) {
    run.first = rasterizer.covering(0, at);
    run.last = rasterizer.starting(run.first, std::int64_t{at} + 1) - 1;
  }
  return run;
}

}  // namespace streamscope::timeline
