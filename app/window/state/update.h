// The one place that changes the window's state: by what panels, keys and effects ask for, and by what the engine
// reports.
//
// update() calls nothing outside: what must be done in the world (start a run, read a file) it leaves in
// State::effects, and the window's loop carries that out. So the whole behaviour can be tested without a window or an
// engine.
#pragma once

#include <filesystem>

#include "app/window/state/state.h"

namespace streamscope::window {

// `trace`: a file to open on, a saved run or a trace; empty: none, and the first run is started.
State first_state(OpenedFile file, const std::filesystem::path& trace = {});
void update(State& state, const Command& command);
void update(State& state, const session::SessionEvent& event);
Effects take_effects(State& state);  // that have gathered; they are the caller's to carry out

}  // namespace streamscope::window
