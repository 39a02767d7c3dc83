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

// From one range into another that lies apart from it. A kernel of its own: with two addresses the one in place took up
// to a quarter longer on an H200.
template <Stamped kStamped>
__global__ void __launch_bounds__(1024)
    axpb_from_kernel(float* to, const float* from, std::uint64_t count, std::uint64_t head, float a, float b,
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
constexpr decltype(&axpb_from_kernel<Stamped::no>) kFromForms[] = {
    axpb_from_kernel<Stamped::no>, axpb_from_kernel<Stamped::once>, axpb_from_kernel<Stamped::repeatedly>};

struct AxpbLauncher final : Launcher {
  explicit AxpbLauncher(const AxpbOptions& of) : options(of) {}
  int prepare(std::size_t) override {
    const int code = load(kForms);
    return code != 0 ? code : load(kFromForms);
  }
  int warm_up(const StampTo& stamp, const std::uint32_t*, Stream stream) const override {
    return AxpbLauncher({0, 1, 32}).launch({}, stamp, {}, stream);
  }
  int fit(Fit* fit) const override { return fit_of(kForms[0], options.threads, 0, fit); }
  int launch(const LaunchData& data, const StampTo& stamp, const StagesTo&, Stream stream) const override {
    const auto beyond = [](const char* at) { return reinterpret_cast<std::uintptr_t>(at) % 16 / 4; };
    const std::uint64_t count = data.bytes / sizeof(float);
    const std::uint64_t head = std::min<std::uint64_t>(count, (4 - beyond(data.first)) % 4);
    auto* const to = reinterpret_cast<float*>(data.first);
    const int form = static_cast<int>(stamped(stamp));
    if (data.second == nullptr) {
      return kernels::launch(kForms[form], options.blocks, options.threads, 0, stream, to, count,
                             static_cast<std::uint32_t>(head), kAxpbA, kAxpbB, options.fma, stamp);
    }
    // Where the two ranges lie differently to 16-byte boundaries, all go one by one.
    const bool alike = beyond(data.first) == beyond(data.second);
    return kernels::launch(kFromForms[form], options.blocks, options.threads, 0, stream, to,
                           reinterpret_cast<const float*>(data.second), count, alike ? head : count, kAxpbA, kAxpbB,
                           options.fma, stamp);
  }
  const void* code() const override { return reinterpret_cast<const void*>(kForms[0]); }
  AxpbOptions options;
};

}  // namespace

std::unique_ptr<Launcher> axpb_launcher(const AxpbOptions& options) { return std::make_unique<AxpbLauncher>(options); }

}  // namespace streamscope::kernels
