// The search for hazards, one at a time as they are found.
#pragma once

#include <functional>

#include "engine/program/order/order.h"

namespace streamscope::program {

// Calls `found` for each hazard, in order of `second`, until it returns false. Returns the operation at which the
// search became too costly and stopped, or kNoOperation where it was completed.
OperationIndex scan_hazards(const Program& program, const std::function<bool(const Hazard&)>& found);

}  // namespace streamscope::program
