// cudaMemPrefetchAsync as CUDA 12 and 13 spell it.
#pragma once

#include <cuda_runtime_api.h>

#include <cstddef>

namespace streamscope::cuda {

// Moves managed memory to the device of that index, or to the host: cudaCpuDeviceId.
inline cudaError_t prefetch(const void* data, std::size_t bytes, int to, cudaStream_t stream) {
#if CUDART_VERSION >= 13000
  cudaMemLocation location{};
  location.type = to == cudaCpuDeviceId ? cudaMemLocationTypeHost : cudaMemLocationTypeDevice;
  location.id = to == cudaCpuDeviceId ? 0 : to;
  return cudaMemPrefetchAsync(data, bytes, location, 0, stream);
#else
  return cudaMemPrefetchAsync(data, bytes, to, stream);
#endif
}

}  // namespace streamscope::cuda
