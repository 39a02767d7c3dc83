// Every way of copying tiles, in every setting, leaves the bits that the CPU computes, and nothing beside them.
#include "kernels/tiles/tiles.h"

#include <cuda_runtime_api.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstring>
#include <limits>
#include <random>
#include <string>
#include <tuple>

#include "kernels/axpb/chains_reference.h"
#include "kernels/cuda_kernel.h"
#include "kernels/kernel.h"
#include "kernels/pattern.h"
#include "tests/gpu/gpu.h"

namespace streamscope::cuda {
namespace {

using kernels::TileCopy;

// As behind `copy=`.
std::string word_of(TileCopy copy) {
  const kernels::Kernel& tiles = kernels::tiles_kernel();
  return std::string(tiles.options[tiles.find("copy")].words[static_cast<std::size_t>(copy)]);
}

struct Case : kernels::TilesOptions {
  std::uint64_t count;  // floats
};

struct TileKernels : Gpu {
  static constexpr std::uint64_t kMost = 3'000'000, kGuard = 64;  // floats

  void SetUp() override {
    Gpu::SetUp();
    if (IsSkipped()) return;
    ASSERT_EQ(cudaMalloc(reinterpret_cast<void**>(&memory_), (kMost + 2 * kGuard) * sizeof(float)), cudaSuccess);
    cudaDeviceProp properties{};
    ASSERT_EQ(cudaGetDeviceProperties(&properties, 0), cudaSuccess);
    capability_ = 10 * properties.major + properties.minor;
    shared_limit_ = properties.sharedMemPerBlockOptin;
  }
  void TearDown() override { cudaFree(memory_); }

  bool can(TileCopy copy) const {
    return copy == TileCopy::bulk ? capability_ >= 90 : copy == TileCopy::cp_async ? capability_ >= 80 : true;
  }
  bool fits(const Case& one) const {
    return kernels::tiles_shared_bytes(one.stages, one.tile_bytes, one.shift) <= shared_limit_;
  }

  // NaN before and behind it must stay.
  void check(const Case& one, kernels::Stamp* stamp = nullptr, const kernels::StagesTo& stages = {}) {
    const std::uint64_t count = one.count, all = count + 2 * kGuard;
    std::vector<float> before(all, std::numeric_limits<float>::quiet_NaN());
    for (std::uint64_t i = 0; i < count; ++i) {
      const std::uint32_t word = kernels::pattern(i, 7);
      std::memcpy(&before[kGuard + i], &word, sizeof word);
    }
    ASSERT_EQ(cudaMemcpy(memory_, before.data(), all * sizeof(float), cudaMemcpyHostToDevice), cudaSuccess);
    const auto tiles = kernels::tiles_launcher(one);
    ASSERT_EQ(tiles->prepare(shared_limit_), cudaSuccess);
    ASSERT_EQ(tiles->launch(data_of(count), stamp, stages, nullptr), cudaSuccess);
    ASSERT_EQ(cudaDeviceSynchronize(), cudaSuccess);
    std::vector<float> after(all);
    ASSERT_EQ(cudaMemcpy(after.data(), memory_, all * sizeof(float), cudaMemcpyDeviceToHost), cudaSuccess);
    chains_.apply(before.data() + kGuard, count, one.fma);
    for (std::uint64_t i = 0; i < all; ++i) {
      if (std::memcmp(&after[i], &before[i], sizeof(float)) == 0) continue;
      FAIL() << "float " << static_cast<std::int64_t>(i) - static_cast<std::int64_t>(kGuard) << " of " << count
             << " is " << after[i] << " and not " << before[i];
    }
  }

  kernels::LaunchData data_of(std::uint64_t count) const {
    return {reinterpret_cast<char*>(memory_ + kGuard), nullptr, count * sizeof(float)};
  }

