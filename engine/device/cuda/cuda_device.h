// NVIDIA GPUs through the CUDA runtime, behind the device interface. Plain C++: no CUDA header is needed to use it.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "engine/device/device.h"

namespace streamscope::cuda {

struct CudaDevices {
  std::vector<device::DeviceInfo> devices;
  std::string why_none;  // one line a person can act on: no driver, too old a driver, no GPU
};
CudaDevices cuda_devices();

// Error no_device where there is no such GPU.
Result<std::unique_ptr<device::Device>> open_cuda_device(int index);

}  // namespace streamscope::cuda
