#include "app/timeline/lane.h"

#include <algorithm>

namespace streamscope {
namespace {

constexpr std::uint32_t kFanOut = 16;

struct Longest {
  std::uint32_t at = 0;
  Nanoseconds duration = -1;

  // The first of equals wins whatever the order of asking, so that a picture does not depend on how it was searched.
  void offer(std::uint32_t other, Nanoseconds long_) {
    if (long_ > duration || (long_ == duration && other < at)) {
      at = other;
      duration = long_;
    }
  }
};

// The longest of the entries [first, end) of a level; level -1 is the spans themselves.
void scan(const Lane& lane, int level, std::uint32_t first, std::uint32_t end, Longest& longest) {
  if (level < 0) {
    for (std::uint32_t i = first; i < end; ++i) longest.offer(i, lane.end[i] - lane.start[i]);
    return;
  }
  const Lane::Level& entries = lane.levels[static_cast<std::size_t>(level)];
  for (std::uint32_t i = first; i < end; ++i) longest.offer(entries.longest[i], entries.duration[i]);
}

std::uint32_t longest_of(const Lane& lane, std::uint32_t first, std::uint32_t last) {
  Longest longest;
  std::uint32_t end = last + 1;
  for (int level = -1; first < end; ++level) {
    const bool top = level + 1 == static_cast<int>(lane.levels.size());
    if (top || end - first <= 2 * kFanOut) {
      scan(lane, level, first, end, longest);
      break;
    }
    const std::uint32_t inner_first = (first + kFanOut - 1) / kFanOut;
    const std::uint32_t inner_end = end / kFanOut;
    scan(lane, level, first, inner_first * kFanOut, longest);
    scan(lane, level, inner_end * kFanOut, end, longest);
    first = inner_first;
    end = inner_end;
  }
  return longest.at;
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

}  // namespace

void index(Lane& lane) {
  lane.levels.clear();
  std::uint32_t below = lane.size();
  for (int level = -1; below > kFanOut; ++level) {
    const std::uint32_t here = (below + kFanOut - 1) / kFanOut;
    Lane::Level entries;
    entries.duration.resize(here);
    entries.longest.resize(here);
    for (std::uint32_t i = 0; i < here; ++i) {
      Longest longest;
      scan(lane, level, i * kFanOut, std::min((i + 1) * kFanOut, below), longest);
      entries.duration[i] = longest.duration;
      entries.longest[i] = longest.at;
    }
    lane.levels.push_back(std::move(entries));
    below = here;
  }
}

void emit(const Lane& lane, const View& view, std::int32_t begin, std::int32_t end, std::vector<PixelRun>& out) {
  const std::size_t already = out.size();
  const auto push = [&](std::int64_t x0, std::int64_t x1, std::uint32_t first, std::uint32_t last,
                        std::uint32_t longest) {
    if (out.size() > already && out.back().longest == longest && out.back().x1 == x0) {
      out.back().x1 = static_cast<std::int32_t>(x1);
      out.back().last = last;
    } else {
      out.push_back({static_cast<std::int32_t>(x0), static_cast<std::int32_t>(x1), first, last, longest});
    }
  };

  std::int64_t x = begin;
  std::uint32_t first = 0;
  while (x < end) {
    // The first span that ends right of the left edge of column x is the first to cover x or something to its right.
    first =
        gallop(first, lane.size(), [&](std::uint32_t i) { return pixels(view, lane.start[i], lane.end[i]).x1 > x; });
    if (first == lane.size()) return;
    x = std::max(x, pixels(view, lane.start[first], lane.end[first]).x0);
    if (x >= end) return;
    const std::uint32_t last =
        gallop(first + 1, lane.size(), [&](std::uint32_t i) { return column(view, lane.start[i]) > x; }) - 1;
    push(x, x + 1, first, last, longest_of(lane, first, last));
    // Only the last of them goes on; what it covers up to its own last column is its own.
    const std::int64_t alone = std::min<std::int64_t>(pixels(view, lane.start[last], lane.end[last]).x1 - 1, end);
    if (alone > x + 1) push(x + 1, alone, last, last, last);
    x = std::max(x + 1, alone);
    first = last;
  }
}

std::optional<PixelRun> under(const Lane& lane, const View& view, std::int32_t at) {
  std::vector<PixelRun> runs;
  emit(lane, view, at, at + 1, runs);
  if (runs.empty()) return std::nullopt;
  return runs.front();
}

}  // namespace streamscope
