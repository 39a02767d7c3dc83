// Slow motion: where the playhead stands, and where it is at a time of the host's clock while it plays.
#pragma once

#include <memory>

#include "app/window/state/shown_run.h"
#include "engine/base/time.h"

namespace streamscope::timeline {
class InstantIndex;
}

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

struct SlowMotion {
  Nanoseconds playhead = kAbsent;
  bool playing = false;
  bool paused = false;  // by a person, on its way: it is to go on
  double times_slower = 1000;
  Playback playback;
  std::shared_ptr<const timeline::InstantIndex> instants;  // made when slow motion is first looked at
  std::shared_ptr<const ShownRun> instants_of;
};

namespace command {
struct SetSpeed {
  double times_slower;  // than it was; 1: as it was
};
// These look at the run in view, too.
struct SetPlayhead {
  Nanoseconds time;  // of the run in view; kAbsent: there is none
};
struct Play {
  bool on;
};
struct PlayheadDue {  // while it plays
  Nanoseconds now;    // host clock
};
struct InstantsFound {
  std::shared_ptr<const ShownRun> of;
  std::shared_ptr<const timeline::InstantIndex> index;
};
}  // namespace command

void update(SlowMotion& slow_motion, const command::SetSpeed& command);

}  // namespace streamscope::window