  static std::string words(const Case& one) {
    return "copy " + std::to_string(static_cast<int>(one.copy)) + " stages " + std::to_string(one.stages) + " tile " +
           std::to_string(one.tile_bytes) + " count " + std::to_string(one.count) + " fma " + std::to_string(one.fma) +
           " blocks " + std::to_string(one.blocks) + " threads " + std::to_string(one.threads) + " bytes " +
           std::to_string(one.copy_bytes) + (one.through_l1 ? " ca" : "") + " align " + std::to_string(one.align) +
           " diverge " + std::to_string(one.diverge) + " producers " + std::to_string(one.producers);
  }

  float* memory_ = nullptr;
  int capability_ = 0;
  std::size_t shared_limit_ = 0;
  kernels::FmaChains chains_;
};

// Of one way of copying.
struct TileWay : TileKernels, testing::WithParamInterface<TileCopy> {
  void SetUp() override {
    TileKernels::SetUp();
    if (!IsSkipped() && !can(GetParam())) GTEST_SKIP() << "this GPU does not have it";
  }
};

TEST_P(TileWay, AllStagesAtSizesThatDivideAndThatDoNot) {
  for (std::uint32_t stages = 1; stages <= kernels::kMostStages; ++stages) {
    if (GetParam() == TileCopy::sync && stages > 1) break;
    for (const std::uint64_t count : {1ull, 3ull, 1024ull * 64, 1024ull * 64 + 1021}) {
      const Case one{{5, 3, 128, GetParam(), stages, 4096, 16, false, 16, 1, 1}, count};
      SCOPED_TRACE(words(one));
      check(one);
    }
  }
}

TEST_F(TileKernels, AnySettingsAtRandom) {
  std::mt19937 random(20261122);
  const auto any = [&](std::initializer_list<std::uint32_t> of) { return of.begin()[random() % of.size()]; };
  int ran = 0;
  while (ran < 400) {
    Case one{};
    one.copy = static_cast<TileCopy>(random() % kernels::kTileCopies);
    one.align = any({4, 16, 128});
    one.copy_bytes = std::min(one.align, any({4, 8, 16}));
    one.through_l1 = random() % 2 == 0;
    one.stages = one.copy == TileCopy::sync ? 1 : 1 + random() % kernels::kMostStages;
    one.tile_bytes = any({128, 1024, 4096, 16384, 24576, 65536});
    one.threads = any({1, 3, 7, 64, 96, 256, 1000, 1024});
    if (one.copy == TileCopy::specialised && (one.threads < 64 || one.threads % 32 != 0)) continue;
    one.producers = one.threads < 64 ? 1 : 1 + random() % (one.threads / 32 - 1);
    one.blocks = any({1, 7, 132, 264, 1000});
    one.diverge = any({1, 2, 7, 32});
    one.fma = any({1, 2, 33, 128});
    one.count = any({0, 1, 2, 5, 31, 1023, 4096, 4099, 100'000, 1'000'003, 2'999'999});
    if (!can(one.copy) || !fits(one) || (one.copy == TileCopy::bulk && one.align < 16)) continue;
    SCOPED_TRACE(words(one));
    check(one);
    if (HasFatalFailure()) return;
    ++ran;
  }
}

TEST_P(TileWay, DataThatIsOnlyAlignedToAFloat) {
  if (GetParam() == TileCopy::bulk) GTEST_SKIP() << "bulk copies take 16 bytes at a time";
  Case one{{3, 9, 256, GetParam(), 1, 4096, 4, false, 4, 1, 2}, 100'003};
  if (one.copy != TileCopy::sync) one.stages = 3;
  SCOPED_TRACE(words(one));
  ++memory_;  // and so is all that check() does
  check(one);
  --memory_;
}

// Any number of groups not waited for that is not too large, and any alignment of shared memory.
TEST_F(TileKernels, EachWaitThatIsEnough) {
  for (const TileCopy copy : {TileCopy::cp_async, TileCopy::primitives}) {
    if (!can(copy)) continue;
    for (std::uint32_t stages = 1; stages <= kernels::kMostStages; ++stages) {
      for (std::int32_t wait = 0; wait <= kernels::needed_wait(stages); ++wait) {
        for (const std::uint64_t count : {1ull, 1021ull, 1024ull * 64 + 1021}) {
          Case one{{5, 3, 128, copy, stages, 4096, 16, false, 16, 1, 1}, count};
          one.wait = wait;
          SCOPED_TRACE(words(one) + " wait " + std::to_string(wait));
          check(one);
        }
      }
    }
  }
}

TEST_P(TileWay, TilesInBadlyAlignedSharedMemory) {
  for (const std::uint32_t shift : {4u, 16u}) {
    if (GetParam() == TileCopy::bulk && shift < 16) continue;
    Case one{{3, 9, 256, GetParam(), 1, 4096, shift, false, shift, 1, 2}, 100'003};
    if (one.copy != TileCopy::sync) one.stages = 3;
    one.shift = shift;
    SCOPED_TRACE(words(one) + " shift " + std::to_string(shift));
    check(one);
  }
}

// The mistakes are mistakes: of 100 runs of each 99 at least leave wrong data, and 100 right data without it. More data
// than an L2 cache holds, and little work on it: else a copy has come before somebody looks.
struct ProvokedMistakes : TileKernels {};

TEST_F(ProvokedMistakes, WhatIsLeftOutGivesWrongData) {
  constexpr std::uint64_t kCount = 32 << 20, kCompared = 1 << 20;  // floats
  constexpr int kRuns = 100;
  std::vector<float> before(kCount);
  for (std::uint64_t i = 0; i < kCount; ++i) {
    const std::uint32_t word = kernels::pattern(i, 7);
    std::memcpy(&before[i], &word, sizeof word);
  }
  float *original = nullptr, *data = nullptr;
  ASSERT_EQ(cudaMalloc(reinterpret_cast<void**>(&original), kCount * sizeof(float)), cudaSuccess);
  ASSERT_EQ(cudaMalloc(reinterpret_cast<void**>(&data), kCount * sizeof(float)), cudaSuccess);
  EXPECT_EQ(cudaMemcpy(original, before.data(), kCount * sizeof(float), cudaMemcpyHostToDevice), cudaSuccess);
  std::vector<float> expected, after(kCompared);
  const auto wrong = [&](const kernels::TilesOptions& options) {
    expected.assign(before.begin(), before.begin() + kCompared);
    chains_.apply(expected.data(), kCompared, options.fma);
    const auto tiles = kernels::tiles_launcher(options);
    EXPECT_EQ(tiles->prepare(shared_limit_), cudaSuccess);
    int runs = 0;
    for (int i = 0; i < kRuns; ++i) {
      cudaMemcpy(data, original, kCount * sizeof(float), cudaMemcpyDeviceToDevice);
      EXPECT_EQ(tiles->launch({reinterpret_cast<char*>(data), nullptr, kCount * sizeof(float)}, {}, {}, nullptr),
                cudaSuccess);
      EXPECT_EQ(cudaMemcpy(after.data(), data, kCompared * sizeof(float), cudaMemcpyDeviceToHost), cudaSuccess);
      runs += std::memcmp(after.data(), expected.data(), kCompared * sizeof(float)) != 0 ? 1 : 0;
    }
    return runs;
  };
  for (const TileCopy copy : {TileCopy::cp_async, TileCopy::primitives}) {
    if (!can(copy)) continue;
    for (const std::uint32_t stages : {1u, 2u, 4u}) {
      kernels::TilesOptions options{1, 528, 256, copy, stages, 8192, 16, false, 16, 1, 1};
      SCOPED_TRACE(testing::Message() << "copy " << static_cast<int>(copy) << " stages " << stages);
      EXPECT_EQ(wrong(options), 0);
      options.leave_out = kernels::LeaveOut::wait;
      EXPECT_GE(wrong(options), kRuns - 1) << "without the wait";
      options.leave_out = kernels::LeaveOut::barrier;
      EXPECT_GE(wrong(options), kRuns - 1) << "without the barrier";
      options.leave_out = kernels::LeaveOut::nothing;
      options.wait = kernels::needed_wait(stages) + 1;
      EXPECT_GE(wrong(options), kRuns - 1) << "with a wait for too few";
    }
  }
  cudaFree(original);
  cudaFree(data);
}

// One launch of each mistake, and of the same without it: what racecheck has to report, and what not
// (tests/gpu/sanitize.py reads it from the names).
using Mistake = std::tuple<TileCopy, std::uint32_t, std::string>;  // the stages, and what is left out
struct ProvokedRaces : TileKernels, testing::WithParamInterface<Mistake> {};

TEST_P(ProvokedRaces, InOneLaunch) {
  const auto& [copy, stages, mistake] = GetParam();
  if (!can(copy)) GTEST_SKIP() << "skipped: this GPU cannot copy so";
  Case one{{1, 4, 256, copy, stages, 4096, 16, false, 16, 1, 1}, 1 << 16};
  if (mistake == "nothing") return check(one);
  if (mistake == "wait") one.leave_out = kernels::LeaveOut::wait;
  if (mistake == "barrier") one.leave_out = kernels::LeaveOut::barrier;
  if (mistake == "one_group") one.wait = kernels::needed_wait(stages) + 1;
  const auto tiles = kernels::tiles_launcher(one);
  ASSERT_EQ(tiles->prepare(shared_limit_), cudaSuccess);
  ASSERT_EQ(cudaMemset(memory_, 0, one.count * sizeof(float)), cudaSuccess);
  ASSERT_EQ(tiles->launch(data_of(one.count), nullptr, {}, nullptr), cudaSuccess);
  EXPECT_EQ(cudaDeviceSynchronize(), cudaSuccess) << "wrong data is no error";
}

INSTANTIATE_TEST_SUITE_P(, ProvokedRaces,
                         testing::Combine(testing::Values(TileCopy::cp_async, TileCopy::primitives),
                                          testing::Values(1u, 2u, 4u),
                                          testing::Values("nothing", "wait", "barrier", "one_group")),
                         [](const auto& of) {
                           return std::string(std::get<0>(of.param) == TileCopy::cp_async ? "cp_async" : "primitives") +
                                  "_" + std::to_string(std::get<1>(of.param)) + "_without_" + std::get<2>(of.param);
                         });

TEST_F(TileKernels, TheDeviceSaysHowManyBlocksFit) {
  const kernels::TilesOptions one{1, 1, 256, TileCopy::primitives, 2, 16384, 16, false, 16, 1, 1};
  kernels::Fit fit;
  ASSERT_EQ(kernels::tiles_launcher(one)->fit(&fit), cudaSuccess);
  EXPECT_GE(fit.blocks, 1);
  EXPECT_GT(fit.registers, 8);
  EXPECT_EQ(fit.shared_bytes, kernels::tiles_shared_bytes(2, 16384));
}

struct ProvokedTileErrors : TileKernels {};

TEST_F(ProvokedTileErrors, ABlockThatFitsNowhereIsNotLaunched) {
  const auto too_large = kernels::tiles_launcher({1, 1, 256, TileCopy::primitives, 2, 1 << 20, 16, false, 16, 1, 1});
  kernels::Fit fit;
  const int code = too_large->fit(&fit);
  EXPECT_TRUE(code != cudaSuccess || fit.blocks == 0);
  EXPECT_NE(too_large->launch(data_of(1), nullptr, {}, nullptr), cudaSuccess)
      << "it does not fit, and the call says so";
  EXPECT_NE(cudaGetLastError(), cudaSuccess) << "and it is the thread's last error, as CUDA has it";
}

// The same bits, and times in their order: of every tile, by every way.
TEST_P(TileWay, BlocksThatTellTheirStagesDoTheSameWork) {
  constexpr std::uint32_t kBlocks = 40, kRing = 8, kTile = 4096;
  constexpr std::uint64_t kCount = 500'003;
  kernels::Stamp* stamp = nullptr;
  kernels::BlockClocks* blocks = nullptr;
  kernels::StageClocks* stages = nullptr;
  ASSERT_EQ(cudaMalloc(reinterpret_cast<void**>(&stamp), sizeof *stamp), cudaSuccess);
  ASSERT_EQ(cudaMalloc(reinterpret_cast<void**>(&blocks), kBlocks * sizeof *blocks), cudaSuccess);
  ASSERT_EQ(cudaMalloc(reinterpret_cast<void**>(&stages), kBlocks * kRing * sizeof *stages), cudaSuccess);
  for (const std::uint32_t of : {1u, 2u, 4u, 8u}) {
    if (GetParam() == TileCopy::sync && of > 1) break;
    for (const std::uint32_t every : {1u, 3u}) {
      const Case one{{5, kBlocks, 128, GetParam(), of, kTile, 16, false, 16, 1, 1}, kCount};
      SCOPED_TRACE(words(one) + " every " + std::to_string(every));
      ASSERT_EQ(cudaMemset(blocks, 0, kBlocks * sizeof *blocks), cudaSuccess);
      ASSERT_EQ(cudaMemset(stages, 0, kBlocks * kRing * sizeof *stages), cudaSuccess);
      ASSERT_EQ(kernels::reset_stamps(stamp, 1, nullptr), cudaSuccess);
      check(one, stamp, {blocks, stages, kRing, every});
      if (HasFatalFailure()) return;
      std::vector<kernels::BlockClocks> recorded(kBlocks);
      std::vector<kernels::StageClocks> tiles(kBlocks * kRing);
      kernels::Stamp all{};
      ASSERT_EQ(cudaMemcpy(recorded.data(), blocks, kBlocks * sizeof *blocks, cudaMemcpyDeviceToHost), cudaSuccess);
      ASSERT_EQ(cudaMemcpy(tiles.data(), stages, tiles.size() * sizeof *stages, cudaMemcpyDeviceToHost), cudaSuccess);
      ASSERT_EQ(cudaMemcpy(&all, stamp, sizeof all, cudaMemcpyDeviceToHost), cudaSuccess);
      const std::uint64_t tiles_in_all = (kCount * sizeof(float) + kTile - 1) / kTile;
      std::uint64_t counted = 0;
      for (std::uint32_t b = 0; b * every < kBlocks; ++b) {
        const kernels::BlockClocks& block = recorded[b];
        counted += block.tiles;
        ASSERT_LE(block.time_begin, block.time_end);
        ASSERT_LT(block.clock_begin, block.clock_end);
        ASSERT_LE(block.time_end, all.end);
        ASSERT_EQ(block.tiles, (tiles_in_all - b * every + kBlocks - 1) / kBlocks) << "block " << b * every;
        std::int64_t before = block.clock_begin;
        for (std::uint32_t k = block.tiles - std::min(block.tiles, kRing); k < block.tiles; ++k) {
          const kernels::StageClocks& tile = tiles[b * kRing + k % kRing];
          ASSERT_LE(block.clock_begin, tile.load_issued);
          ASSERT_LE(tile.load_issued, tile.wait_over);
          ASSERT_LE(before, tile.wait_begun) << "tile " << k;
          ASSERT_LE(tile.wait_begun, tile.wait_over);
          ASSERT_LE(tile.wait_over, tile.compute_over);
          before = tile.compute_over;
        }
        ASSERT_LE(before, block.clock_end);
      }
      if (every == 1) {
        EXPECT_EQ(counted, tiles_in_all);
      }
      EXPECT_EQ(recorded[(kBlocks - 1) / every + 1 < kBlocks ? (kBlocks - 1) / every + 1 : 0].tiles == 0, every > 1)
          << "nobody else wrote";
    }
  }
  const auto one = kernels::tiles_launcher({1, 1, 64, TileCopy::sync, 1, 4096, 16, false, 16, 1, 1});
  EXPECT_NE(one->launch(data_of(1), nullptr, {blocks, stages, kRing, 1}, nullptr), cudaSuccess) << "without a stamp";
  cudaFree(stamp);
  cudaFree(blocks);
  cudaFree(stages);
}

// Through the device: on the run's axis, within the kernel's own span; and what the device makes of the kernel.
TEST_F(TileKernels, StagesComeWithThePassThatAsksForThem) {
  const program::Program program = tests::program_of(
      "buffer x 64MiB\nstream A nonblocking\nA: h2d x\nA: tiles x[0:32MiB] fma=32 stages=3\nA: tiles x fma=8 "
      "copy=warp-specialised stages=2\nA: attention x[0:4MiB] heads=4 type=bf16\nA: d2h x\n");
  auto loaded = load(program);
  ASSERT_TRUE(loaded) << loaded.error().message;
  device::PassRequest request(device::Instrument::full);
  for (const std::uint32_t every : {10u, 0u, 1u}) {
    request.stages_of = every;
    const auto pass = (*loaded)->run(request, {});
    ASSERT_TRUE(pass) << pass.error().message;
    EXPECT_EQ(pass->stages.every, every);
    if (every == 0) {
      EXPECT_TRUE(pass->stages.blocks.empty());
      continue;
    }
    std::array<std::size_t, 5> blocks{};
    for (const trace::StageBlock& block : pass->stages.blocks) {
      ASSERT_TRUE(block.operation >= 1 && block.operation <= 3);
      ++blocks[block.operation];
      const trace::Span& span = pass->spans[block.operation];
      // %globaltimer moves on in steps; the stamp and the block read it one after the other.
      EXPECT_GE(block.begin, span.start - 100);
      EXPECT_LE(block.end, span.end + 100);
      EXPECT_FALSE(block.stages.empty());
      for (const trace::Stage& stage : block.stages) {
        EXPECT_LE(block.begin, stage.load_issued);
        EXPECT_LE(stage.compute_over, block.end);
      }
    }
    EXPECT_GT(blocks[1], 0u);
    EXPECT_GT(blocks[2], 0u);
    EXPECT_GT(blocks[3], 0u);
    const auto verified = (*loaded)->verify();
    ASSERT_TRUE(verified) << verified.error().message;
    EXPECT_EQ(*verified, true) << testing::PrintToString(trace::texts((*loaded)->notes()));
  }
  const auto& kernels = (*loaded)->frame().kernels;
  ASSERT_EQ(kernels.size(), 3u);
  for (const trace::KernelFacts& facts : kernels) {
    EXPECT_GT(facts.registers, 8u);
    EXPECT_GT(facts.blocks_at_once, 0u);
    EXPECT_GT(facts.shared_bytes, 0u);
    EXPECT_GT(facts.copy_rate, 1e10);
    EXPECT_GT(facts.peak_flops, 1e11);
  }
}

// As a stream program says it: run, seen and verified; in a graph, too.
TEST_P(TileWay, ProgramsOfItAreVerified) {
  const std::string tiles = "tiles x[0:1000004] fma=7 tile=4KiB copy=" + word_of(GetParam());
  const program::Program program = tests::program_of(
      "buffer x 1MiB\nstream A nonblocking\nstream B nonblocking\ngraph G on B {\n  B: " + tiles +
      "\n}\nA: h2d x\nA: " + tiles + "\nA: record e\nB: wait e\nB: launch G\nB: launch G\nB: d2h x\n");
  SCOPED_TRACE(tiles);
  auto loaded = load(program);
  ASSERT_TRUE(loaded) << loaded.error().message;
  for (const device::Instrument instrument : {device::Instrument::bare, device::Instrument::full}) {
    const auto pass = (*loaded)->run(instrument, {});
    ASSERT_TRUE(pass) << pass.error().message;
    const auto verified = (*loaded)->verify();
    ASSERT_TRUE(verified) << verified.error().message;
    EXPECT_EQ(*verified, true) << testing::PrintToString(trace::texts((*loaded)->notes()));
    for (const trace::Span& span : pass->spans) {
      if (span.kind != OperationKind::kernel) continue;
      EXPECT_GT(span.end, span.start);
    }
  }
}

INSTANTIATE_TEST_SUITE_P(All, TileWay,
                         testing::Values(TileCopy::sync, TileCopy::cp_async, TileCopy::primitives, TileCopy::cg,
                                         TileCopy::barrier, TileCopy::pipeline, TileCopy::specialised, TileCopy::bulk),
                         [](const auto& way) {
                           std::string text = word_of(way.param);
                           std::replace_if(
                               text.begin(), text.end(), [](char c) { return c == '.' || c == '-'; }, '_');
                           return text;
                         });

}  // namespace
}  // namespace streamscope::cuda
