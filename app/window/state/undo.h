// From one setup to another: undo and redo, and back to what the run in view was made with.
#pragma once

#include <string>

#include "app/window/state/state.h"

namespace streamscope::window {

Setup setup_of(const State& state);
void set_up(State& state, const Setup& setup);

// `before` has just given way to what is set now. Whether that is a step of its own, and not more of the last one.
bool remember(Undo& undo, Setup before, std::size_t kind);
bool step(State& state, const command::UndoChange&);  // whether there was one
bool step(State& state, const command::RedoChange&);
void use_settings_of_run(State& state);

// How what is set and typed differs from what the run in view was made with: "streams 4 → 8"; empty: it does not, or
// the two have nothing to do with each other.
std::string differs_from_run(const State& state);

}  // namespace streamscope::window
