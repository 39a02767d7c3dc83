// Which GPUs the CUDA driver finds. Plain C++: no CUDA header is needed to use it.
#pragma once

#include "engine/device/device_info.h"

namespace streamscope::cuda {

// Without GPUs also one line that says what to do: no driver, too old a driver, no GPU. A GPU that cannot be used is
// among `skipped` and keeps its number; of one that only fails when it is opened that is not known yet.
device::DeviceList cuda_devices();

// How many can be used and what has as many as a program names, for the message to it.
std::string gpus_there_are(std::size_t count, std::size_t named);

// That of a GPU which this build has no kernels for, nor PTX from which the driver could make them.
std::string without_kernels(const std::string& capability);

}  // namespace streamscope::cuda
