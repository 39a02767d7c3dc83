// The stages that blocks record, from the device's memory to the times of the run.
#include "engine/analysis/stage_times.h"
#include "tests/engine/cuda/contract.h"
#include "tests/support/program_of.h"

namespace streamscope::cuda {
namespace {

const char* const kProgram =
    "buffer x 1MiB\nstream A nonblocking\nstream B nonblocking\ngraph G on B {\n  B: tiles x[512KiB:64KiB] fma=1\n}\n"
    "A: h2d x\nA: tiles x[0:256KiB] fma=3 tile=1KiB blocks=20 stages=3\nA: tiles x[256KiB:16KiB] fma=3 tile=8KiB "
    "blocks=4 copy=warp-specialised producers=2 threads=128\nA: attention x[576KiB:64KiB] heads=2 type=bf16\nA: record "
    "e\nB: wait e\nB: launch G\nB: d2h x\n";

TEST(Stages, AreTheirBlocksTimesOnTheRunsAxis) {
  fake_cuda::reset();
  const program::Program program = tests::program_of(kProgram);
  {
    const auto context = contract::opened();
    ASSERT_TRUE(context);
    auto loaded = CudaProgram::load(context, program, {});
    ASSERT_TRUE(loaded) << loaded.error().message;
    ASSERT_EQ((*loaded)->frame().kernels.size(), 4u) << "the node of the graph, too";
    EXPECT_GT((*loaded)->frame().kernels[0].copy_rate, 0);
    device::PassRequest request;
    // Others than before need other memory, and it comes back.
    for (const std::uint32_t every : {1u, 7u, 0u, 7u, 1u}) {
      request.stages_of = every;
      const auto pass = (*loaded)->run(request, {});
      ASSERT_TRUE(pass) << pass.error().message;
      EXPECT_EQ(pass->stages.every, every);
      std::size_t of_first = 0, of_second = 0, of_attention = 0;
      for (const trace::StageBlock& block : pass->stages.blocks) {
        const trace::Span& span = pass->spans[block.operation];
        EXPECT_LE(std::abs(block.begin - span.start), 1) << "rounded from another clock";
        EXPECT_LE(block.end, span.end + 1) << "a kernel ends some time after its last block's stamp";
        EXPECT_GE(block.end, span.end - 751);
        EXPECT_GE(block.uncertainty, 32u) << "the step of the fake's timer";
        EXPECT_NEAR(block.rate_uncertainty * static_cast<double>(block.end - block.begin), 32, 1);
        EXPECT_EQ(block.block % every, 0u);
        const analysis::BlockTime time = analysis::block_time(block);
        EXPECT_LE(std::abs(time.working - time.waiting), 2 * static_cast<Nanoseconds>(block.stages.size()));
        if (block.stages.size() == block.tiles) {
          EXPECT_LE(std::abs(time.working + time.waiting - (block.end - block.begin)), 1);
        }
        if (block.operation == 1) {
          ++of_first;
          EXPECT_EQ(block.tiles, 13 - (block.block >= 16 ? 1u : 0u)) << "256 tiles among 20 blocks";
          EXPECT_EQ(block.places, 3u);
          EXPECT_EQ(block.warp, 0u);
        } else if (block.operation == 2) {
          ++of_second;
          EXPECT_EQ(block.tiles, 1u) << "blocks without tiles have no stages";
          EXPECT_EQ(block.warp, 2u);
          EXPECT_EQ(block.copy_warp, 0u);
        } else {
          ++of_attention;
          EXPECT_EQ(block.operation, 3u);
          EXPECT_EQ(block.places, 4u);
        }
      }
      EXPECT_EQ(of_first, every == 0 ? 0u : (20 - 1) / every + 1);
      EXPECT_EQ(of_second, every == 0 ? 0u : every == 1 ? 2u : 1u);
      EXPECT_EQ(of_attention, every == 0 ? 0u : 2u / every + (every > 2 ? 1u : 0u));
      EXPECT_EQ(*(*loaded)->verify(), true) << testing::PrintToString(trace::texts((*loaded)->notes()));
    }
    contract::expect_nothing_held();
  }
  contract::expect_nothing_left();
}

// The sums of a GPU and of the CPU differ in their last bits: results computed from them are not reported as wrong.
TEST(Stages, WhatIsMadeOfAttentionsOutputIsNotVerified) {
  fake_cuda::reset();
  const auto verdict = [](const std::string& behind) {
    const program::Program program = tests::program_of(
        "buffer x 1MiB\nbuffer y 1MiB\nstream A\nA: h2d x\nA: attention x type=bf16\n" + behind + "A: d2h x\n");
    const auto context = contract::opened();
    auto loaded = CudaProgram::load(context, program, {});
    EXPECT_TRUE(loaded) << loaded.error().message;
    EXPECT_TRUE((*loaded)->run(device::Instrument::bare, {}));
    const auto verified = (*loaded)->verify();
    EXPECT_TRUE(verified) << verified.error().message;
    return *verified;
  };
  EXPECT_EQ(verdict(""), true);
  EXPECT_EQ(verdict("A: d2d y[4:262144] x[786432:262144]\n"), true);
  EXPECT_EQ(verdict("A: d2d y[1:262144] x[786432:262144]\n"), std::nullopt) << "no element lies where one was";
  EXPECT_EQ(verdict("A: axpb x[786432:262144] fma=3\n"), std::nullopt) << "two of bfloat16 are one float there";
  EXPECT_EQ(verdict("A: attention x[524288:524288] type=bf16\n"), std::nullopt);
  EXPECT_EQ(verdict("A: memset x[786432:262144] 7\nA: axpb x[786432:262144] fma=3\n"), true);
  contract::expect_nothing_left();
}

TEST(Stages, DataWhoseSumsCancelAreNotVerified) {
  fake_cuda::reset();
  const program::Program program = tests::program_of(
      "buffer x 1MiB\nstream A\nA: h2d x\nA: memset x[524288:4096] 191\nA: attention x\nA: d2h x\n");  // below 0
  {
    const auto context = contract::opened();
    auto loaded = CudaProgram::load(context, program, {});
    ASSERT_TRUE(loaded) << loaded.error().message;
    ASSERT_TRUE((*loaded)->run(device::Instrument::bare, {}));
    EXPECT_EQ(*(*loaded)->verify(), std::nullopt);
    EXPECT_NE((*loaded)->notes().back().text.find("can cancel"), std::string::npos) << (*loaded)->notes().back().text;
  }
  contract::expect_nothing_left();
}

// The fake leaves one element wrong where a GPU would read what has not come.
TEST(WrongOnPurpose, IsVerifiedToBeWrongAndLabelled) {
  const auto run = [](const std::string& options) {
    fake_cuda::reset();
    std::pair<std::optional<bool>, std::string> found;
    const program::Program program =
        tests::program_of("buffer x 64KiB\nstream A\nA: h2d x\nA: tiles x fma=3 tile=1KiB " + options + "\nA: d2h x\n");
    {
      const auto context = contract::opened();
      auto loaded = CudaProgram::load(context, program, {});
      EXPECT_TRUE(loaded) << loaded.error().message;
      EXPECT_TRUE((*loaded)->run(device::Instrument::bare, {}));
      const auto right = (*loaded)->verify();
      EXPECT_TRUE(right) << right.error().message;
      found.first = *right;
      for (const trace::Note& note : (*loaded)->notes()) {
        if (note.kind == trace::NoteKind::wrong_data) found.second = note.text;
      }
    }
    contract::expect_nothing_left();
    return found;
  };
  EXPECT_EQ(run("stages=3 wait=1").first, true);
  EXPECT_EQ(run("stages=3 smem-align=4 bytes=4").first, true);
  for (const std::string wrong : {"stages=3 wait=2", "stages=3 leave-out=wait", "copy=primitives leave-out=barrier"}) {
    const auto [right, note] = run(wrong);
    EXPECT_EQ(right, false) << wrong;
    EXPECT_NE(note.find("buffer x"), std::string::npos) << note;
    EXPECT_NE(note.find("on purpose"), std::string::npos) << note;
  }
}

}  // namespace
}  // namespace streamscope::cuda
