// What is to be read of the run in view, and what follows from what was read.
#pragma once

#include <memory>
#include <optional>

#include "app/window/state/state.h"

namespace streamscope::window {

// What is to be read now, without what is in `state` from before. Nothing where all that is wanted is there.
std::optional<TableReading> table_due(const State& state);
std::optional<RangeReading> range_due(const State& state);
// The operations that the search means, for the timeline; null where all are alike.
std::shared_ptr<const timeline::SearchHighlight> lit(const State& state);

// The match after the selected operation in the order of the table, or before it; from the last on to the first.
OperationIndex next_match(const State& state, int direction);

}  // namespace streamscope::window
