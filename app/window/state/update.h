// The one place that changes the window's state: by what panels, keys and effects ask for, and by what the engine
// reports.
//
// update() calls nothing outside: what must be done in the world (start a run, read a file) it gives back, for
// EffectRunner to carry out. So the whole behaviour can be tested without a window or an engine.
#pragma once

#include <filesystem>

#include "app/window/state/command.h"
#include "app/window/state/effects.h"
#include "app/window/state/remembered.h"
#include "app/window/state/state.h"

namespace streamscope::window {

// Of a new state, with what it is to look like. `trace`: a file to open on, a saved run or a trace; empty: none, and
// the first run is started.
[[nodiscard]] Effects begin(State& state, OpenedFile file, const std::filesystem::path& trace = {},
                            const Remembered& before = {});
[[nodiscard]] Effects update(State& state, const Command& command);
[[nodiscard]] Effects update(State& state, const session::SessionEvent& event);

}  // namespace streamscope::window
