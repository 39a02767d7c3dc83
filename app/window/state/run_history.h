// The runs that are kept.
#pragma once

#include <memory>

#include "app/window/state/state.h"

namespace streamscope::window {

// Finished runs are kept up to this many spans (about 100 bytes each); then the oldest are dropped, and the window says
// so.
inline constexpr std::size_t kSpansKept = 4'000'000;

// Adds a run. Where there are too many spans the oldest runs are dropped, but not those in view or with a name.
void keep(State& state, std::shared_ptr<const ShownRun> run);

}  // namespace streamscope::window
