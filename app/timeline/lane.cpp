#include "app/timeline/lane.h"

#include <algorithm>
#include <limits>

namespace streamscope {
namespace {

constexpr std::uint32_t kFanOut = 16;
constexpr std::uint32_t kSample = 64;  // one of so many starts stands in Lane::sample
constexpr Nanoseconds kEndless = std::numeric_limits<Nanoseconds>::max();

// The times of broken traces lie further apart than Nanoseconds can tell.
Nanoseconds distance(Nanoseconds from, Nanoseconds to) {
  const std::uint64_t apart = static_cast<std::uint64_t>(to) - static_cast<std::uint64_t>(from);
  return static_cast<Nanoseconds>(std::min(apart, static_cast<std::uint64_t>(kEndless)));
}

struct Durations {
  const Lane& lane;
  const Forest& forest = lane.durations;
  Nanoseconds operator()(std::uint32_t i) const {
    return lane.length[i] != Lane::kLong ? lane.length[i] : distance(lane.start[i], lane.end(i));
  }
};
struct Gaps {
  const Lane& lane;
  const Forest& forest = lane.gaps;
  Nanoseconds operator()(std::uint32_t i) const {
    return i + 1 < lane.size() ? distance(lane.end(i), lane.start[i + 1]) : kEndless;
  }
};

template <class Values>
void build(const Values& values, std::uint32_t count, Forest& forest) {
  forest.levels.clear();
  for (std::uint32_t below = count; below > kFanOut;) {
    const std::uint32_t here = (below + kFanOut - 1) / kFanOut;
    const Forest::Level* const under = forest.levels.empty() ? nullptr : &forest.levels.back();
    Forest::Level level;
    level.most.resize(here);
    if (under != nullptr) level.which.resize(here);
    for (std::uint32_t i = 0; i < here; ++i) {
      const std::uint32_t first = i * kFanOut, end = std::min(first + kFanOut, below);
      Nanoseconds most = -1;
      std::uint32_t which = first;
      for (std::uint32_t k = first; k < end; ++k) {
        const Nanoseconds value = under != nullptr ? under->most[k] : values(k);
        if (value > most) which = k;
        most = std::max(most, value);
      }
      level.most[i] = most;
      if (under == nullptr) continue;
      if (under->which.empty())
        for (which *= kFanOut; values(which) < most;) ++which;
      else
        which = under->which[which];
      level.which[i] = which;
    }
    forest.levels.push_back(std::move(level));
    below = here;
  }
}

// values[first] to values[last], or to where they end, are asked for soon. There are values, and first is one of them.
template <class T>
void fetch(const std::vector<T>& values, std::size_t first, std::size_t last) {
  constexpr std::size_t kStep = 64 / sizeof(T);  // a line of cache
  last = std::min(last, values.size() - 1);
  for (std::size_t i = first; i < last; i += kStep) __builtin_prefetch(values.data() + i);
  __builtin_prefetch(values.data() + last);
}

constexpr std::uint32_t kNoBlock = std::numeric_limits<std::uint32_t>::max();

// The first of level 0's blocks at or after `from` that holds a value of at least `least`; kNoBlock where none does.
std::uint32_t next_block(const Forest& forest, std::uint32_t from, Nanoseconds least) {
  const std::vector<Forest::Level>& levels = forest.levels;
  // Up: what is left of a block, then what is left of the blocks around it.
  std::uint32_t i = from;
  std::size_t level = 0;
  for (;; ++level) {
    if (level == levels.size()) return kNoBlock;
    const std::vector<Nanoseconds>& here = levels[level].most;
    const auto count = static_cast<std::uint32_t>(here.size());
    if (level > 0) i = (i + kFanOut - 1) / kFanOut;
    const std::uint32_t end = level + 1 == levels.size() ? count : std::min(count, (i / kFanOut + 1) * kFanOut);
    while (i < end && here[i] < least) ++i;
    if (i < end) break;
  }
  // Down: to the first of the block that holds one.
  while (level-- > 0) {
    i *= kFanOut;
    while (levels[level].most[i] < least) ++i;
  }
  return i;
}

// The first index at or after `from` whose value is at least `least`; `size` where there is none.
template <class Values>
std::uint32_t next_of(const Values& values, std::uint32_t size, std::uint32_t from, Nanoseconds least) {
  std::uint32_t i = from;
  for (const std::uint32_t end = std::min(size, (from / kFanOut + 1) * kFanOut); i < end; ++i)
    if (values(i) >= least) return i;
  if (i >= size) return size;
  const std::uint32_t block = next_block(values.forest, i / kFanOut, least);
  if (block == kNoBlock) return size;
  for (i = block * kFanOut; values(i) < least;) ++i;
  return i;
}

// The gaps of a lane that are at least a pixel, one after the other. While one is used, the spans around the next are
// fetched: in a lane of millions it is the waiting for memory that costs.
class NextGap {
 public:
  NextGap(const Lane& lane, Nanoseconds least) : gaps_{lane}, least_(least) {}

