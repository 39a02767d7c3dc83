#include "engine/reconstruct/clock_map.h"

#include <algorithm>
#include <cmath>
#include <vector>

namespace streamscope::reconstruct {

std::optional<ClockWindow> intersection(std::span<const ClockWindow> windows) {
  if (windows.empty()) return std::nullopt;
  ClockWindow all = windows.front(), narrowest = all;
  for (const ClockWindow& one : windows) {
    all = {one.device, std::max(all.low, one.low), std::min(all.high, one.high)};
    if (one.high - one.low < narrowest.high - narrowest.low) narrowest = one;
  }
  return all.low > all.high ? narrowest : all;
}

std::optional<ClockWindow> window_of(std::span<const Exchange> exchanges) {
  std::vector<ClockWindow> windows;
  for (const Exchange& one : exchanges) {
    windows.push_back({one.device, one.asked - one.device, one.answered - one.device});
  }
  return intersection(windows);
}

ClockMap::ClockMap(const ClockWindow& now, const std::optional<ClockWindow>& earlier) : now_(now) {
  if (!earlier) return;
  const Nanoseconds between = now.device - earlier->device;
  if (between < kShortestForDrift) return;
  drift_ = static_cast<double>(now.offset() - earlier->offset()) / static_cast<double>(between);
  drift_uncertainty_ = static_cast<double>(now.uncertainty() + earlier->uncertainty()) / static_cast<double>(between);
}

Nanoseconds ClockMap::host(Nanoseconds device) const {
  const Nanoseconds since = device - now_.device;
  return device + now_.offset() + std::llround(static_cast<double>(since) * drift_);
}

Nanoseconds ClockMap::uncertainty_at(Nanoseconds device) const {
  const Nanoseconds since = std::abs(device - now_.device);
  return uncertainty() + std::llround(static_cast<double>(since) * drift_uncertainty_);
}

Nanoseconds ClockMap::uncertainty_until(const ClockWindow& later) const {
  const Nanoseconds offset = host(later.device) - later.device;
  return std::max({uncertainty(), std::abs(offset - later.low), std::abs(later.high - offset)});
}

}  // namespace streamscope::reconstruct
