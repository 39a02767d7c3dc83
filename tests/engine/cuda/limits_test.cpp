// What the device refuses before it makes anything, and where what a launch leaves behind lies.
#include <gtest/gtest.h>

#include "engine/device/cuda/issue/slots.h"
#include "engine/device/cuda/runtime/limits.h"
#include "tests/support/program_of.h"

namespace streamscope::cuda {
namespace {

constexpr std::uint64_t kMiB = 1 << 20;

bool fits(const program::Program& program, std::uint64_t on_device, std::uint64_t on_host) {
  device::DeviceInfo info;
  info.memory_bytes = 1ull << 40;
  info.multiprocessors = 8;
  return !beyond_device(program, info, on_device, 505, {}, on_host);
}

TEST(Limits, ASharedAllocationCountsWhereItCanLie) {
  const program::Program mapped = tests::program_of("buffer m 4MiB host=mapped\n");
  EXPECT_TRUE(fits(mapped, 0, 4 * kMiB)) << "kernels reach it on the host";
  EXPECT_FALSE(fits(mapped, 100 * kMiB, 4 * kMiB - 1));
  const program::Program managed = tests::program_of("buffer u 4MiB host=managed\nbuffer m 1MiB host=mapped\n");
  EXPECT_TRUE(fits(managed, 4 * kMiB, 5 * kMiB));
  EXPECT_FALSE(fits(managed, 4 * kMiB - 1, 5 * kMiB));
  EXPECT_FALSE(fits(managed, 4 * kMiB, 5 * kMiB - 1));
}

TEST(Limits, KernelsInGraphsAreNotLongerThanOthers) {
  const program::Program program = tests::program_of("stream A\ngraph G on A {\nA: spin 2s\n}\nA: launch G\n");
  EXPECT_FALSE(fits(program, kMiB, kMiB));
}

TEST(Limits, ARefusalOfLongKernelsSaysHowLongTheLongestTakes) {
  device::DeviceInfo info;
  info.multiprocessors = 8;
  const auto refusal = [&](const char* text) { return beyond_device(tests::program_of(text), info, kMiB, 505, {}); };
  EXPECT_FALSE(refusal("stream A\nA: spin 1s\n"));
  const auto refused = refusal("stream A\nA: spin 2s\nA: spin 3s\n");
  ASSERT_TRUE(refused);
  EXPECT_EQ(refused->longest_kernel, 3'000'000'000);
}

TEST(Limits, WhatADeviceDoesNotHaveIsNamedByLine) {
  CudaContext poor;
  poor.info.name = "Poor";
  const program::Program managed = tests::program_of("buffer x 4KiB\nbuffer u 4KiB host=managed\n");
  const program::Program in_stream = tests::program_of("stream A\nA: malloc t 4KiB\nA: free t\n");
  const program::Program freed = tests::program_of("stream A\nhost: malloc t 4KiB\nA: free t\n");
  for (const auto& [program, line] :
       {std::pair(&managed, "line 2: "), {&in_stream, "line 2: "}, {&freed, "line 3: "}}) {
    const auto why = lacking(*program, poor);
    ASSERT_TRUE(why);
    EXPECT_EQ(why->find(line), 0u) << *why;
    EXPECT_NE(why->find("Poor"), std::string::npos) << *why;
  }
  CudaContext rich;
  rich.managed = rich.memory_pools = true;
  EXPECT_FALSE(lacking(managed, rich));
  EXPECT_FALSE(lacking(in_stream, rich));
}

TEST(Limits, AnInstrumentThatCannotSeeAProgramSaysWhere) {
  const program::Program graph = tests::program_of("stream A\ngraph G on A {\nA: spin 2us\n}\nA: launch G\n");
  const program::Program thread = tests::program_of("stream A\nthread T {\nper-thread: spin 1us\n}\nhost: join T\n");
  const program::Program moved = tests::program_of("buffer u 4KiB host=managed\nstream A\nA: prefetch u to=device\n");
  for (const device::Instrument instrument :
       {device::Instrument::full, device::Instrument::bare, device::Instrument::cupti}) {
    for (const program::Program* program : {&graph, &thread, &moved})
      EXPECT_FALSE(why_not_observable(*program, instrument));
  }
  EXPECT_EQ(why_not_observable(graph, device::Instrument::sampled).value_or("").find("line 5: "), 0u);
  EXPECT_EQ(why_not_observable(thread, device::Instrument::sampled).value_or("").find("line 2: "), 0u);
  EXPECT_FALSE(why_not_observable(moved, device::Instrument::sampled));
}

TEST(Slots, OfARepeatedNodeLieSideBySide) {
  const program::Program program = tests::program_of(
      "stream A\nA: spin 1us\ngraph G on A {\nA: spin 1us\nA: hostfn 1us\nA: spin 2us\n}\nA: launch G\nA: hostfn 1us\n"
      "A: launch G\n");
  const Slots slots = slots_of(program);
  EXPECT_EQ(slots.stamps, 5u);
  EXPECT_EQ(slots.host_functions, 3u);
  EXPECT_EQ(slots.kernel_nodes, 2u);
  EXPECT_EQ(slots.host_function_nodes, 1u);
  EXPECT_EQ(slots.launches, std::vector<std::uint32_t>{2});
  // 0 spin, 1 launch, 2 spin, 3 hostfn, 4 spin, 5 hostfn, 6 launch, 7 spin, 8 hostfn, 9 spin
  EXPECT_EQ(slots.of_operation[2], slots.of_operation[7]) << "the first of its slots, whatever the launch";
  EXPECT_EQ(slots.of_operation[4], slots.of_operation[9]);
  std::vector<bool> taken(slots.stamps, false);
  for (const std::uint32_t first : {slots.of_operation[2], slots.of_operation[2] + 1, slots.of_operation[4],
                                    slots.of_operation[4] + 1, slots.of_operation[0]}) {
    ASSERT_LT(first, taken.size());
    EXPECT_FALSE(taken[first]) << first;
    taken[first] = true;
  }
}

}  // namespace
}  // namespace streamscope::cuda