  // The first at or after `from`; the lane's size where there is none. The last span is followed by an endless one.
  std::uint32_t operator()(std::uint32_t from) {
    const std::uint32_t size = gaps_.lane.size();
    if (gaps_.forest.levels.empty()) return next_of(gaps_, size, from, least_);
    for (;;) {
      if (block_ == kNoBlock || from / kFanOut < block_ || from / kFanOut > ahead_)
        seek(next_block(gaps_.forest, from / kFanOut, least_));
      else if (from / kFanOut > block_)
        seek(ahead_);
      if (block_ == kNoBlock) return size;
      const std::uint32_t end = std::min(size, (block_ + 1) * kFanOut);
      for (from = std::max(from, block_ * kFanOut); from < end; ++from)
        if (gaps_(from) >= least_) return from;
      if (from >= size) return size;
    }
  }

 private:
  void seek(std::uint32_t block) {
    block_ = block;
    if (block == kNoBlock) return;
    ahead_ = next_block(gaps_.forest, block + 1, least_);
    if (ahead_ == kNoBlock) return;
    const Lane& lane = gaps_.lane;
    const std::size_t first = std::size_t{ahead_} * kFanOut;
    fetch(lane.start, first, first + kFanOut);
    fetch(lane.length, first, first + kFanOut);
    // The run that ends there and the one that begins there ask for their longest, and for where their cell ends.
    fetch(lane.durations.levels.front().most, ahead_ / kFanOut * kFanOut, ahead_ / kFanOut * kFanOut + kFanOut);
    fetch(lane.sample, first / kSample, first / kSample);
  }

  Gaps gaps_;
  Nanoseconds least_;
  std::uint32_t block_ = kNoBlock, ahead_ = kNoBlock;  // blocks of 16 spans with such a gap, one after the other
};

// The longest of some spans: the first at or after `from` that lasts as long. So it can be fetched before it is used.
struct Sought {
  std::uint32_t from = 0;
  Nanoseconds most = 0;
};
std::uint32_t found(const Lane& lane, Sought sought) {
  while (Durations{lane}(sought.from) < sought.most) ++sought.from;
  return sought.from;
}

// The longest of the spans first..last; the first of equals whatever the order of looking.
class Longest {
 public:
  explicit Longest(const Lane& lane) : values_{lane} {}

  Sought of(std::uint32_t first, std::uint32_t last) {
    const auto& levels = values_.forest.levels;
    std::uint32_t end = last + 1;
    for (std::size_t level = 0; first < end; ++level) {  // of entries: 0 the spans, n those of levels[n - 1]
      if (level == levels.size() || end - first <= 2 * kFanOut) {
        scan(level, first, end);
        break;
      }
      const std::uint32_t inner_first = (first + kFanOut - 1) / kFanOut, inner_end = end / kFanOut;
      scan(level, first, inner_first * kFanOut);
      scan(level, inner_end * kFanOut, end);
      first = inner_first;
      end = inner_end;
    }
    return {level_ == 0 ? entry_ : level_ == 1 ? entry_ * kFanOut : levels[level_ - 1].which[entry_], most_};
  }

