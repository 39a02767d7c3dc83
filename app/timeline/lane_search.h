// Where in a lane something is: the next long gap, the next long span, the longest of some. Inside of lane.h.
//
// It is small and runs for every pixel, so it stands here, where the compiler sees it. What is asked for next is
// fetched into the cache meanwhile.
#pragma once

#include <algorithm>
#include <cstdint>
#include <limits>
#include <vector>

#include "app/timeline/lane.h"

namespace streamscope::timeline::lane_search {

inline constexpr std::uint32_t kFanOut = 16;
inline constexpr std::uint32_t kSample = 16;  // one of so many starts stands in Lane::sample
inline constexpr Nanoseconds kEndless = std::numeric_limits<Nanoseconds>::max();

// The times of broken traces lie further apart than Nanoseconds can tell.
inline Nanoseconds distance(Nanoseconds from, Nanoseconds to) {
  const std::uint64_t apart = static_cast<std::uint64_t>(to) - static_cast<std::uint64_t>(from);
  return static_cast<Nanoseconds>(std::min(apart, static_cast<std::uint64_t>(kEndless)));
}

// What counts of a span's duration where durations are added up: as it is drawn, within kFurthest.
inline std::uint64_t counted(const Lane& lane, std::uint32_t i) {
  if (lane.length[i] != Lane::kLong) return lane.length[i];
  return static_cast<std::uint64_t>(std::clamp(lane.end(i), -kFurthest, kFurthest) -
                                    std::clamp(lane.start[i], -kFurthest, kFurthest));
}

struct Durations {
  const Lane& lane;
  const MaxPyramid& pyramid = lane.durations;
  Nanoseconds operator()(std::uint32_t i) const {
    return lane.length[i] != Lane::kLong ? lane.length[i] : distance(lane.start[i], lane.end(i));
  }
};
struct Gaps {
  const Lane& lane;
  const MaxPyramid& pyramid = lane.gaps;
  Nanoseconds operator()(std::uint32_t i) const {
    return i + 1 < lane.size() ? distance(lane.end(i), lane.start[i + 1]) : kEndless;
  }
};

// values[first] to values[last], or to where they end, are asked for soon. There are values, and first is one of them.
template <class T>
void fetch(const std::vector<T>& values, std::size_t first, std::size_t last) {
  constexpr std::size_t kStep = 64 / sizeof(T);  // a line of cache
  last = std::min(last, values.size() - 1);
  for (std::size_t i = first; i < last; i += kStep) __builtin_prefetch(values.data() + i);
  __builtin_prefetch(values.data() + last);
}

inline constexpr std::uint32_t kNoBlock = std::numeric_limits<std::uint32_t>::max();

// The first of level 0's blocks at or after `from` that holds a value of at least `least`; kNoBlock where none does.
std::uint32_t next_block(const MaxPyramid& pyramid, std::uint32_t from, Nanoseconds least);

// The first index at or after `from` whose value is at least `least`; `size` where there is none.
template <class Values>
std::uint32_t next_of(const Values& values, std::uint32_t size, std::uint32_t from, Nanoseconds least) {
  std::uint32_t i = from;
  for (const std::uint32_t end = std::min(size, (from / kFanOut + 1) * kFanOut); i < end; ++i)
    if (values(i) >= least) return i;
  if (i >= size) return size;
  const std::uint32_t block = next_block(values.pyramid, i / kFanOut, least);
  if (block == kNoBlock) return size;
  for (i = block * kFanOut; values(i) < least;) ++i;
  return i;
}

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

// The gaps of a lane that are at least a pixel, one after the other. While one is used, the spans around the next are
// fetched: in a lane of millions it is the waiting for memory that costs.
class NextGap {
 public:
  NextGap(const Lane& lane, Nanoseconds least) : gaps_{lane}, least_(least) {}

  // The first at or after `from`; the lane's size where there is none. The last span is followed by an endless one.
  std::uint32_t operator()(std::uint32_t from) {
    const std::uint32_t size = gaps_.lane.size();
    if (gaps_.pyramid.levels.empty()) return next_of(gaps_, size, from, least_);
    for (;;) {
      if (block_ == kNoBlock || from / kFanOut < block_ || from / kFanOut > ahead_)
        seek(next_block(gaps_.pyramid, from / kFanOut, least_));
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
    ahead_ = next_block(gaps_.pyramid, block + 1, least_);
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
struct LongestHint {
  std::uint32_t from = 0;
  Nanoseconds most = 0;
};
inline std::uint32_t resolve(const Lane& lane, LongestHint hint) {
  while (Durations{lane}(hint.from) < hint.most) ++hint.from;
  return hint.from;
}

// The longest of the spans first..last; the first of equals whatever the order of looking.
class LongestSpan {
 public:
  explicit LongestSpan(const Lane& lane) : values_{lane} {}

  LongestHint of(std::uint32_t first, std::uint32_t last) {
    const auto& levels = values_.pyramid.levels;
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
    return level == 0 ? values_(i) : values_.pyramid.levels[level - 1].most[i];
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

}  // namespace streamscope::timeline::lane_search
