#include "kernels/reduce/reduce.h"

#include "kernels/launch.cuh"
#include "kernels/timer.cuh"

namespace streamscope::kernels {
namespace {

// Lane 0 has the sum.
__device__ inline std::uint32_t over_warp(std::uint32_t one) {
#pragma unroll
  for (int apart = 16; apart > 0; apart /= 2) one += __shfl_down_sync(0xFFFFFFFFu, one, apart);
  return one;
}

__device__ inline void add(uint4& sum, const uint4& four) {
  sum.x += four.x;
  sum.y += four.y;
  sum.z += four.z;
  sum.w += four.w;
}

// A thread adds what it loaded a step ago and loads into its place: so kReduceLoads loads stay under way. (Loads that
// are all added in the step that begins them, ptxas delays to save registers: half of them waited for the others.) The
// elements before the first 16-byte boundary of a share, and those after the last, are fewer than 4 each.
template <Stamped kStamped>
__global__ void __launch_bounds__(1024)
    reduce_kernel(std::uint32_t* __restrict__ sums, const std::uint32_t* __restrict__ data, std::uint64_t count,
                  std::uint64_t share, StampTo stamp) {
  const BlockStamp block = stamp_start<kStamped>(stamp);
  __shared__ std::uint32_t of_warps[32];
  const std::uint64_t begin = min(blockIdx.x * share, count), length = min(share, count - begin);
  const std::uint32_t* const from = data + begin;
  const std::uint64_t to_boundary = (16 - reinterpret_cast<std::uintptr_t>(from) % 16) % 16 / 4;
  const std::uint64_t head = min(to_boundary, length);
  const auto* const fours = reinterpret_cast<const uint4*>(from + head);
  const std::uint64_t four_count = (length - head) / 4;
  const std::uint64_t apart = blockDim.x;
  const auto load = [&](std::uint64_t at) { return at < four_count ? fours[at] : uint4{0, 0, 0, 0}; };

  uint4 sum{0, 0, 0, 0}, four[kReduceLoads];
  std::uint64_t i = threadIdx.x;
#pragma unroll
  for (std::uint32_t k = 0; k < kReduceLoads; ++k) four[k] = load(i + k * apart);
  while ((i += kReduceLoads * apart) < four_count) {
#pragma unroll
    for (std::uint32_t k = 0; k < kReduceLoads; ++k) {
      add(sum, four[k]);
      four[k] = load(i + k * apart);
    }
  }
#pragma unroll
  for (std::uint32_t k = 0; k < kReduceLoads; ++k) add(sum, four[k]);
  const std::uint64_t done = head + four_count * 4;
  if (threadIdx.x < head + (length - done)) {
    sum.x += from[threadIdx.x < head ? threadIdx.x : done + (threadIdx.x - head)];
  }

  const std::uint32_t warp = threadIdx.x / 32, lane = threadIdx.x % 32;
  const std::uint32_t of_warp = over_warp((sum.x + sum.y) + (sum.z + sum.w));
  if (lane == 0) of_warps[warp] = of_warp;
  __syncthreads();
  if (warp == 0) {
    const std::uint32_t of_block = over_warp(lane < blockDim.x / 32 ? of_warps[lane] : 0);
    if (lane == 0 && sums != nullptr) sums[blockIdx.x] = of_block;
  }
  stamp_end<kStamped>(stamp, block);
}

constexpr decltype(&reduce_kernel<Stamped::no>) kForms[] = {reduce_kernel<Stamped::no>, reduce_kernel<Stamped::once>,
                                                            reduce_kernel<Stamped::repeatedly>};

struct ReduceLauncher final : Launcher {
  explicit ReduceLauncher(const ReduceOptions& of) : options(of) {}
  int prepare(std::size_t) override { return load(kForms); }
  int warm_up(const StampTo& stamp, const std::uint32_t*, Stream stream) const override {
    return ReduceLauncher({1, 32}).launch({}, stamp, {}, stream);
  }
  int fit(Fit* fit) const override { return fit_of(kForms[0], options.threads, 0, fit); }
  int launch(const LaunchData& data, const StampTo& stamp, const StagesTo&, Stream stream) const override {
    const std::uint64_t count = data.bytes / sizeof(std::uint32_t);
    return kernels::launch(kForms[static_cast<int>(stamped(stamp))], options.blocks, options.threads, 0, stream,
                           reinterpret_cast<std::uint32_t*>(data.first),
                           reinterpret_cast<const std::uint32_t*>(data.second), count,
                           reduce_share(count, options.blocks), stamp);
  }
  const void* code() const override { return reinterpret_cast<const void*>(kForms[0]); }
  ReduceOptions options;
};

}  // namespace

std::unique_ptr<Launcher> reduce_launcher(const ReduceOptions& options) {
  return std::make_unique<ReduceLauncher>(options);
}

}  // namespace streamscope::kernels
