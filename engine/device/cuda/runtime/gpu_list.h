// Which GPUs the CUDA driver finds. Plain C++: no CUDA header is needed to use it.
#pragma once

#include "engine/device/device_info.h"

namespace streamscope::cuda {

// Without GPUs also one line that says what to do: no driver, too old a driver, no GPU.
device::DeviceList cuda_devices();

}  // namespace streamscope::cuda
