// Where the playhead is at a time of the host's clock while it plays.
#pragma once

#include "engine/base/time.h"

namespace streamscope::window {

inline constexpr double kFastest = 1, kSlowest = 1e6;  // times slower than it was
inline constexpr int kSpeeds = 19;                     // 1, 2, 5, 10 ... a million

double speed(int step);      // 0 .. kSpeeds - 1
int step_of(double slower);  // the nearest

// Where both clocks were when it began to play at its present speed; kAbsent before the first frame.
struct Playback {
  Nanoseconds from = kAbsent, since = kAbsent;  // the trace's time, the host's clock
};
Nanoseconds played(const Playback& playback, double times_slower, Nanoseconds now);
// When, by the host's clock, the playhead comes to that time.
Nanoseconds comes_to(const Playback& playback, double times_slower, Nanoseconds time);

}  // namespace streamscope::window
