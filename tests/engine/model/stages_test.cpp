// The stages of the model's blocks.
#include "engine/device/model/hardware/modelled_stages.h"

#include <fmt/format.h>

#include <algorithm>
#include <bit>

#include "engine/device/stage_plan.h"
#include "kernels/tiles/tiles.h"
#include "tests/engine/model/simulated.h"

namespace streamscope::model {
namespace {

struct StagesOfRun {
  std::vector<trace::Span> spans;
  trace::Stages stages;
};

StagesOfRun stages_of(const std::string& text, std::uint32_t every = 1, Profile profile = h200()) {
  const program::Program program = tests::program_of(text);
  auto loaded = make_model(std::move(profile))->load(program, {});
  EXPECT_TRUE(loaded) << loaded.error().message;
  if (!loaded) return {};
  device::PassRequest request;
  request.stages_of = every;
  auto pass = (*loaded)->run(request, {});
  EXPECT_TRUE(pass) << pass.error().message;
  if (!pass) return {};
  return {std::move(pass->spans), std::move(pass->stages)};
}
StagesOfRun tiles(const std::string& settings, std::uint32_t every = 16) {
  return stages_of("buffer x 64MiB\nstream A nonblocking\nA: tiles x tile=16KiB threads=512 " + settings + "\n", every);
}

double idle_share(const StagesOfRun& of) {
  Nanoseconds all = 0, worked = 0;
  for (const trace::StageBlock& block : of.stages.blocks) {
    all += block.end - block.begin;
    for (const trace::Stage& stage : block.stages) worked += stage.compute_over - stage.wait_over;
  }
  return 1 - static_cast<double>(worked) / static_cast<double>(std::max<Nanoseconds>(1, all));
}

// What holds of every block.
void check(const trace::StageBlock& block, const trace::Span& span) {
  ASSERT_GE(block.begin, span.start);
  ASSERT_LE(block.begin, block.end);
  ASSERT_LE(block.end, span.end);
  ASSERT_LE(block.stages.size(), block.tiles);
  if (block.tiles == 0) return;
  ASSERT_FALSE(block.stages.empty());
  EXPECT_EQ(block.stages.back().compute_over, block.end);
  EXPECT_EQ(block.stages.back().tile + 1, block.tiles) << "the newest are kept";
  if (block.stages.size() == block.tiles) {
    EXPECT_EQ(block.stages.front().load_issued, block.begin);
    EXPECT_EQ(block.stages.front().wait_begun, block.begin);
    // Waits and works, one after the other, are all of its time.
    Nanoseconds sum = 0;
    for (const trace::Stage& stage : block.stages) sum += stage.compute_over - stage.wait_begun;
    EXPECT_EQ(sum, block.end - block.begin);
  } else {
    EXPECT_TRUE(std::has_single_bit(block.stages.size()));
    EXPECT_GE(block.stages.size(), device::kFewestTilesKept);
  }
  for (std::size_t i = 0; i < block.stages.size(); ++i) {
    const trace::Stage& stage = block.stages[i];
    ASSERT_EQ(stage.tile, block.stages[0].tile + i);
    ASSERT_LE(block.begin, stage.load_issued);
    ASSERT_LE(stage.load_issued, stage.wait_over);
    ASSERT_LE(stage.wait_begun, stage.wait_over);
    ASSERT_LE(stage.wait_over, stage.compute_over);
    if (i > 0) {
      ASSERT_EQ(stage.wait_begun, block.stages[i - 1].compute_over);
      ASSERT_GE(stage.load_issued, block.stages[i - 1].load_issued);
    }
    if (i >= block.places) {
      ASSERT_GE(stage.load_issued, block.stages[i - block.places].compute_over) << "its place";
    }
  }
}
void check(const StagesOfRun& of) {
  for (const trace::StageBlock& block : of.stages.blocks) check(block, of.spans.at(block.operation));
}

TEST(ModelStages, AreRecordedByOneBlockInSoMany) {
  const StagesOfRun of = tiles("fma=32 stages=4", 16);
  EXPECT_EQ(of.stages.every, 16u);
  ASSERT_EQ(of.stages.blocks.size(), 9u);
  for (std::size_t i = 0; i < of.stages.blocks.size(); ++i) {
    EXPECT_EQ(of.stages.blocks[i].block, 16 * i);
    EXPECT_EQ(of.stages.blocks[i].multiprocessor, 16 * i);
    EXPECT_EQ(of.stages.blocks[i].places, 4u);
    EXPECT_EQ(of.stages.blocks[i].operation, 0u);
  }
  // 4096 tiles of 132 blocks.
  EXPECT_EQ(of.stages.blocks.front().tiles, 32u);
  EXPECT_EQ(of.stages.blocks.front().begin, of.spans[0].start);
  EXPECT_EQ(of.stages.blocks.front().end, of.spans[0].end);
  EXPECT_EQ(of.stages.blocks.back().tiles, 31u);
  EXPECT_LT(of.stages.blocks.back().end, of.spans[0].end);
  EXPECT_TRUE(tiles("fma=32", 0).stages.blocks.empty());
  EXPECT_EQ(tiles("fma=32", 0).stages.every, 0u);
}

TEST(ModelStages, HoldTogetherWhateverTheWay) {
  for (const std::string copy : {"cp.async", "primitives", "cg", "barrier", "pipeline", "warp-specialised", "bulk"}) {
    for (const int stages : {1, 2, 3, 8}) {
      for (const std::string rest : {"fma=1", "fma=200", "fma=32 per-sm=2", "fma=8 blocks=1", "fma=8 blocks=2000"}) {
        SCOPED_TRACE(fmt::format("{} {} {}", copy, stages, rest));
        check(tiles(fmt::format("copy={} stages={} {}", copy, stages, rest)));
      }
    }
  }
  check(tiles("copy=sync fma=32"));
  check(tiles("copy=cp.async fma=1 stages=8 diverge=32"));
  check(stages_of("buffer x 1MiB\nstream A\nA: tiles x[0:100] fma=1\n"));
}

TEST(ModelStages, CopiesOfLaterTilesBeginBeforeEarlierOnesAreWorkedOn) {
  const auto ahead = [](const std::string& settings) {  // tiles whose copy was asked for, when tile 10 was worked on
    const StagesOfRun of = tiles(settings);
    const auto& stages = of.stages.blocks.front().stages;
    return std::count_if(stages.begin() + 11, stages.end(),
                         [&](const trace::Stage& stage) { return stage.load_issued < stages[10].compute_over; });
  };
  EXPECT_EQ(ahead("fma=32 stages=1"), 0);
  EXPECT_EQ(ahead("fma=32 stages=2"), 1);
  EXPECT_EQ(ahead("fma=32 stages=4"), 3);
  EXPECT_EQ(ahead("fma=32 stages=8"), 7);
  EXPECT_EQ(ahead("fma=32 stages=4 copy=warp-specialised"), 3) << "its own place is not free yet";
}

TEST(ModelStages, BlocksAreIdleForLessOfTheirTimeWithMoreStages) {
  for (const std::string fma : {"fma=1", "fma=32", "fma=128"}) {
    double before = 1;
    for (const int stages : {1, 2, 3, 4}) {
      const double now = idle_share(tiles(fmt::format("{} stages={}", fma, stages)));
      EXPECT_LE(now, before + 1e-3) << fma << " " << stages;
      before = now;
    }
  }
  EXPECT_GT(idle_share(tiles("fma=1 stages=1")), 0.3);
  EXPECT_LT(idle_share(tiles("fma=128 stages=4")), 0.08) << "nothing is left to wait for but barriers";
}

TEST(ModelStages, WarpsWithRolesTellOfTwo) {
  const StagesOfRun of = tiles("fma=32 copy=warp-specialised stages=4 producers=3");
  EXPECT_EQ(of.stages.blocks.front().copy_warp, 0u);
  EXPECT_EQ(of.stages.blocks.front().warp, 3u);
}

TEST(ModelStages, WavesComeOneAfterTheOther) {
  // One block a multiprocessor fits: three waves.
  const StagesOfRun of = tiles("fma=32 stages=8 blocks=396", 1);
  check(of);
  ASSERT_EQ(of.stages.blocks.size(), 396u);
  const auto& blocks = of.stages.blocks;
  EXPECT_EQ(blocks[0].begin, of.spans[0].start);
  EXPECT_LE(blocks[0].end, blocks[132].begin);
  EXPECT_EQ(blocks[132].multiprocessor, 0u);
  EXPECT_LE(blocks[132].end, blocks[264].begin);
  EXPECT_EQ(blocks[264].end, of.spans[0].end);
}

TEST(ModelStages, OfAttentionAreOfKeysAndValuesInTurn) {
  const std::string text = "buffer x 64MiB\nstream A nonblocking\nA: attention x heads=8 head=64 buffers=";
  const StagesOfRun two = stages_of(text + "2\n", 8), one = stages_of(text + "1\n", 8);
  check(two);
  check(one);
  ASSERT_FALSE(two.stages.blocks.empty());
  EXPECT_EQ(two.stages.blocks[0].places, 4u);
  EXPECT_EQ(one.stages.blocks[0].places, 2u);
  EXPECT_LT(idle_share(two), idle_share(one));
  const auto& pair = one.stages.blocks[0].stages;
  EXPECT_EQ(pair[2].load_issued, pair[3].load_issued) << "keys and values are asked for together";
  EXPECT_EQ(pair[2].load_issued, pair[1].compute_over);
}

TEST(ModelStages, OfVeryManyAreTheNewest) {
  // 16,777,216 tiles of one block: not all can be kept, nor played.
  const StagesOfRun of = stages_of("buffer x 256MiB\nstream A\nA: tiles x tile=16 fma=1 blocks=1 stages=4\n");
  check(of);
  ASSERT_EQ(of.stages.blocks.size(), 1u);
  EXPECT_EQ(of.stages.blocks[0].tiles, 16'777'216u);
  EXPECT_EQ(of.stages.blocks[0].stages.size(), device::kMostStagesKept);
  std::uint64_t all = 0;
  const StagesOfRun many = stages_of("buffer x 1GiB\nstream A\nrepeat 20 {\n  A: tiles x fma=1 per-sm=2\n}\n");
  for (const trace::StageBlock& block : many.stages.blocks) all += block.stages.size();
  EXPECT_LE(all, device::kMostStagesKept);
  EXPECT_GT(all, device::kMostStagesKept / 4);
  check(many);
}

TEST(ModelStages, LieWithinSpansOfKernelsThatShareTheDevice) {
  check(
      stages_of("buffer x 64MiB\nbuffer y 64MiB host=managed\nstreams S 2 nonblocking\nS0: tiles x fma=32\n"
                "S1: tiles y fma=1 per-sm=2\nS0: axpb x fma=3\n",
                4));
}

TEST(ModelStages, NodesOfGraphsTellNothing) {
  const StagesOfRun of = stages_of("buffer x 64MiB\nstream A\ngraph G on A {\n  A: tiles x fma=1\n}\nA: launch G\n");
  EXPECT_TRUE(of.stages.blocks.empty());
}

TEST(ModelStages, BlocksWithoutATileTellNothing) {
  const Profile profile = h200();
  const program::Program program =
      tests::program_of("buffer x 1MiB\nstream A\nA: tiles x[0:64KiB] fma=1 tile=16KiB blocks=100\n");
  const auto loaded = make_model(profile)->load(program, {});
  ASSERT_TRUE(loaded) << loaded.error().message;
  device::PassRequest request;
  request.stages_of = 1;
  const auto pass = (*loaded)->run(request, {});
  ASSERT_TRUE(pass) << pass.error().message;
  EXPECT_EQ(pass->stages.blocks.size(), 4u);
}

TEST(ModelFacts, OfEachKernel) {
  const program::Program program = tests::program_of(
      "buffer x 64MiB\nstream A\ngraph G on A {\n  A: tiles x fma=5 copy=bulk\n}\nA: axpb x fma=1\n"
      "A: tiles x[0:32MiB] fma=32 threads=512 stages=4 tile=16KiB per-sm=2\nA: launch G\n"
      "A: attention x heads=8 head=64 buffers=2\n");
  const Profile profile = h200();
  auto loaded = make_model(profile)->load(program, {});
  ASSERT_TRUE(loaded) << loaded.error().message;
  const auto& facts = (*loaded)->frame().kernels;
  ASSERT_EQ(facts.size(), 3u);
  const trace::KernelFacts& tiles = facts[0];
  EXPECT_EQ(program.operations[tiles.operation].line, 7u);
  EXPECT_EQ(tiles.blocks, 264u);
  EXPECT_EQ(tiles.threads, 512u);
  EXPECT_EQ(tiles.registers, 31u);
  EXPECT_EQ(tiles.shared_bytes, kernels::tiles_shared_bytes(4, 16 << 10));
  EXPECT_EQ(tiles.blocks_at_once, 3u);
  EXPECT_EQ(tiles.most_threads, 2048u);
  EXPECT_EQ(tiles.multiprocessors, 132u);
  EXPECT_EQ(tiles.bytes, 64u << 20);
  EXPECT_EQ(tiles.flops, 2.0 * 32 * (8 << 20));
  EXPECT_NEAR(tiles.copy_rate, 2.0 * (256 << 20) / 127e-6, 1e6);
  EXPECT_EQ(tiles.peak_flops, 2.0 * profile.compute.fma_per_clock * profile.compute.clock_mhz * 1e6 * 132);
  EXPECT_NE(program.operations[facts[1].operation].launch, kNoOperation) << "a graph's node";
  EXPECT_EQ(facts[1].registers, 23u);
  const trace::KernelFacts& attention = facts[2];
  EXPECT_EQ(attention.bytes, 64u << 20);
  EXPECT_EQ(attention.flops, 4.0 * 8 * 8192 * 8192 * 64);
  EXPECT_EQ(attention.blocks_at_once, 1u);
}

}  // namespace
}  // namespace streamscope::model
