// NVIDIA GPUs through the CUDA runtime, behind the device interface. Plain C++: using it needs no CUDA header.
#pragma once

#include <memory>

#include "engine/device/cuda/runtime/open_options.h"
#include "engine/device/device.h"

namespace streamscope::cuda {

// Error no_device where there is no such GPU.
Result<std::unique_ptr<device::Device>> open_cuda_device(int index, const OpenOptions& options = {});

}  // namespace streamscope::cuda
