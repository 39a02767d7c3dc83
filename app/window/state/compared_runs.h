// The run in view and the one it is compared with, and what is made of both.
#pragma once

#include <optional>

#include "app/draw/second_run.h"
#include "app/window/state/state.h"

namespace streamscope::timeline {
struct ComparedRun;
}

namespace streamscope::window {

// For update(), after each message: the comparison of the two runs in view where it is missing and not asked for yet,
// in the order that is wanted.
std::optional<PairRequest> pair_due(State& state);
// The pair of the two runs in view; null: there is none (yet).
const ShownPair* pair_in_view(const State& state);
// Of an operation of the first run, or of the second; kNoOperation: it has no partner, or none is known yet.
OperationIndex partner_in_second(const State& state, OperationIndex operation);
OperationIndex partner_in_first(const State& state, OperationIndex operation);

Nanoseconds offset_of(const State& state);
// How the timeline is to show the second run; without one it shows none.
timeline::ComparedRun compared_run(const State& state);
std::optional<draw::SecondRun> second_of(const State& state);  // the same for a picture

}  // namespace streamscope::window
