// The instruments there are.
#pragma once

#include "engine/device/cuda/instrument/pass_instrument.h"

namespace streamscope::cuda {

// Error bad_input where it cannot be used here. Not for bare passes.
Result<std::unique_ptr<PassInstrument>> make_instrument(device::Instrument which, const Observable& observed);

}  // namespace streamscope::cuda
