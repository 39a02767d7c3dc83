#include "kernels/launch.cuh"
#include "kernels/launch.h"
#include "kernels/timer.cuh"

namespace streamscope::kernels {
namespace {

__device__ inline float chain(float v, float a, float b, std::uint32_t fma) {
  for (std::uint32_t i = 0; i < fma; ++i) v = fmaf(v, a, b);
  return v;
}

// Four elements per thread and step: 16-byte accesses, and four chains that hide each other's latency. The `head`
// elements before the first 16-byte boundary are processed one by one, like those after the last.
template <Stamped kStamped>
__global__ void __launch_bounds__(1024) axpb_kernel(float* data, std::uint64_t count, std::uint32_t head, float a,
                                                    float b, std::uint32_t fma, StampTo stamp) {
  const BlockStamp block = stamp_start<kStamped>(stamp);
  const std::uint64_t thread = static_cast<std::uint64_t>(blockIdx.x) * blockDim.x + threadIdx.x;
  const std::uint64_t threads = static_cast<std::uint64_t>(gridDim.x) * blockDim.x;
  auto* const fours = reinterpret_cast<float4*>(data + head);
  const std::uint64_t four_count = (count - head) / 4;
  for (std::uint64_t i = thread; i < four_count; i += threads) {
    float4 v = fours[i];
#pragma unroll 8
    for (std::uint32_t k = 0; k < fma; ++k) {
      v.x = fmaf(v.x, a, b);
      v.y = fmaf(v.y, a, b);
      v.z = fmaf(v.z, a, b);
      v.w = fmaf(v.w, a, b);
    }
    fours[i] = v;
  }
  const std::uint64_t done = head + four_count * 4;
  for (std::uint64_t i = thread; i < head + (count - done); i += threads) {
    float* const one = data + (i < head ? i : done + (i - head));
    *one = chain(*one, a, b, fma);
  }
  stamp_end<kStamped>(stamp, block);
}

constexpr decltype(&axpb_kernel<Stamped::no>) kForms[] = {axpb_kernel<Stamped::no>, axpb_kernel<Stamped::once>,
                                                          axpb_kernel<Stamped::repeatedly>};

}  // namespace

int axpb(const Axpb& launched, const StampTo& stamp, Stream stream) {
  const auto beyond = static_cast<std::uint32_t>(reinterpret_cast<std::uintptr_t>(launched.data) % 16 / 4);
  std::uint64_t head = beyond == 0 ? 0 : 4 - beyond;
  if (head > launched.count) head = launched.count;
  return launch(kForms[static_cast<int>(stamped(stamp))], launched.blocks, launched.threads, 0, stream, launched.data,
                launched.count, static_cast<std::uint32_t>(head), kAxpbA, kAxpbB, launched.fma, stamp);
}

int prepare_axpb() {
  cudaFuncAttributes attributes{};
  for (const auto kernel : kForms) {
    const cudaError_t code = cudaFuncGetAttributes(&attributes, kernel);
    if (code != cudaSuccess) return code;
  }
  return cudaSuccess;
}

}  // namespace streamscope::kernels
