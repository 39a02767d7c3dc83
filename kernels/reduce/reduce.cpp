#include "kernels/reduce/reduce.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <atomic>
#include <cstring>

#include "engine/base/translate.h"
#include "kernels/option_values.h"
#include "kernels/parallel_slices.h"
#include "kernels/textbook.h"

namespace streamscope::kernels {
namespace {

constexpr std::uint32_t kRegisters = 54;  // 8 loads of 4 each, the rest addresses
constexpr std::array kOptions{blocks_option(kReduceBlocks, "264"), threads_option(256)};
enum : std::size_t { kBlocks, kThreads };

std::uint32_t sum(const char* data, std::uint64_t begin, std::uint64_t end) {
  std::uint32_t all = 0;
  for (std::uint64_t i = begin; i < end; ++i) {
    std::uint32_t one;
    std::memcpy(&one, data + 4 * i, sizeof one);
    all += one;
  }
  return all;
}

// Uses all cores, also where one block has all of the data: modulo 2^32 it does not matter in which order parts of a
// share are added.
struct ReduceReference final : Reference {
  std::optional<std::string> compute(const Values& values, std::uint64_t bytes, char* first,
                                     const char* second) override {
    const std::uint64_t count = bytes / 4;
    const ReduceOptions chosen = reduce_options(values);
    const std::uint64_t share = reduce_share(count, chosen.blocks);
    auto* const sums = reinterpret_cast<std::uint32_t*>(first);
    std::memset(sums, 0, std::size_t{4} * chosen.blocks);
    in_slices(count, [&](std::size_t, std::uint64_t begin, std::uint64_t end) {
      while (begin < end) {
        const std::uint64_t block = begin / share, stop = std::min(end, (block + 1) * share);
        std::atomic_ref(sums[block]).fetch_add(sum(second, begin, stop), std::memory_order_relaxed);
        begin = stop;
      }
    });
    return std::nullopt;
  }
};

// A multiprocessor gets so many bytes a clock from the second-level cache, at most.
constexpr std::uint32_t kBytesAClock = 64;
constexpr Int128 kMillion = 1'000'000;
constexpr Int128 kBytesOfLoad = 16;

// Memory that is only read need not turn around between reads and writes: a few per cent more than a large copy
// within the device, in thousandths. memory_rate is what a loop with one load and one store a thread reaches; so that a
// change of that number also affects reduce, it gets at most so many thousandths of it.
constexpr Int128 kOfCopyRate = 1030, kOfMemoryRate = 1320;

// Clocks of a step besides the loads' latency, for a warp alone: some 110 instructions, of which the 32 additions and
// as many others take two clocks each on 16 lanes: 170. Measured with 16 MiB in 33 blocks: 45 more.
constexpr Int128 kStepClocks = 215;
// Clocks from the last step to the sum: two times five shuffles with an addition, of 28 clocks each; between them a
// store to shared memory, a barrier and a load, 25 to 30 clocks each; before them the accumulators of a thread.
constexpr Int128 kTreeClocks = 400;
constexpr Int128 kAddsPerClock = 64;  // 32-bit integers, of a multiprocessor

// From the second-level cache: thousandths of the rate at which a loop reads and writes there. Measured on an H200 with
// 16 MiB and 264 blocks; other sizes and numbers of blocks took no part.
constexpr Int128 kOfCacheRate = 1760;
// How much of data that is read again and again stays in that cache: all up to this part of what stays of data that is
// also written, in thousandths; of more, each byte too many drives out so many more, until nothing is left. Measured
// with 46, 48 and 50 MiB in 264 blocks.
constexpr Int128 kOfCacheBytes = 1440, kDrivenOut = 5;
// Clocks of a multiprocessor for each warp, whatever it loads: some 230 instructions from its start to the sum of its
// block, on four schedulers. Measured with 1 MiB in 528 blocks.
constexpr Int128 kWarpClocks = 58;

// Loads do not wait for each other as tiles do: near its full rate memory makes each wait for a small part of its
// latency.
constexpr Int128 kPartInLine = 20;

// Reads alone, from memory and from the cache.
Hardware only_reading(const Hardware& hardware, std::uint64_t bytes) {
  const auto rate = static_cast<Int128>(std::max<std::uint64_t>(1, hardware.memory_rate));
  const Int128 reading =
      std::min(divided(rate * kOfMemoryRate, 1000), std::max(rate, divided(hardware.copy_rate * kOfCopyRate, 1000)));
  Hardware changed = hardware;
  changed.memory_rate = static_cast<std::uint64_t>(reading);
  changed.cache_rate =
      static_cast<std::uint64_t>(divided(static_cast<Int128>(hardware.cache_rate) * kOfCacheRate, 1000));
  const Int128 cache = divided(static_cast<Int128>(hardware.cache_bytes) * kOfCacheBytes, 1000);
  const Int128 too_many = std::max<Int128>(0, static_cast<Int128>(bytes) - cache);
  changed.cache_bytes = static_cast<std::uint64_t>(std::max<Int128>(0, cache - kDrivenOut * too_many));
  return changed;
}

Int128 bytes_of_step(const Costs& costs) { return costs.threads * kReduceLoads * kBytesOfLoad; }

// In which each of `blocks` loads so many bytes, all of them under way at once.
Int128 step_time(const Hardware& hardware, const Costs& costs, Int128 busiest, Int128 blocks, Int128 bytes) {
  const Int128 memory = divided_up(blocks * bytes * kMillion, costs.rate);
  const Int128 multiprocessor = from_clocks(hardware, divided_up(busiest * bytes, kBytesAClock));
  return queued(std::max(memory, multiprocessor), costs.alone, divided(costs.latency, kPartInLine));
}

struct ReduceKernel final : Kernel {
  ReduceKernel() {
    word = "reduce";
    meaning = tr_later("sums of 32-bit integers, one for each block");
    usage = "reduce y[0:1056] from x[0:16MiB] blocks=264 threads=256";
    operands = Operands::to_from;
    options = kOptions;
  }

