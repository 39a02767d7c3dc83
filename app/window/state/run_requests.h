// Asking for runs: when, what for, with which options.
#pragma once

#include <string>

#include "app/window/state/effects.h"
#include "app/window/state/state.h"

namespace streamscope::window {

// Live mode starts at most this often, so that the window stays responsive: 30 times a second, of which 20 pictures are
// left where a frame comes late.
inline constexpr Nanoseconds kLivePeriod = 33'000'000;
// A change of a control runs again by itself where that takes no longer.
inline constexpr Nanoseconds kQuickEnough = 2'000'000'000;
inline constexpr int kRunsForPairs = 5;
// Pairs are made once nothing was changed for so long, where they do not take long themselves.
inline constexpr Nanoseconds kRest = 400'000'000, kShortEnoughForPairs = 150'000'000;
// A second opinion takes another process some seconds: once nothing was changed for so long.
inline constexpr Nanoseconds kRestForReferee = 2'000'000'000;

// Why a run cannot be started now; empty: it can.
std::string why_not_run(const State& state);
// Of a picture of the run in view, where it is of a program: what that is called. Experiments have their names.
std::string picture_title(const State& state);
// The request for the session, for the text as it is.
remote::message::StartRun request(const State& state, RunFor purpose, bool long_kernels = false);

// How that run is remembered until it comes back; `begun`: on the host's clock.
StartedRun started(const State& state, const RunWanted& wanted, const remote::message::StartRun& request,
                   Nanoseconds begun);

// For update():

// Asks for a run. A run in progress that is made aside is stopped for it.
void ask_run(State& state, Effects& effects, RunFor purpose);
// After a change of a control: at once in live mode, and otherwise where a run is short.
void ask_run_after_change(State& state, Effects& effects);
// Asks for a run if one can be started; else says why not.
void run_now(State& state, Effects& effects, RunFor purpose);
// The engine at work is gone: a preview of its run is no result.
void drop_preview(State& state);

}  // namespace streamscope::window
