#include "kernels/spin/spin.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>

#include "engine/base/translate.h"
#include "kernels/option_values.h"
#include "kernels/textbook.h"

namespace streamscope::kernels {
namespace {

constexpr std::uint32_t kRegisters = 16;
constexpr Nanoseconds kLongest = 600'000'000'000;  // the sum of as many as a program may have fits int64
constexpr std::array<std::int64_t, 21> kOfferedDurations{
    1'000,     2'000,     3'000,      5'000,      10'000,     20'000,     30'000,
    50'000,    100'000,   200'000,    300'000,    500'000,    1'000'000,  2'000'000,
    3'000'000, 5'000'000, 10'000'000, 20'000'000, 30'000'000, 50'000'000, 100'000'000};
constexpr std::array<Option, 4> kOptions{{
    {.key = "duration",
     .kind = OptionKind::duration,
     .least = 0,
     .most = kLongest,
     .experiment = 300'000,
     .example = "300us",
     .meaning = tr_later("ten minutes at most"),
     .label = tr_later("Duration"),
     .help = tr_later("How long each block of the kernel spins."),
     .offered = kOfferedDurations,
     .leading = true,
     .argument = true},
    blocks_option(1, "1"),
    threads_option(128),
    shared_memory_option(
        tr_later("Shared memory of each block. With more of it fewer blocks fit on a multiprocessor at once.")),
}};
enum : std::size_t { kDuration, kBlocks, kThreads, kShared };

struct SpinKernel final : Kernel {
  SpinKernel() {
    word = "spin";
    meaning = tr_later("blocks that only wait for a set time");
    usage = "spin 300us blocks=1 threads=128 smem=0";
    options = kOptions;
  }

  Shape shape(const Values& values, std::uint64_t, std::uint32_t) const override {
    const SpinOptions chosen = spin_options(values);
    return {.blocks = chosen.blocks,
            .threads = chosen.threads,
            .shared_bytes = chosen.shared_bytes,
            .registers = kRegisters,
            .duration = chosen.duration};
  }

  // Blocks that do not fit at once come in waves. The limits are those of the largest GPUs (CUDA C++ Programming Guide,
  // "Technical Specifications per Compute Capability"); a smaller GPU takes longer.
  AtLeast at_least(const Values& values, std::uint64_t, std::uint32_t multiprocessors, double) const override {
    constexpr std::uint64_t kThreadsOfAll = 2048, kBlocksOfAll = 32, kSharedOfAll = 228 << 10, kReserved = 1 << 10;
    const SpinOptions chosen = spin_options(values);
    const std::uint64_t resident = std::min({kBlocksOfAll, kThreadsOfAll / whole_warps(std::max(1u, chosen.threads)),
                                             kSharedOfAll / (chosen.shared_bytes + kReserved)});
    const std::uint64_t at_once = std::max<std::uint64_t>(1, resident) * std::max(1u, multiprocessors);
    const std::uint64_t waves = (chosen.blocks + at_once - 1) / at_once;
    return {static_cast<double>(waves) * static_cast<double>(chosen.duration),
            waves > 1 ? tr("{} blocks do not fit at once", chosen.blocks) : ""};
  }

  CudaCode cuda_code(const Values&, std::string_view name) const override { return spin_code(name); }
  CudaLaunch cuda_launch(const Values& values, const CudaOperands& on) const override {
    return {fmt::format("{}", values[kBlocks]), on.values[kDuration], static_cast<std::uint64_t>(values[kShared])};
  }
};

}  // namespace

const Kernel& spin_kernel() {
  static const SpinKernel kKernel;
  return kKernel;
}

SpinOptions spin_options(const Values& values) {
  return {values[kDuration], static_cast<std::uint32_t>(std::max<std::int64_t>(1, values[kBlocks])),
          static_cast<std::uint32_t>(values[kThreads]), static_cast<std::uint32_t>(values[kShared])};
}

}  // namespace streamscope::kernels
