#include "engine/device/model/hardware/page_residency.h"

#include <algorithm>

namespace streamscope::model {

// Takes the range off the device; returns how many of its bytes were there.
std::uint64_t PageResidency::cut_out(std::uint64_t begin, std::uint64_t end) {
  std::uint64_t cut = 0;
  auto at = on_device_.upper_bound(begin);
  if (at != on_device_.begin()) --at;
  while (at != on_device_.end() && at->first < end) {
    const auto [from, to] = *at;
    if (to <= begin) {
      ++at;
      continue;
    }
    cut += std::min(to, end) - std::max(from, begin);
    at = on_device_.erase(at);
    if (from < begin) on_device_.emplace(from, begin);
    if (to > end) on_device_.emplace(end, to);
  }
  return cut;
}

std::uint64_t PageResidency::move_to_device(std::uint64_t offset, std::uint64_t bytes) {
  const std::uint64_t already = cut_out(offset, offset + bytes);
  std::uint64_t begin = offset, end = offset + bytes;
  // Joined with adjacent ranges, so that the map stays small.
  if (const auto after = on_device_.find(end); after != on_device_.end()) {
    end = after->second;
    on_device_.erase(after);
  }
  if (const auto next = on_device_.lower_bound(begin); next != on_device_.begin()) {
    if (const auto before = std::prev(next); before->second == begin) {
      begin = before->first;
      on_device_.erase(before);
    }
  }
  on_device_.emplace(begin, end);
  return bytes - already;
}

std::uint64_t PageResidency::move_to_host(std::uint64_t offset, std::uint64_t bytes) {
  return cut_out(offset, offset + bytes);
}

}  // namespace streamscope::model
