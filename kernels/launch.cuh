// Launches a kernel. A bad configuration is returned as the result of the call and leaves no last error behind.
#pragma once

#include <cuda_runtime.h>

#include <cstddef>

namespace streamscope::kernels {

template <class... Parameters, class... Arguments>
int launch(void (*kernel)(Parameters...), unsigned blocks, unsigned threads, std::size_t shared_bytes,
           cudaStream_t stream, Arguments... arguments) {
  cudaLaunchConfig_t config{};
  config.gridDim = dim3(blocks);
  config.blockDim = dim3(threads);
  config.dynamicSmemBytes = shared_bytes;
  config.stream = stream;
  const cudaError_t code = cudaLaunchKernelEx(&config, kernel, static_cast<Parameters>(arguments)...);
  if (code != cudaSuccess) cudaGetLastError();
  return code;
}

// Parts of prepare() (kernels/launch.h), each beside its kernel.
int prepare_spin(std::size_t shared_bytes_limit);
int prepare_axpb();
int prepare_gate();

}  // namespace streamscope::kernels
