// The map from the device's clock to the host's, and how far it can be wrong.
//
// A handshake is a question and an answer: the host reads its clock, asks, the device answers with its own time, the
// host reads its clock again. The device's time lies between the two readings, however long the messages took.
#pragma once

#include <optional>
#include <span>

#include "engine/base/time.h"

namespace streamscope::reconstruct {

struct Exchange {
  Nanoseconds asked = 0, answered = 0;  // host clock
  Nanoseconds device = 0;               // device clock, in between
};

// What some exchanges in quick succession say: at device time `device`, host minus device lies in [low, high].
struct ClockWindow {
  Nanoseconds device = 0;
  Nanoseconds low = 0, high = 0;

  Nanoseconds offset() const { return low + (high - low) / 2; }
  Nanoseconds uncertainty() const { return (high - low + 1) / 2; }
};
// What all of them allow; where they contradict each other (a clock that jumped), the narrowest of them. Nothing where
// there are none.
std::optional<ClockWindow> intersection(std::span<const ClockWindow> windows);
// `step`: the device's clock moves on by so much at a time, so that its true time can be up to a step more than it
// says.
std::optional<ClockWindow> window_of(std::span<const Exchange> exchanges, Nanoseconds step = 0);

// The map is fixed before a run, so that its times are final as soon as they are measured.
class ClockMap {
 public:
  ClockMap() = default;
  // `now` sets the offset. `earlier`, kShortestForDrift or more before, also sets the drift; over a shorter time the
  // drift would be less exact than taking none. Two clocks that seem to drift by more than kMostDrift were not both
  // running on meanwhile: their drift is taken as unknown, up to that.
  explicit ClockMap(const ClockWindow& now, const std::optional<ClockWindow>& earlier = std::nullopt);

  Nanoseconds host(Nanoseconds device) const;
  // The bound at the time of the window that set the offset.
  Nanoseconds uncertainty() const { return uncertainty_; }
  // The bound at another device time: it widens with the uncertainty of the drift, which is kUnknownDrift where there
  // was one window.
  Nanoseconds uncertainty_at(Nanoseconds device) const;
  // The bound over all the time up to a later window: how far the map can be from the truth there.
  Nanoseconds uncertainty_until(const ClockWindow& later) const;

  // A map for the time up to a later window, too: the same where that is within what the window allows, else straight
  // from the one to the other. Where no drift explains it (a clock was set), the same, as uncertain as it has to be.
  ClockMap through(const ClockWindow& later) const;

  static constexpr Nanoseconds kShortestForDrift = 1'000'000'000;
  static constexpr double kUnknownDrift = 50e-6;  // of a quartz clock
  static constexpr double kMostDrift = 200e-6;    // and of one that is being slewed to another's time

 private:
  ClockWindow now_;
  Nanoseconds uncertainty_ = 0;
  double drift_ = 0;  // host nanoseconds gained in one of the device
  double drift_uncertainty_ = kUnknownDrift;
};

}  // namespace streamscope::reconstruct
