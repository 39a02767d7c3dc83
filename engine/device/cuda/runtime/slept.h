// How long the machine has been suspended since it was started. host_now() stands still meanwhile, the GPU's clock need
// not.
#pragma once

#include "engine/base/time.h"

namespace streamscope::cuda {

Nanoseconds time_slept();

}  // namespace streamscope::cuda
