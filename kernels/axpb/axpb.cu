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
// elements before the first 16-byte boundary are processed one by one, like those after the last. In place, `to` is
// `from`.
template <Stamped kStamped>
__global__ void __launch_bounds__(1024)
    axpb_kernel(float* to, const float* from, std::uint64_t count, std::uint64_t head, float a, float b,
                std::uint32_t fma, StampTo stamp) {
  const BlockStamp block = stamp_start<kStamped>(stamp);
  const std::uint64_t thread = static_cast<std::uint64_t>(blockIdx.x) * blockDim.x + threadIdx.x;
  const std::uint64_t threads = static_cast<std::uint64_t>(gridDim.x) * blockDim.x;
  const auto* const fours = reinterpret_cast<const float4*>(from + head);
  auto* const to_fours = reinterpret_cast<float4*>(to + head);
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
    to_fours[i] = v;
  }
  const std::uint64_t done = head + four_count * 4;
  for (std::uint64_t i = thread; i < head + (count - done); i += threads) {
    const std::uint64_t one = i < head ? i : done + (i - head);
    to[one] = chain(from[one], a, b, fma);
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
    auto* const to = reinterpret_cast<float*>(data.first);
    const auto* const from = data.second != nullptr ? reinterpret_cast<const float*>(data.second) : to;
    const auto beyond = [](const float* at) { return reinterpret_cast<std::uintptr_t>(at) % 16 / 4; };
    const std::uint64_t count = data.bytes / sizeof(float);
    // Where the two ranges lie differently to 16-byte boundaries, all go one by one.
    const std::uint64_t head =
        beyond(to) == beyond(from) ? std::min<std::uint64_t>(count, (4 - beyond(from)) % 4) : count;
    return kernels::launch(kForms[static_cast<int>(stamped(stamp))], options.blocks, options.threads, 0, stream, to,
                           from, count, head, kAxpbA, kAxpbB, options.fma, stamp);
  }
  const void* code() const override { return reinterpret_cast<const void*>(kForms[0]); }
  AxpbOptions options;
};

}  // namespace

std::unique_ptr<Launcher> axpb_launcher(const AxpbOptions& options) { return std::make_unique<AxpbLauncher>(options); }

}  // namespace streamscope::kernels
