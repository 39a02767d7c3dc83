#include <fmt/format.h>

#include "kernels/axpb/axpb.h"
#include "kernels/textbook.h"

namespace streamscope::kernels {

std::string cuda_chains() {
  return fmt::format(R"(// v*a + b, fma times.
__device__ float chain(float v, int fma) {{
#pragma unroll 8
  for (int i = 0; i < fma; ++i) v = fmaf(v, {0:a}f, {1:a}f);
  return v;
}}
__device__ float4 chain(float4 v, int fma) {{
#pragma unroll 8
  for (int i = 0; i < fma; ++i) {{
    v.x = fmaf(v.x, {0:a}f, {1:a}f);
    v.y = fmaf(v.y, {0:a}f, {1:a}f);
    v.z = fmaf(v.z, {0:a}f, {1:a}f);
    v.w = fmaf(v.w, {0:a}f, {1:a}f);
  }}
  return v;
}}
)",
                     kAxpbA, kAxpbB);
}

CudaCode axpb_code(std::string_view name, bool two_ranges) {
  constexpr std::string_view kApart =
      R"(// Each thread takes every so many'th four floats, as many as there are threads (grid-stride); those before the first
// 16-byte boundary and those behind the last one by one, and all of them where the two ranges lie differently to it.
__global__ void __launch_bounds__(1024) $name$(float* to, const float* from, size_t count, int fma) {
  const size_t thread = blockIdx.x * size_t{blockDim.x} + threadIdx.x, threads = gridDim.x * size_t{blockDim.x};
  const size_t beyond = reinterpret_cast<size_t>(from) % 16;
  const bool alike = reinterpret_cast<size_t>(to) % 16 == beyond;
  const size_t head = alike ? min(count, (16 - beyond) % 16 / 4) : count;
  const float4* fours = reinterpret_cast<const float4*>(from + head);
  float4* to_fours = reinterpret_cast<float4*>(to + head);
  const size_t four_count = (count - head) / 4;
  for (size_t i = thread; i < four_count; i += threads) to_fours[i] = chain(fours[i], fma);
  const size_t done = head + four_count * 4;
  for (size_t i = thread; i < head; i += threads) to[i] = chain(from[i], fma);
  for (size_t i = done + thread; i < count; i += threads) to[i] = chain(from[i], fma);
}
)";
  if (two_ranges) return {.helpers = {cuda_chains()}, .definition = filled_in(kApart, {{"name", name}})};
  return {
      .helpers = {cuda_chains()},
      .definition = filled_in(
          R"(// Each thread takes every so many'th four floats, as many as there are threads (grid-stride); those before the first
// 16-byte boundary and those behind the last one by one.
__global__ void __launch_bounds__(1024) $name$(float* data, size_t count, int fma) {
  const size_t thread = blockIdx.x * size_t{blockDim.x} + threadIdx.x, threads = gridDim.x * size_t{blockDim.x};
  const size_t head = min(count, (16 - reinterpret_cast<size_t>(data) % 16) % 16 / 4);
  float4* fours = reinterpret_cast<float4*>(data + head);
  const size_t four_count = (count - head) / 4;
  for (size_t i = thread; i < four_count; i += threads) fours[i] = chain(fours[i], fma);
  const size_t done = head + four_count * 4;
  for (size_t i = thread; i < head; i += threads) data[i] = chain(data[i], fma);
  for (size_t i = done + thread; i < count; i += threads) data[i] = chain(data[i], fma);
}
)",
          {{"name", name}})};
}

}  // namespace streamscope::kernels