 private:
  Nanoseconds value(std::size_t level, std::uint32_t i) const {
    return level == 0 ? values_(i) : values_.forest.levels[level - 1].most[i];
  }
  void scan(std::size_t level, std::uint32_t first, std::uint32_t end) {
    for (std::uint32_t i = first; i < end; ++i) {
      const Nanoseconds here = value(level, i);
      const std::uint64_t position = std::uint64_t{i} << (4 * level);
      if (here > most_ || (here == most_ && position < position_)) {
        most_ = here;
        position_ = position;
        level_ = level;
        entry_ = i;
      }
    }
  }

  Durations values_;
  Nanoseconds most_ = -1;
  std::uint64_t position_ = 0;
  std::size_t level_ = 0;
  std::uint32_t entry_ = 0;
};

// The first index at or after `from` for which `past` holds, where it holds from some index on. Doubling steps: the
// cost is the logarithm of the distance, not of the lane.
template <class Past>
std::uint32_t gallop(std::uint32_t from, std::uint32_t size, Past past) {
  std::uint32_t step = 1, low = from;
  while (low < size && !past(low)) {
    const std::uint32_t next = size - low > step ? low + step : size;
    if (next == size || past(next)) {
      std::uint32_t high = next;  // past(high) or the end; not past(low)
      while (high - low > 1) {
        const std::uint32_t middle = low + (high - low) / 2;
        (past(middle) ? high : low) = middle;
      }
      return high;
    }
    low = next;
    step *= 2;
  }
  return low;
}

// A lane in a view. Columns are turned into times and compared as such: no division for each span that is looked at.
class Sight {
 public:
  Sight(const Lane& lane, const View& view)
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
    name_longest();
  }

  // The first span at or after `from` that covers column x or one to its right.
  std::uint32_t covering(std::uint32_t from, std::int64_t x) const {
    const std::int64_t edge = origin_ + x * view_.scale;
    const Nanoseconds starts = limit(ceil_div(edge, kFine)), ends = limit(floor_div(edge, kFine) + 1);
    return gallop(from, lane_.size(), [&](std::uint32_t i) {
      return std::min(lane_.end(i), kFurthest) >= ends || std::min(lane_.start[i], kFurthest) >= starts;
    });
  }
  // The first span at or after `from` whose first column is x or one to its right.
  std::uint32_t starting(std::uint32_t from, std::int64_t x) const {
    return gallop(from, lane_.size(), [&, edge = time_of(x)](std::uint32_t i) { return !before(i, edge); });
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
      if (wide_ < at_) wide_ = next_of(Durations{lane_}, lane_.size(), at_, own_);
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
    if (next < lane_.size() && before(next, time_of(x1)) && Durations{lane_}(next) > Durations{lane_}(i) &&
        has_own(next))
      --x1;
    push(x1, i, i, i);
    at_ = next;
  }

