// Measures a GPU's DispatchLatency (engine/device/dispatch_latency.h) once, when it is opened, with some small kernels
// and copies. Takes about 5 ms.
#pragma once

#include <cuda_runtime_api.h>

#include <cstdint>

#include "engine/base/result.h"
#include "engine/device/cuda/runtime/memory.h"
#include "engine/device/dispatch_latency.h"

namespace streamscope::cuda {

// The device should be idle. Uses `stream` and one of its own. `large`: bytes of the larger copies, more than 256 KiB.
Result<device::DispatchLatency> measure_dispatch_latency(MemoryPool& pool, cudaStream_t stream, std::uint64_t large);

}  // namespace streamscope::cuda