  std::optional<Problem> check(const Values& values) const override {
    const std::int64_t threads = values[kThreads], fewer = threads / kWarp * kWarp;
    if (threads == fewer) return {};
    return Problem{kThreads,
                   tr("'threads' (in a block) is a multiple of {} for reduce, whose warps add up together, "
                      "not {}; write {}",
                      kWarp, threads, fewer == 0 ? fmt::format("{}", kWarp) : tr("{} or {}", fewer, fewer + kWarp))};
  }

  Granularity granularity(const Values&) const override {
    return {4, 4, ~0ull, tr("the kernel reduce works on 32-bit integers")};
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
    return {static_cast<double>(bytes) / kBytesAClock / working * cycle};
  }

  Costs costs(const Hardware& hardware, const Values& values, std::uint64_t bytes) const override {
    const ReduceOptions chosen = reduce_options(values);
    const std::uint64_t count = bytes / 4, share = reduce_share(count, chosen.blocks);
    // Its rate and latency, by how much of the data the cache holds. How steps are dealt out is another matter here.
    Costs costs = elementwise_costs(only_reading(hardware, bytes),
                                    {.elements = count, .blocks = chosen.blocks, .threads = chosen.threads});
    costs.working = share == 0 ? 1 : (count + share - 1) / share;
    costs.elements = static_cast<Int128>(std::min(count, share));
    costs.threads = chosen.threads;
    costs.alone = costs.latency + from_clocks(hardware, kStepClocks);
    const Int128 step = bytes_of_step(costs);
    costs.whole_steps = divided(costs.elements * 4, step);
    costs.last_blocks = costs.elements * 4 > costs.whole_steps * step ? static_cast<Int128>(costs.working) : 0;
    costs.steps = std::max<Int128>(1, costs.whole_steps + (costs.last_blocks > 0 ? 1 : 0));
    costs.work = bounded(from_clocks(hardware, divided(costs.elements, kAddsPerClock)));
    costs.work_per_step = bounded(divided(Int128{costs.work}, costs.steps));
    return costs;
  }
  Int128 stepping(const Hardware& hardware, const Values& values, std::uint64_t bytes, const Costs& costs,
                  std::uint32_t busiest, Int128 blocks, Int128) const override {
    const auto working = static_cast<Int128>(costs.working);
    blocks = std::min({blocks, working, static_cast<Int128>(busiest) * hardware.multiprocessors});
    const Int128 tree = from_clocks(hardware, kTreeClocks);
    const Int128 step = bytes_of_step(costs), rest = costs.elements * 4 - costs.whole_steps * step;
    Int128 loading = costs.whole_steps * step_time(hardware, costs, busiest, blocks, step);
    if (rest > 0) loading += step_time(hardware, costs, busiest, blocks, rest);
    // Where memory is busy all the time, its latency is seen before the first bytes and the addition of the threads'
    // sums behind the last. Blocks of several waves drift apart, so that some load while others do that: once in a
    // kernel.
    const Int128 memory = divided_up(moves(hardware, values, bytes, costs, blocks) * kMillion, costs.rate);
    const Int128 warps = busiest * divided_up(costs.threads, kWarpThreads);
    return std::max({loading + tree, memory + divided_up((costs.latency + tree) * blocks, working),
                     from_clocks(hardware, kWarpClocks * warps)});
  }
  Int128 moves(const Hardware&, const Values&, std::uint64_t bytes, const Costs& costs, Int128 blocks) const override {
    return std::min<Int128>(costs.elements * blocks * 4, static_cast<Int128>(bytes)) + 4 * blocks;
  }

  Precision precision(const Values&) const override { return {.integers = true}; }
  CudaCode cuda_code(const Values&, std::string_view name) const override { return reduce_code(name); }
  // A share is whole lines of 128 bytes (reduce_share()).
  CudaLaunch cuda_launch(const Values& values, const CudaOperands& on) const override {
    const std::string count = divided_by(on.bytes, "4"), blocks = fmt::format("{}", reduce_options(values).blocks);
    return {blocks, fmt::format("{}, {}, {}, (({} + 31) / 32 + {} - 1) / {} * 32", cast_to("unsigned*", on.first),
                                cast_to("const unsigned*", on.second), count, count, blocks, blocks)};
  }

  std::unique_ptr<Reference> reference() const override { return std::make_unique<ReduceReference>(); }
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
