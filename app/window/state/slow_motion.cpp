#include "app/window/state/slow_motion.h"

#include <algorithm>
#include <cmath>

namespace streamscope::window {
namespace {

// 100 days: further away nothing needs to be exact, and no sum overflows.
constexpr double kLongest = 8.64e15;

Nanoseconds whole(double time) { return static_cast<Nanoseconds>(std::clamp(time, -kLongest, kLongest)); }

}  // namespace

double speed(int step) {
  constexpr double kFactors[] = {1, 2, 5};
  step = std::clamp(step, 0, kSpeeds - 1);
  return kFactors[step % 3] * std::pow(10.0, step / 3);
}

int step_of(double slower) {
  int best = 0;
  for (int step = 1; step < kSpeeds; ++step)
    if (std::abs(std::log(speed(step) / slower)) < std::abs(std::log(speed(best) / slower))) best = step;
  return best;
}

Nanoseconds played(const Playback& playback, double times_slower, Nanoseconds now) {
  const Nanoseconds real = std::max<Nanoseconds>(elapsed(playback.since, now), 0);
  return playback.from + whole(static_cast<double>(real) / times_slower);
}

Nanoseconds comes_to(const Playback& playback, double times_slower, Nanoseconds time) {
  const auto ahead = static_cast<double>(std::max<Nanoseconds>(elapsed(playback.from, time), 0));
  return playback.since + whole(std::ceil(ahead * times_slower));
}

void update(SlowMotion& slow_motion, const command::SetSpeed& command) {
  slow_motion.times_slower = std::clamp(command.times_slower, kFastest, kSlowest);
  slow_motion.playback = {};
}

}  // namespace streamscope::window
