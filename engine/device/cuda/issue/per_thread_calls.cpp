// What nvcc's option defines: CUDA's header then has other functions behind the same names.
#define CUDA_API_PER_THREAD_DEFAULT_STREAM 1
#include "engine/device/cuda/issue/per_thread_calls.h"

namespace streamscope::cuda {

cudaError_t memcpy_per_thread(void* to, const void* from, std::size_t bytes, cudaMemcpyKind kind) {
  return cudaMemcpy(to, from, bytes, kind);
}

cudaError_t memset_per_thread(void* data, int value, std::size_t bytes) { return cudaMemset(data, value, bytes); }

}  // namespace streamscope::cuda
