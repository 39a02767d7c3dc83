// The device that runs go to, and the model whose numbers can be changed.
#pragma once

#include <string>

#include "app/window/state/state.h"

namespace streamscope::window {

// The device that a run would go to; null where that is not known (yet).
const device::DeviceInfo* device_of(const State& state);
bool on_gpu(const State& state);
// The model whose numbers "what if" changes: the chosen one, or the one that predicts the chosen GPU. Null: none known.
const device::DeviceInfo* what_if_model(const State& state);
// Of it, as it is named to the engine: "model:h200,copies.engines=1".
std::string changed_model(const State& state, const device::DeviceInfo& model);

}  // namespace streamscope::window
