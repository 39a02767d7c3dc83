#include "kernels/spin/spin.h"

#include <algorithm>

#include "kernels/launch.cuh"
#include "kernels/timer.cuh"

namespace streamscope::kernels {
namespace {

constexpr std::uint64_t kShortestThatLooks = 2'000;

// One thread watches the time; the others wait for it at the barrier and so hold the block's resources.
template <Stamped kStamped>
__global__ void spin_kernel(std::uint64_t nanoseconds, long long cycles, const volatile std::uint32_t* abandon,
                            StampTo stamp) {
  BlockStamp block{};
  if (threadIdx.x == 0) {
    const std::uint64_t begin = globaltimer();
    const long long first_cycle = clock64();
    block = begin_stamp<kStamped>(stamp, begin);
    // Once abandoned, blocks that have not started yet return at once too, so that the whole grid drains. The check is
    // a read of global memory, so a spin that is hardly longer than that omits it.
    if (nanoseconds >= kShortestThatLooks && abandon != nullptr && *abandon != 0) nanoseconds = 0;
    // The second guard counts cycles: if %globaltimer ever stood still, the kernel would end nevertheless.
    for (unsigned turn = 1; globaltimer() - begin < nanoseconds && clock64() - first_cycle < cycles; ++turn) {
      if (turn % 128 == 0 && abandon != nullptr && *abandon != 0) break;
    }
  }
  __syncthreads();
  stamp_end<kStamped>(stamp, block);
}

constexpr decltype(&spin_kernel<Stamped::no>) kForms[] = {spin_kernel<Stamped::no>, spin_kernel<Stamped::once>,
                                                          spin_kernel<Stamped::repeatedly>};

struct SpinLauncher final : Launcher {
  explicit SpinLauncher(const SpinOptions& of) : options(of) {}
  int prepare(std::size_t shared_bytes_limit) override { return load(kForms, shared_bytes_limit); }
  int warm_up(const StampTo& stamp, const std::uint32_t* abandon, Stream stream) const override {
    return SpinLauncher({0, 1, 32, 0}).launch({nullptr, nullptr, 0, abandon}, stamp, {}, stream);
  }
  int fit(Fit* fit) const override { return fit_of(kForms[0], options.threads, options.shared_bytes, fit); }
  int launch(const LaunchData& data, const StampTo& stamp, const StagesTo&, Stream stream) const override {
    // No GPU runs at more than 4 cycles a nanosecond.
    constexpr std::uint64_t kMost = 0x7FFFFFFFFFFFFFFFull / 4 - 1'000'000;
    const std::uint64_t nanoseconds = std::min(static_cast<std::uint64_t>(options.duration), kMost);
    const auto cycles = static_cast<long long>(nanoseconds * 4 + 1'000'000);
    return kernels::launch(kForms[static_cast<int>(stamped(stamp))], options.blocks, options.threads,
                           options.shared_bytes, stream, nanoseconds, cycles, data.abandon, stamp);
  }
  const void* code() const override { return reinterpret_cast<const void*>(kForms[0]); }
  SpinOptions options;
};

}  // namespace

std::unique_ptr<Launcher> spin_launcher(const SpinOptions& options) { return std::make_unique<SpinLauncher>(options); }

}  // namespace streamscope::kernels
