// Which run is in view, and which of its kernels is open.
#pragma once

#include <memory>

#include "app/window/state/state.h"

namespace streamscope::window {

// Selection, measurement and marks of the run before are dropped where that was of another program. Of two runs in
// view, the compared one changes places.
void show(State& state, std::shared_ptr<const ShownRun> run);

// The inside of a kernel is opened, or closed where it is open; where that cannot be, it is said why.
void toggle_inside(State& state, OperationIndex operation);

}  // namespace streamscope::window
