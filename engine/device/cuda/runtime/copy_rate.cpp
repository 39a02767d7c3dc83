#include "engine/device/cuda/runtime/copy_rate.h"

#include <algorithm>
#include <array>

#include "engine/device/cuda/runtime/cuda_error.h"

namespace streamscope::cuda {

Result<double> measured_copy_rate(CudaContext& context) {
  const std::uint64_t bytes = context.options.device_copy;
  constexpr std::size_t kTimes = 5;
  constexpr const char* kDoing = "while measuring how fast the device copies";
  std::size_t free = 0, total = 0;
  CUDA_TRY(cudaMemGetInfo(&free, &total), kDoing);
  if (free + context.pool->idle_bytes(MemoryKind::device) < 4 * bytes) return 0.0;
  auto from = context.pool->take(MemoryKind::device, bytes, kDoing);
  auto to = context.pool->take(MemoryKind::device, bytes, kDoing);
  if (!from || !to) return 0.0;
  const cudaStream_t stream = context.control.get();
  auto begin = make_event(), end = make_event();
  if (!begin) return fail(begin.error());
  if (!end) return fail(end.error());
  // Memory that was never written may not be backed by pages of its own.
  CUDA_TRY(cudaMemsetAsync(from->data(), 0, bytes, stream), kDoing);
  CUDA_TRY(cudaMemsetAsync(to->data(), 0, bytes, stream), kDoing);
  std::array<float, kTimes> milliseconds{};
  for (float& one : milliseconds) {
    CUDA_TRY(cudaEventRecord(begin->get(), stream), kDoing);
    CUDA_TRY(cudaMemcpyAsync(to->data(), from->data(), bytes, cudaMemcpyDeviceToDevice, stream), kDoing);
    CUDA_TRY(cudaEventRecord(end->get(), stream), kDoing);
    CUDA_TRY(cudaEventSynchronize(end->get()), kDoing);
    CUDA_TRY(cudaEventElapsedTime(&one, begin->get(), end->get()), kDoing);
  }
  std::sort(milliseconds.begin(), milliseconds.end());
  const double median = milliseconds[kTimes / 2];
  return median > 0 ? 2 * static_cast<double>(bytes) / median * 1000 : 0.0;
}

}  // namespace streamscope::cuda
