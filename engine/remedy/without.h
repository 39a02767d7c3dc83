// A device without what a cause rests on: what a run would take there says what the cause costs, whether or not a
// change of the program takes it away.
#pragma once

#include <vector>

#include "engine/device/device_spec.h"
#include "engine/verdict/causes.h"
#include "engine/verdict/judgement.h"

namespace streamscope::remedy {

// Of a model's profile; empty where no number of it stands for the cause.
std::vector<device::DeviceSpec::Change> without(verdict::Cause cause);

// Those of them that could have cost this run anything.
std::vector<verdict::Cause> causes_of_the_device(const verdict::Judgement& judgement);

}  // namespace streamscope::remedy
