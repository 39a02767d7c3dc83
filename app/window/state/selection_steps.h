// Where the selection goes from here: along a track, from track to track, along the program, along what waits for what.
// Each gives the next operation, or kNoOperation where there is none. With nothing selected, the first.
#pragma once

#include "app/window/state/state.h"

namespace streamscope::window {

OperationIndex next_operation(const State& state);
OperationIndex previous_operation(const State& state);
OperationIndex next_on_track(const State& state);  // its stream; its host thread for work of the host
OperationIndex previous_on_track(const State& state);
OperationIndex on_track_above(const State& state);  // the operation nearest in time
OperationIndex on_track_below(const State& state);
OperationIndex waited_for(const State& state);
OperationIndex waited_by(const State& state);
// The match of the search that is next in the order of the table, or the one before; from the last on to the first.
OperationIndex next_match(const State& state, int direction);

}  // namespace streamscope::window
