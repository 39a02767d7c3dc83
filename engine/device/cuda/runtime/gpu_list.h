// Which GPUs the CUDA driver finds. Plain C++: no CUDA header is needed to use it.
#pragma once

#include <string>
#include <vector>

#include "engine/device/device_info.h"

namespace streamscope::cuda {

struct CudaDevices {
  std::vector<device::DeviceInfo> devices;
  std::string why_none;  // one line that says what to do: no driver, too old a driver, no GPU
};
CudaDevices cuda_devices();

}  // namespace streamscope::cuda
