#include "engine/base/range_set.h"

#include <algorithm>

namespace streamscope {

std::uint64_t RangeSet::remove(std::uint64_t offset, std::uint64_t bytes) {
  const std::uint64_t begin = offset, end = offset + bytes;
  std::uint64_t removed = 0;
  auto at = ranges_.upper_bound(begin);
  if (at != ranges_.begin() && std::prev(at)->second > begin) --at;
  while (at != ranges_.end() && at->first < end) {
    const auto [from, to] = *at;
    removed += std::min(to, end) - std::max(from, begin);
    at = ranges_.erase(at);
    if (from < begin) ranges_.emplace(from, begin);
    if (to > end) ranges_.emplace(end, to);
  }
  return removed;
}

std::uint64_t RangeSet::add(std::uint64_t offset, std::uint64_t bytes) {
  const std::uint64_t had = remove(offset, bytes);
  std::uint64_t begin = offset, end = offset + bytes;
  // Joined with adjacent ranges, so that the map stays small.
  const auto after = ranges_.lower_bound(begin);
  if (after != ranges_.end() && after->first == end) {
    end = after->second;
    ranges_.erase(after);
  }
  if (const auto next = ranges_.lower_bound(begin); next != ranges_.begin() && std::prev(next)->second == begin) {
    std::prev(next)->second = end;
  } else {
    ranges_.emplace(begin, end);
  }
  return bytes - had;
}

bool RangeSet::contains(std::uint64_t offset, std::uint64_t bytes) const {
  const auto after = ranges_.upper_bound(offset);
  return after != ranges_.begin() && std::prev(after)->second >= offset + bytes;
}

}  // namespace streamscope