  // Of the spans that may begin a merged run, counted by grains.
  Nanoseconds start_of(std::uint32_t i) const {
    return grain_ < kSample ? lane_.start[i * grain_] : lane_.sample[i * (grain_ / kSample)];
  }
  // The first of them at or after `from` with its first column in or right of x.
  std::uint32_t cut_at(std::uint32_t from, std::int64_t x) const {
    const std::uint32_t count = (lane_.size() + grain_ - 1) / grain_;
    const std::uint32_t found = gallop(
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
    if (wide_ <= at_) wide_ = next_of(Durations{lane_}, size, at_ + 1, own_);
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
        wide_ = next_of(Durations{lane_}, size, wide_ + 1, own_);
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
    name_longest();
    const std::size_t before = out_->size();
    push(x1, at_, end - 1, at_);
    if (out_->size() == before) return;
    sought_ = Longest(lane_).of(at_, end - 1);
    sought_for_ = before;
    fetch(lane_.length, sought_.from, sought_.from + kFanOut);
  }
  // Of the last merged run.
  void name_longest() {
    if (sought_for_ == kNoRun) return;
    (*out_)[sought_for_].longest = found(lane_, sought_);
    sought_for_ = kNoRun;
  }

  const Lane& lane_;
  const View view_;
  const std::int64_t origin_;
  const std::int64_t cells_;       // the column that the first cell begins with
  const Nanoseconds pixel_, own_;  // the least gap with an empty column in it, the least duration with own columns
  const std::uint32_t grain_;
  NextGap next_gap_;
  std::int64_t begin_ = 0, end_ = 0;
  std::vector<PixelRun>* out_ = nullptr;

  std::int64_t x_ = 0;      // all left of it is drawn
  std::uint32_t at_ = 0;    // the first span that covers a column from x_ on
  std::uint32_t wide_ = 0;  // at or after at_: the next that is as long as own_
  std::uint32_t gap_ = 0;   // at or after at_: the next with a gap of pixel_ behind it
  static constexpr std::size_t kNoRun = std::numeric_limits<std::size_t>::max();
  std::size_t sought_for_ = kNoRun;  // this run's
  Sought sought_;
};

}  // namespace

std::uint32_t Lane::first_ending(Nanoseconds at) const {
  return gallop(0, size(), [&](std::uint32_t i) { return end(i) >= at; });
}

void Lane::add(Nanoseconds from, Nanoseconds to, std::uint32_t which) {
  const Nanoseconds long_enough = distance(from, to);
  if (long_enough >= kLong) longer.push_back({size(), to});
  start.push_back(from);
  length.push_back(static_cast<std::uint32_t>(std::min<Nanoseconds>(long_enough, kLong)));
  span.push_back(which);
}

void Lane::reserve(std::size_t count) {
  start.reserve(count);
  length.reserve(count);
  span.reserve(count);
}

void Lane::shrink_to_fit() {
  start.shrink_to_fit();
  length.shrink_to_fit();
  span.shrink_to_fit();
  longer.shrink_to_fit();
}

Nanoseconds Lane::end_of_long(std::uint32_t i) const {
  return std::lower_bound(longer.begin(), longer.end(), i, [](const Longer& a, std::uint32_t b) { return a.index < b; })
      ->end;
}

void index(Lane& lane) {
  build(Durations{lane}, lane.size(), lane.durations);
  build(Gaps{lane}, lane.size(), lane.gaps);
  lane.sample.clear();
  lane.sample.reserve(lane.size() / kSample + 1);
  for (std::size_t i = 0; i < lane.start.size(); i += kSample) lane.sample.push_back(lane.start[i]);
}

std::uint32_t grain(const Lane& lane, const View& view) {
  if (lane.empty()) return 1;
  const double cells = static_cast<double>(distance(lane.start.front(), lane.end(lane.size() - 1))) * kFine /
                       (static_cast<double>(view.scale) * static_cast<double>(kCellColumns));
  const double in_a_cell = static_cast<double>(lane.size()) / std::max(cells, 1.0);
  if (in_a_cell < 4 * kFanOut) return 1;
  std::uint32_t grain = kFanOut;
  while (16.0 * grain <= in_a_cell) grain *= 4;
  return grain;
}

void emit(const Lane& lane, const View& view, std::int32_t begin, std::int32_t end, std::vector<PixelRun>& out) {
  Sight(lane, view).emit(begin, end, out);
}

std::optional<PixelRun> under(const Lane& lane, const View& view, std::int32_t at) {
  std::vector<PixelRun> runs;
  Sight sight(lane, view);
  sight.emit(at, std::int64_t{at} + 1, runs);
  if (runs.empty()) return std::nullopt;
  PixelRun run = runs.front();
  if (alone(run)) {
    run.first = sight.covering(0, at);
    run.last = sight.starting(run.first, std::int64_t{at} + 1) - 1;
  }
  return run;
}

}  // namespace streamscope
