// The runs of a sweep (sweeping.h): which is next, what comes of each, what ends it. For update().
#pragma once

#include <memory>

#include "app/window/state/effects.h"
#include "app/window/state/state.h"

namespace streamscope::window {

// The axes as they are set; a first one that nobody chose and that has no effect is the chunk's.
std::array<SweepAxis, 2> axes_to_sweep(const State& state);
void start_sweep(State& state, Effects& effects);
void take_combinations(State& state, Effects& effects, const command::SweepCombined& found);
void point_done(State& state, Effects& effects, std::shared_ptr<const trace::Run> run);
void point_failed(State& state, Effects& effects, const Error& error);
void take_result(Sweeping& sweeping, const command::SweepMeasured& measured);
void show_point(State& state, Effects& effects, std::size_t point);
// What was not run stays so; a run of it that goes on is stopped.
void stop_sweep(State& state, Effects& effects);

}  // namespace streamscope::window
