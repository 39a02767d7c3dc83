// Loads kernels and launches them.
#pragma once

#include <cuda_runtime.h>

#include <cstddef>

#include "kernels/cuda_kernel.h"

namespace streamscope::kernels {

// What is wrong with it is returned as the result of the call, and is the thread's last error.
template <class... Parameters, class... Arguments>
int launch(void (*kernel)(Parameters...), unsigned blocks, unsigned threads, std::size_t shared_bytes,
           cudaStream_t stream, Arguments... arguments) {
  cudaLaunchConfig_t config{};
  config.gridDim = dim3(blocks);
  config.blockDim = dim3(threads);
  config.dynamicSmemBytes = shared_bytes;
  config.stream = stream;
  return cudaLaunchKernelEx(&config, kernel, static_cast<Parameters>(arguments)...);
}

// Before the first launch of each. They may use as much dynamic shared memory as is left of the limit by what they have
// of their own; 0: they use none.
template <class Kernels>
int load(const Kernels& kernels, std::size_t shared_bytes_limit = 0) {
  for (const auto kernel : kernels) {
    cudaFuncAttributes attributes{};
    cudaError_t code = cudaFuncGetAttributes(&attributes, kernel);
    if (code == cudaSuccess && shared_bytes_limit > 0) {
      code = cudaFuncSetAttribute(kernel, cudaFuncAttributeMaxDynamicSharedMemorySize,
                                  static_cast<int>(shared_bytes_limit - attributes.sharedSizeBytes));
    }
    if (code != cudaSuccess) return code;
  }
  return cudaSuccess;
}

// How blocks of so many threads with so much dynamic shared memory fit.
template <class Kernel>
int fit_of(Kernel kernel, std::uint32_t threads, std::size_t shared_bytes, Fit* fit) {
  cudaFuncAttributes attributes{};
  cudaError_t code = cudaFuncGetAttributes(&attributes, kernel);
  fit->registers = attributes.numRegs;
  fit->shared_bytes = shared_bytes;
  fit->static_bytes = attributes.sharedSizeBytes;
  if (code == cudaSuccess) {
    code = cudaOccupancyMaxActiveBlocksPerMultiprocessor(&fit->blocks, kernel, static_cast<int>(threads), shared_bytes);
  }
  if (code != cudaSuccess) cudaGetLastError();
  return code;
}

}  // namespace streamscope::kernels
