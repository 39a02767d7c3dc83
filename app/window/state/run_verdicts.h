// The verdicts in the state: when one is to be made, what comes of it, and trying what it offers.
#pragma once

#include <memory>
#include <optional>
#include <string>

#include "app/draw/figure.h"
#include "app/window/state/effects.h"
#include "app/window/state/state.h"

namespace streamscope::window {

// For update()
void update(State& state, Effects& effects, const VerdictCommand& command);
// After each message: the verdict on the run in view where it is missing and not asked for yet; `effects` says, too,
// where one that was asked for is wanted no more. None while a run goes on, which it would disturb, nor in live mode.
void ask_verdict(State& state, Effects& effects);
// A run has been prepared for the views: perhaps the one that a change was tried for.
void note_trial(State& state, const ShownRun& run);

// Why there is none, or that it is on its way; empty where it is known.
std::string verdict_stands(const State& state);

// The trial that a run came of; null: none.
const Trial* trial_of(const State& state, std::uint64_t run);
// The newest change of that run by this help, run or under way; null: none.
const Trial* trial_with(const State& state, std::uint64_t run, const remedy::Help& help);
bool can_take_back(const State& state, const Trial& trial);
bool under_way(const State& state, const Trial& trial);
// "predicted 6.28 ms (6.1 ms to 6.4 ms), measured 6.31 ms"
std::string trial_text(const State& state, const Trial& trial);

// In a picture what the window shows of it.
void draw_verdict_in(draw::FigureOptions& options, const State& state);

// What is lit, where it is not known yet how to draw it; and the same with that.
std::optional<command::Lighted> lighting_due(const State& state);
command::Lighted lighted(command::Lighted due);
// The operations that are bright on the timeline: what is lit, else what the search means. Null: all are alike.
std::shared_ptr<const timeline::SearchHighlight> highlight_in_view(const State& state);

}  // namespace streamscope::window
