#include "kernels/reduce/reduce.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>

#include "kernels/option_values.h"
#include "kernels/reduce/loading_time.h"
#include "kernels/reduce/reference.h"

namespace streamscope::kernels {
namespace {

constexpr std::uint32_t kRegisters = 54;  // 8 loads of 4 each, the rest addresses
constexpr std::array kOptions{blocks_option(kReduceBlocks, "264"), threads_option(256)};
enum : std::size_t { kBlocks, kThreads };

struct ReduceKernel final : Kernel {
  ReduceKernel() {
    word = "reduce";
    meaning = "sums of 32-bit integers, one for each block";
    usage = "reduce y[0:1056] from x[0:16MiB] blocks=264 threads=256";
    operands = Operands::to_from;
    options = kOptions;
  }

  std::optional<Problem> check(const Values& values) const override {
    const std::int64_t threads = values[kThreads], fewer = threads / kWarp * kWarp;
    if (threads == fewer) return {};
    return Problem{kThreads,
                   fmt::format("'threads' (in a block) is a multiple of {} for reduce, whose warps add up together, "
                               "not {}; write {}",
                               kWarp, threads,
                               fewer == 0 ? fmt::format("{}", kWarp) : fmt::format("{} or {}", fewer, fewer + kWarp))};
  }

  Granularity granularity(const Values&) const override {
    return {4, 4, ~0ull, "the kernel reduce works on 32-bit integers"};
  }
  std::uint64_t result_bytes(const Values& values, std::uint64_t) const override {
    return std::uint64_t{4} * reduce_options(values).blocks;
  }

  Shape shape(const Values& values, std::uint64_t bytes, std::uint32_t) const override {
    const ReduceOptions chosen = reduce_options(values);
    return {.blocks = chosen.blocks,
            .threads = chosen.threads,
            .registers = kRegisters,
            .bytes = bytes + result_bytes(values, bytes)};
  }

  AtLeast at_least(const Values& values, std::uint64_t bytes, std::uint32_t multiprocessors,
                   double cycle) const override {
    const auto working = std::min<double>(reduce_options(values).blocks, std::max(1u, multiprocessors));
    return {static_cast<double>(bytes) / kReduceBytesAClock / working * cycle};
  }

  Costs costs(const Hardware& hardware, const Values& values, std::uint64_t bytes) const override {
    return reduce_costs(hardware, reduce_options(values), bytes);
  }
  Int128 stepping(const Hardware& hardware, const Values&, std::uint64_t bytes, const Costs& costs,
                  std::uint32_t busiest, Int128 blocks, Int128) const override {
    return reduce_stepping(hardware, bytes, costs, busiest, blocks);
  }
  Int128 moves(const Hardware&, const Values&, std::uint64_t bytes, const Costs& costs, Int128 blocks) const override {
    return reduce_moves(bytes, costs, blocks);
  }

  Precision precision(const Values&) const override { return {.integers = true}; }
  std::unique_ptr<Reference> reference() const override { return reduce_reference(); }
};

}  // namespace

const Kernel& reduce_kernel() {
  static const ReduceKernel kKernel;
  return kKernel;
}

ReduceOptions reduce_options(const Values& values) {
  return {values[kBlocks] != 0 ? static_cast<std::uint32_t>(values[kBlocks]) : kReduceBlocks,
          static_cast<std::uint32_t>(values[kThreads])};
}

}  // namespace streamscope::kernels
