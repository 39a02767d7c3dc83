// The calls without a stream as a program makes them that is compiled with --default-stream per-thread.
#pragma once

#include <cuda_runtime_api.h>

#include <cstddef>

namespace streamscope::cuda {

cudaError_t memcpy_per_thread(void* to, const void* from, std::size_t bytes, cudaMemcpyKind kind);
cudaError_t memset_per_thread(void* data, int value, std::size_t bytes);

}  // namespace streamscope::cuda
