// Which blocks record their stages, and how many are kept.
#include "engine/device/stage_plan.h"

#include <gtest/gtest.h>

#include "engine/device/kernel_facts.h"
#include "tests/support/program_of.h"

namespace streamscope::device {
namespace {

constexpr std::uint32_t kMultiprocessors = 132;

TEST(StagePlan, OneBlockInSoManyOfEachLaunchByItself) {
  const program::Program program = tests::program_of(
      "buffer x 64MiB\nstream A\nA: tiles x fma=1 stages=3\nA: axpb x fma=1\nA: tiles x fma=1 per-sm=2 "
      "copy=warp-specialised producers=3\nA: attention x heads=4 buffers=1\n");
  const StagePlan all = stage_plan(program, kMultiprocessors, 1);
  ASSERT_EQ(all.kernels.size(), 3u);
  EXPECT_EQ(all.kernels[0].operation, 0u);
  EXPECT_EQ(all.kernels[0].blocks, 132u);
  EXPECT_EQ(all.kernels[0].places, 3u);
  EXPECT_EQ(all.kernels[0].ring, 32u) << "4096 tiles among 132 blocks are 32 at most";
  EXPECT_EQ(all.kernels[1].blocks, 264u);
  EXPECT_EQ(all.kernels[1].warp, 3u) << "the first of those that work";
  EXPECT_EQ(all.kernels[1].copy_warp, 0u);
  EXPECT_EQ(all.kernels[2].operation, 3u);
  EXPECT_EQ(all.kernels[2].places, 2u);
  const StagePlan few = stage_plan(program, kMultiprocessors, 100);
  EXPECT_EQ(few.kernels[0].blocks, 2u) << "blocks 0 and 100";
  EXPECT_EQ(stage_plan(program, kMultiprocessors, 1000).kernels[0].blocks, 1u);
  EXPECT_TRUE(stage_plan(program, kMultiprocessors, 0).kernels.empty());
}

TEST(StagePlan, NoMoreIsKeptThanThereIsRoomForAndNeverLessThanARing) {
  const program::Program long_one = tests::program_of("buffer x 4GiB\nstream A\nA: tiles x fma=1 tile=1KiB\n");
  const StagePlan plan = stage_plan(long_one, kMultiprocessors, 1);
  ASSERT_EQ(plan.kernels.size(), 1u);
  EXPECT_EQ(plan.kernels[0].ring, 512u) << "the largest power of two that fits 132 times";
  const program::Program many = tests::program_of("buffer x 64MiB\nstream A\nrepeat 200 {\n  A: tiles x fma=1\n}\n");
  const StagePlan divided = stage_plan(many, kMultiprocessors, 1);
  std::uint64_t kept = 0;
  for (const RecordedKernel& kernel : divided.kernels) {
    EXPECT_GE(kernel.ring, kFewestTilesKept);
    kept += std::uint64_t{kernel.ring} * kernel.blocks;
  }
  EXPECT_LE(kept, kMostStagesKept);
  EXPECT_EQ(divided.kernels.size() + divided.left_out, 200u);
  EXPECT_GT(divided.left_out, 0u);
}

TEST(StagePlan, NodesOfGraphsTellNothing) {
  const program::Program program = tests::program_of(
      "buffer x 1MiB\nstream A\nstream B\ngraph G on A {\n  A: tiles x fma=1\n}\nB: launch G\nB: tiles x fma=1\n");
  const StagePlan plan = stage_plan(program, kMultiprocessors, 1);
  EXPECT_EQ(plan.kernels.size(), 1u);
  EXPECT_EQ(plan.in_graphs, 1u);
}

TEST(KernelFacts, BytesAndFlopsAreWhatTheDataAskFor) {
  const program::Program program = tests::program_of(
      "buffer x 4MiB\nstream A\nA: tiles x fma=10 threads=128\nA: spin 1us\nA: attention x heads=2 head=128 "
      "type=bf16\n");
  const auto facts = kernel_facts(program, 132);
  ASSERT_EQ(facts.size(), 2u);
  EXPECT_EQ(facts[0].operation, 0u);
  EXPECT_EQ(facts[0].bytes, 8u << 20) << "read and written";
  EXPECT_DOUBLE_EQ(facts[0].flops, 20.0 * (1 << 20));
  EXPECT_EQ(facts[0].blocks, 132u);
  EXPECT_EQ(facts[0].threads, 128u);
  EXPECT_EQ(facts[1].operation, 2u);
  EXPECT_EQ(facts[1].bytes, 4u << 20);
  EXPECT_DOUBLE_EQ(facts[1].flops, 4.0 * 2 * 128 * 2048 * 2048);
  EXPECT_EQ(facts[1].blocks, 32u) << "2 heads of 16 tiles of 128 queries";
}

}  // namespace
}  // namespace streamscope::device
