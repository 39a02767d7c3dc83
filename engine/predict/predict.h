// What a model makes of a program that was run, on a GPU or on another model: Run::prediction.
#pragma once

#include <stop_token>

#include "engine/device/device.h"

namespace streamscope::predict {

// One pass. Errors: the model cannot run it, or `cancelled`.
Result<trace::Prediction> predict(device::Device& model, const program::Program& program, const std::stop_token& stop);

// Puts the prediction into the run. A failure leaves the run as it is but for a note, its first, that says why there is
// none: what was measured is worth more. A run with the gate gets none, since a model has no gate to hold back with.
// `fits`: whether the model was made for that device; if not, the prediction's notes say so. `note`: one more of these,
// where it is not empty.
void add_prediction(trace::Run& run, const Result<device::Device*>& model, bool fits, const program::Program& program,
                    const std::stop_token& stop, const std::string& note = {});

}  // namespace streamscope::predict
