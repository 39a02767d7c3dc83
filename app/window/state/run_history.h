// The runs that are kept.
#pragma once

#include <memory>

#include "app/window/state/state.h"

namespace streamscope::window {

// Finished runs are kept up to this many spans (about 100 bytes each); then the oldest go, and the window says so.
inline constexpr std::size_t kSpansKept = 4'000'000;

// Adds a run. Where there are too many spans the oldest go, but those in view and those that a person gave a name.
void keep(State& state, std::shared_ptr<const ShownRun> run);

}  // namespace streamscope::window
