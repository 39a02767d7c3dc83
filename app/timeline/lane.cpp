#include "app/timeline/lane.h"

#include <algorithm>

#include "app/timeline/lane_search.h"

namespace streamscope::timeline {

namespace {

template <class Values>
void build(const Values& values, std::uint32_t count, MaxPyramid& pyramid) {
  pyramid.levels.clear();
  for (std::uint32_t below = count; below > lane_search::kFanOut;) {
    const std::uint32_t here = (below + lane_search::kFanOut - 1) / lane_search::kFanOut;
    const MaxPyramid::Level* const under = pyramid.levels.empty() ? nullptr : &pyramid.levels.back();
    MaxPyramid::Level level;
    level.most.resize(here);
    if (under != nullptr) level.which.resize(here);
    for (std::uint32_t i = 0; i < here; ++i) {
      const std::uint32_t first = i * lane_search::kFanOut, end = std::min(first + lane_search::kFanOut, below);
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
        for (which *= lane_search::kFanOut; values(which) < most;) ++which;
      else
        which = under->which[which];
      level.which[i] = which;
    }
    pyramid.levels.push_back(std::move(level));
    below = here;
  }
}

ClassSums sums_of(const Lane& lane, std::size_t which) {
  ClassSums out;
  std::array<bool, kClasses> has{};
  for (const std::uint8_t pair : lane.classes) has[class_of(pair, which)] = true;
  for (std::uint8_t i = 0; i < kClasses; ++i) {
    if (!has[i]) continue;
    out.place[i] = static_cast<std::uint8_t>(out.classes.size());
    out.classes.push_back(i);
  }
  const std::size_t count = out.classes.size();
  if (count == 0) return out;
  if (count > 4) out.block = 32;
  out.brief.resize(count);
  out.before.reserve((lane.size() / out.block + 1) * count);
  std::array<std::uint64_t, kClasses> sum{};
  for (std::uint32_t i = 0; i < lane.classes.size(); ++i) {
    if (i % out.block == 0)
      out.before.insert(out.before.end(), sum.begin(), sum.begin() + static_cast<std::ptrdiff_t>(count));
    const std::uint8_t at = out.place[class_of(lane.classes[i], which)];
    const std::uint64_t length = lane_search::counted(lane, i);
    sum[at] += length;
    if (length == 0) out.brief[at].push_back(i);
  }
  return out;
}

}  // namespace

std::uint32_t lane_search::next_block(const MaxPyramid& pyramid, std::uint32_t from, Nanoseconds least) {
  const std::vector<MaxPyramid::Level>& levels = pyramid.levels;
  // Up: what is left of a block, then what is left of the blocks around it.
  std::uint32_t i = from;
  std::size_t level = 0;
  for (;; ++level) {
    if (level == levels.size()) return lane_search::kNoBlock;
    const std::vector<Nanoseconds>& here = levels[level].most;
    const auto count = static_cast<std::uint32_t>(here.size());
    if (level > 0) i = (i + lane_search::kFanOut - 1) / lane_search::kFanOut;
    const std::uint32_t end =
        level + 1 == levels.size() ? count : std::min(count, (i / lane_search::kFanOut + 1) * lane_search::kFanOut);
    while (i < end && here[i] < least) ++i;
    if (i < end) break;
  }
  // Down: to the first of the block that holds one.
  while (level-- > 0) {
    i *= lane_search::kFanOut;
    while (levels[level].most[i] < least) ++i;
  }
  return i;
}

std::uint32_t Lane::first_ending(Nanoseconds at) const {
  return lane_search::gallop(0, size(), [&](std::uint32_t i) { return end(i) >= at; });
}

void Lane::add(Nanoseconds from, Nanoseconds to, std::uint32_t which) {
  const Nanoseconds long_enough = lane_search::distance(from, to);
  if (long_enough >= kLong) long_spans.push_back({size(), to});
  start.push_back(from);
  length.push_back(static_cast<std::uint32_t>(std::min<Nanoseconds>(long_enough, kLong)));
  span.push_back(which);
}

void Lane::add(Nanoseconds from, Nanoseconds to, std::uint32_t which, std::uint8_t pair) {
  add(from, to, which);
  classes.push_back(pair);
}

void Lane::end_last_at(Nanoseconds time) {
  const Nanoseconds long_enough = lane_search::distance(start.back(), time);
  if (length.back() == kLong && long_enough >= kLong) {
    long_spans.back().end = time;
    return;
  }
  if (length.back() == kLong) long_spans.pop_back();
  length.back() = static_cast<std::uint32_t>(long_enough);
}

void Lane::reserve(std::size_t count) {
  start.reserve(count);
  length.reserve(count);
  span.reserve(count);
  classes.reserve(count);
}

void Lane::shrink_to_fit() {
  start.shrink_to_fit();
  length.shrink_to_fit();
  span.shrink_to_fit();
  classes.shrink_to_fit();
  long_spans.shrink_to_fit();
}

Nanoseconds Lane::end_of_long(std::uint32_t i) const {
  return std::lower_bound(long_spans.begin(), long_spans.end(), i,
                          [](const LongSpan& a, std::uint32_t b) { return a.index < b; })
      ->end;
}

void index(Lane& lane) {
  build(lane_search::Durations{lane}, lane.size(), lane.durations);
  build(lane_search::Gaps{lane}, lane.size(), lane.gaps);
  lane.sample.clear();
  lane.sample.reserve(lane.size() / lane_search::kSample + 1);
  for (std::size_t i = 0; i < lane.start.size(); i += lane_search::kSample) lane.sample.push_back(lane.start[i]);
  for (std::size_t which = 0; which < lane.sums.size(); ++which) lane.sums[which] = sums_of(lane, which);
}

}  // namespace streamscope::timeline
