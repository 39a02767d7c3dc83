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

std::optional<ClockWindow> window_of(std::span<const Exchange> exchanges, Nanoseconds step) {
  std::vector<ClockWindow> windows;
  for (const Exchange& one : exchanges) {
    windows.push_back({one.device, one.asked - one.device - step, one.answered - one.device});
  }
  return intersection(windows);
}

ClockMap::ClockMap(const ClockWindow& now, const std::optional<ClockWindow>& earlier)
    : now_(now), uncertainty_(now.uncertainty()) {
  if (!earlier) return;
  const Nanoseconds between = now.device - earlier->device;
  if (between < kShortestForDrift) return;
  drift_ = static_cast<double>(now.offset() - earlier->offset()) / static_cast<double>(between);
  drift_uncertainty_ = static_cast<double>(now.uncertainty() + earlier->uncertainty()) / static_cast<double>(between);
  if (std::abs(drift_) <= kMostDrift + drift_uncertainty_) return;
  drift_ = 0;
  drift_uncertainty_ = kMostDrift;
}

ClockMap ClockMap::through(const ClockWindow& later) const {
  const Nanoseconds between = later.device - now_.device;
  const Nanoseconds offset = host(later.device) - later.device;
  ClockMap both = *this;
  if (between <= 0 || (later.low <= offset && offset <= later.high)) return both;
  const double uncertain = static_cast<double>(now_.uncertainty() + later.uncertainty()) / static_cast<double>(between);
  const double drift = static_cast<double>(later.offset() - now_.offset()) / static_cast<double>(between);
  if (std::abs(drift) > kMostDrift + uncertain) {
    both.uncertainty_ = uncertainty_until(later);
    return both;
  }
  both.drift_ = drift;
  both.drift_uncertainty_ = 0;  // between the two windows, where they bound it
  both.uncertainty_ = std::max(now_.uncertainty(), later.uncertainty());
  return both;
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
