// Measures a GPU's DispatchLatency (engine/device/dispatch_latency.h) once, when it is opened, with some small kernels
// and copies. Takes about 5 ms where nothing disturbs it.
#pragma once

#include <cuda_runtime_api.h>

#include <cstdint>

#include "engine/base/result.h"
#include "engine/device/cuda/runtime/memory.h"
#include "engine/device/dispatch_latency.h"

namespace streamscope::cuda {

// Bytes.
struct MeasuredSizes {
  std::uint64_t large = 0;      // of the larger copies over the bus, more than 256 KiB
  std::uint64_t in_memory = 0;  // of copies within the device that no cache holds
  std::uint64_t cache = 0;      // of the L2
};
// The device should be idle. Uses `stream` and one of its own. `link`: the least time for a byte over the bus
// (pcie_link.h), 0 where it is not known: where copies take far longer they are tried again for up to 0.1 s in each
// direction.
Result<device::DispatchLatency> measure_dispatch_latency(MemoryPool& pool, cudaStream_t stream,
                                                         const MeasuredSizes& sizes, double link);

}  // namespace streamscope::cuda
