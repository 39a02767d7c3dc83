// From one step of a lesson to the next, and its runs: what of it changes the rest of the state.
#pragma once

#include <vector>

#include "app/window/state/effects.h"
#include "app/window/state/state.h"

namespace streamscope::window {

// For update(). Whether what the step shows is to be shown anew.
[[nodiscard]] bool update(State& state, Effects& effects, const LessonCommand& command);
// What is said of the text in the editor: no warnings while they may give an answer away.
std::vector<program::Diagnostic> told_diagnostics(const State& state);
// What the step shows is in view: where the timeline looks, what is lit, what plays.
void point_at_step(State& state);
// Asks for the lesson's next run that is not made yet, where nothing else is being run.
void continue_lesson(State& state, Effects& effects);
void lesson_run_done(State& state, Effects& effects, const StartedRun& started,
                     const std::shared_ptr<const trace::Run>& run);
void lesson_run_failed(State& state, const Error& error);
// Of the files that the program names, beside it, or in the folder of the lesson that is open.
Effects::OwnCode own_code_wanted(const State& state, std::vector<std::string> files);
// Whether the program in the editor is to run with it: the person let the program or the lesson of then run, and not
// the one that is there meanwhile.
[[nodiscard]] bool take_own_code(State& state, Effects& effects, const command::OwnCodeRead& read);
// A run of the program as a learner has changed it has come into view.
void lesson_program_ran(State& state, Effects& effects, const ShownRun& run);

}  // namespace streamscope::window
