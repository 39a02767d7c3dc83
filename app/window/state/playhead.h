// The playhead in the state: how it plays, what it needs, and when there is something new to draw.
#pragma once

#include "app/timeline/instant.h"
#include "app/window/state/state.h"

namespace streamscope::window {

// For update()
void set_playhead(State& state, Nanoseconds time);
void play(State& state, bool on);
void move_playhead(State& state, Nanoseconds now);

// Somebody looks at an instant of the run in view, and its index is not made yet.
bool needs_instants(const State& state);
const timeline::InstantIndex* instants(const State& state);  // of the run in view; null where it is not made yet
// The time that is looked at: the playhead's, or where there is none the run's begin. There must be a run.
Nanoseconds looked_at(const State& state);

// While it plays: when there is something new to draw, by the host's clock. `pixel`: of the timeline, in nanoseconds.
Nanoseconds next_frame(const State& state, Nanoseconds now, double pixel);

// "10,000 × slower: 5.3 ms take 53 s"
std::string speed_text(double times_slower, Nanoseconds run);

}  // namespace streamscope::window
