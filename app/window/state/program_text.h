// The program text: from the settings, from a file, typed.
#pragma once

#include <string>

#include "app/window/state/effects.h"
#include "app/window/state/state.h"

namespace streamscope::window {

void set_text(State& state, Effects& effects, std::string text, bool edited);
// The program text that the settings build, or why they build none.
void build_text(State& state, Effects& effects);
// Experiment or program as the file has it.
void take(State& state, Effects& effects, OpenedFile file);
// Keeps what was typed for command::RestoreTyped.
void put_typed_aside(State& state);

}  // namespace streamscope::window
