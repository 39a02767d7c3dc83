#include "kernels/axpb/axpb.h"

#include <algorithm>

#include "kernels/launch.cuh"
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

struct AxpbLauncher final : Launcher {
  explicit AxpbLauncher(const AxpbOptions& of) : options(of) {}
  int prepare(std::size_t) override { return load(kForms); }
  int warm_up(const StampTo& stamp, const std::uint32_t*, Stream stream) const override {
    return AxpbLauncher({0, 1, 32}).launch({}, stamp, {}, stream);
  }
  int fit(Fit* fit) const override { return fit_of(kForms[0], options.threads, 0, fit); }
  int launch(const LaunchData& data, const StampTo& stamp, const StagesTo&, Stream stream) const override {
    const auto beyond = static_cast<std::uint32_t>(reinterpret_cast<std::uintptr_t>(data.first) % 16 / 4);
    const std::uint64_t count = data.bytes / sizeof(float), head = std::min<std::uint64_t>(count, (4 - beyond) % 4);
    return kernels::launch(kForms[static_cast<int>(stamped(stamp))], options.blocks, options.threads, 0, stream,
                           reinterpret_cast<float*>(data.first), count, static_cast<std::uint32_t>(head), kAxpbA,
                           kAxpbB, options.fma, stamp);
  }
  const void* code() const override { return reinterpret_cast<const void*>(kForms[0]); }
  AxpbOptions options;
};

}  // namespace

std::unique_ptr<Launcher> axpb_launcher(const AxpbOptions& options) { return std::make_unique<AxpbLauncher>(options); }

}  // namespace streamscope::kernels
