// The search for hazards, one at a time as they are found.
#pragma once

#include <functional>

#include "engine/program/order/order.h"

namespace streamscope::program {

// Calls `found` for each hazard, in order of `second`, until it gives false. Gives the operation at which the search
// became too costly and ended, or kNoOperation where it went through.
OperationIndex scan_hazards(const Program& program, const std::function<bool(const Hazard&)>& found);

}  // namespace streamscope::program
