#include "kernels/axpb/axpb.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>

#include "engine/base/translate.h"
#include "kernels/axpb/chains_reference.h"
#include "kernels/option_values.h"
#include "kernels/textbook.h"

namespace streamscope::kernels {
namespace {

constexpr std::uint32_t kRegisters = 32;
constexpr std::array kOptions{fma_option(), blocks_option(0, tr_later("2 per SM")), threads_option(256)};
enum : std::size_t { kFma, kBlocks, kThreads };

struct AxpbKernel final : Kernel {
  AxpbKernel() {
    word = "axpb";
    meaning = tr_later("real arithmetic on each float, v = v*a + b, in place or from one range to another");
    usage = "axpb x[0:16MiB] fma=64 blocks=8 threads=256";
    apart = "axpb y[0:16MiB] from x[0:16MiB] fma=64 blocks=8 threads=256";
    operands = Operands::either;
    options = kOptions;
  }

  Granularity granularity(const Values&) const override {
    return {4, 4, ~0ull, tr("the kernel axpb works on float32")};
  }

  Shape shape(const Values& values, std::uint64_t bytes, std::uint32_t multiprocessors) const override {
    const AxpbOptions chosen = axpb_options(values, multiprocessors);
    return {.blocks = chosen.blocks,
            .threads = chosen.threads,
            .registers = kRegisters,
            .bytes = 2 * bytes,
            .flops = 2.0 * chosen.fma * static_cast<double>(bytes / 4)};
  }

  AtLeast at_least(const Values& values, std::uint64_t bytes, std::uint32_t multiprocessors,
                   double cycle) const override {
    const AxpbOptions chosen = axpb_options(values, multiprocessors);
    const auto elements = static_cast<double>(bytes / 4);
    const double at_once = static_cast<double>(chosen.blocks) * chosen.threads * kChains;
    return {chains_take(elements, chosen.fma, chosen.blocks, elements / at_once, multiprocessors, cycle)};
  }

  Costs costs(const Hardware& hardware, const Values& values, std::uint64_t bytes) const override {
    const AxpbOptions chosen = axpb_options(values, hardware.multiprocessors);
    return elementwise_costs(hardware, {.elements = bytes / 4,
                                        .blocks = chosen.blocks,
                                        .threads = whole_warps(chosen.threads),
                                        .fma = chosen.fma,
                                        .ranges = has_two_ranges(values) ? 2u : 1u});
  }
  Int128 stepping(const Hardware& hardware, const Values& values, std::uint64_t, const Costs& costs,
                  std::uint32_t busiest, Int128 blocks, Int128 last) const override {
    return elementwise_stepping(hardware, static_cast<std::uint32_t>(values[kFma]), costs, busiest, blocks, last);
  }

  CudaCode cuda_code(const Values& values, std::string_view name) const override {
    return axpb_code(name, has_two_ranges(values));
  }
  CudaLaunch cuda_launch(const Values& values, const CudaOperands& on) const override {
    return {values[kBlocks] != 0 ? fmt::format("{}", values[kBlocks]) : "2 * multiprocessors",
            fmt::format("{}, {}{}, {}", cast_to("float*", on.first),
                        on.second.empty() ? "" : cast_to("const float*", on.second) + ", ", divided_by(on.bytes, "4"),
                        on.values[kFma])};
  }

  std::unique_ptr<Reference> reference() const override { return std::make_unique<FmaChains>(kFma); }
};

}  // namespace

const Kernel& axpb_kernel() {
  static const AxpbKernel kKernel;
  return kKernel;
}

AxpbOptions axpb_options(const Values& values, std::uint32_t multiprocessors) {
  const auto blocks = static_cast<std::uint32_t>(values[kBlocks]);
  return {static_cast<std::uint32_t>(values[kFma]), blocks != 0 ? blocks : 2 * multiprocessors,
          static_cast<std::uint32_t>(values[kThreads])};
}

}  // namespace streamscope::kernels
