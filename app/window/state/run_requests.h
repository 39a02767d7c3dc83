// Asking for runs: when, what for, with which options. For apply(); what panels need of it stands in state.h.
#pragma once

#include <string>

#include "app/window/state/state.h"

namespace streamscope::window {

void say(State& state, std::string text, bool error = false);

// A text that did not come from the controls must be found good before it runs.
bool must_be_checked(const State& state);

// Leaves the wish for a run; one that only gathers pairs makes way for it.
void ask_run(State& state, RunFor purpose);
// After a change of a control: at once in live mode, and otherwise where a run is short.
void ask_run_after_change(State& state);
// If it can be; else says why not.
void run_now(State& state, RunFor purpose);

// "line 3: …: a kernel of more than 1 s freezes a display …": the engine refused it for that. Nothing: for something
// else.
std::optional<LongKernel> long_kernel(const std::string& refusal);

}  // namespace streamscope::window
