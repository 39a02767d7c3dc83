#include <fmt/format.h>

#include "kernels/reduce/reduce.h"
#include "kernels/textbook.h"

namespace streamscope::kernels {

CudaCode reduce_code(std::string_view name) {
  return {
      .helpers = {R"(// Of a warp's 32 values; lane 0 has the sum.
__device__ unsigned sum_of_warp(unsigned value) {
  for (int apart = 16; apart > 0; apart /= 2) value += __shfl_down_sync(0xFFFFFFFFu, value, apart);
  return value;
}
__device__ void add(uint4& sum, uint4 four) {
  sum.x += four.x;
  sum.y += four.y;
  sum.z += four.z;
  sum.w += four.w;
}
)"},
      .definition = filled_in(
          R"(// Block b adds the integers [b * share, (b + 1) * share) of data and leaves their sum in sums[b]. A thread adds what it
// loaded a step ago and loads into its place, so that kLoads loads of 16 bytes are always under way.
__global__ void __launch_bounds__(1024)
    $name$(unsigned* __restrict__ sums, const unsigned* __restrict__ data, size_t count, size_t share) {
  constexpr int kLoads = $loads$;
  __shared__ unsigned of_warps[32];
  const size_t begin = min(blockIdx.x * share, count), length = min(share, count - begin);
  const unsigned* const from = data + begin;
  const size_t head = min((16 - reinterpret_cast<size_t>(from) % 16) % 16 / 4, length);
  const uint4* const fours = reinterpret_cast<const uint4*>(from + head);
  const size_t four_count = (length - head) / 4, threads = blockDim.x;
  const auto load = [&](size_t at) { return at < four_count ? fours[at] : uint4{0, 0, 0, 0}; };

  uint4 sum{0, 0, 0, 0}, four[kLoads];
  size_t i = threadIdx.x;
#pragma unroll
  for (int k = 0; k < kLoads; ++k) four[k] = load(i + k * threads);
  while ((i += kLoads * threads) < four_count) {
#pragma unroll
    for (int k = 0; k < kLoads; ++k) {
      add(sum, four[k]);
      four[k] = load(i + k * threads);
    }
  }
#pragma unroll
  for (int k = 0; k < kLoads; ++k) add(sum, four[k]);
  const size_t done = head + four_count * 4;
  if (threadIdx.x < head) sum.x += from[threadIdx.x];
  if (done + threadIdx.x < length) sum.y += from[done + threadIdx.x];

  const unsigned warp = threadIdx.x / 32, lane = threadIdx.x % 32;
  const unsigned of_warp = sum_of_warp(sum.x + sum.y + sum.z + sum.w);
  if (lane == 0) of_warps[warp] = of_warp;
  __syncthreads();
  if (warp > 0) return;
  const unsigned of_block = sum_of_warp(lane < blockDim.x / 32 ? of_warps[lane] : 0);
  if (lane == 0) sums[blockIdx.x] = of_block;
}
)",
          {{"name", name}, {"loads", fmt::format("{}", kReduceLoads)}})};
}

}  // namespace streamscope::kernels
