// How fast this GPU copies within its memory: the reference for the bytes per second of kernels.
#pragma once

#include "engine/device/cuda/runtime/context.h"

namespace streamscope::cuda {

// Bytes a second, read plus written, of a device-to-device copy (OpenOptions::device_copy), the median of five; 0 where
// the device has no memory to spare for it. Takes a millisecond; the device must be idle.
Result<double> measured_copy_rate(CudaContext& context);

}  // namespace streamscope::cuda
