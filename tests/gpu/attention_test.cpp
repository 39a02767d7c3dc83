// Attention of both types, in every setting, is what the CPU computes, and nothing beside it is written.
#include "kernels/attention/launch.h"

#include <cuda_runtime_api.h>

#include <algorithm>
#include <cstring>
#include <optional>
#include <random>

#include "kernels/attention/reference.h"
#include "tests/gpu/gpu.h"

namespace streamscope::cuda {
namespace {

using Bytes = std::vector<unsigned char>;

constexpr std::size_t kGuard = 256;      // bytes on either side of the output
constexpr unsigned char kPoison = 0xFF;  // NaN of either type

struct DeviceMemory {
  explicit DeviceMemory(std::size_t size) { EXPECT_EQ(cudaMalloc(&data, size), cudaSuccess); }
  DeviceMemory(const DeviceMemory&) = delete;
  DeviceMemory& operator=(const DeviceMemory&) = delete;
  ~DeviceMemory() { cudaFree(data); }
  void put(const void* from, std::size_t size) const {
    EXPECT_EQ(cudaMemcpy(data, from, size, cudaMemcpyHostToDevice), cudaSuccess);
  }
  void get(void* to, std::size_t size) const {
    EXPECT_EQ(cudaMemcpy(to, data, size, cudaMemcpyDeviceToHost), cudaSuccess);
  }
  void* data = nullptr;
};

struct Case {
  std::uint32_t heads, queries, keys, head_size;
  bool bf16;
  kernels::AttentionOptions with(std::uint32_t buffers, std::uint32_t waits = 2) const {
    return {heads, head_size, bf16, buffers, waits};
  }
};

std::string words(const Case& one) {
  return std::string(one.bf16 ? "bf16" : "fp32") + " heads " + std::to_string(one.heads) + " queries " +
         std::to_string(one.queries) + " keys " + std::to_string(one.keys) + " size " + std::to_string(one.head_size);
}

// The data of a case, on both sides, and launches on it.
class Prepared {
 public:
  explicit Prepared(const Case& made)
      : case_(made),
        q_(normal(made.queries, 1)),
        k_(normal(made.keys, 2)),
        v_(normal(made.keys, 3)),
        output_bytes_(q_.size()),
        device_q_(q_.size()),
        device_k_(k_.size()),
        device_v_(v_.size()),
        device_o_(output_bytes_ + 2 * kGuard) {
    device_q_.put(q_.data(), q_.size());
    device_k_.put(k_.data(), k_.size());
    device_v_.put(v_.data(), v_.size());
  }

  kernels::AttentionMatrices matrices() const {
    return {device_q_.data, device_k_.data, device_v_.data, static_cast<unsigned char*>(device_o_.data) + kGuard,
            case_.queries,  case_.keys};
  }
  // The output of one launch, into poisoned memory; none where something beside it was written.
  Bytes run(const kernels::AttentionLauncher& one, const kernels::StampTo& stamp = nullptr,
            const kernels::StagesTo& stages = {}) const {
    Bytes all(output_bytes_ + 2 * kGuard, kPoison);
    device_o_.put(all.data(), all.size());
    EXPECT_EQ(one.launch(matrices(), stamp, stages, nullptr), cudaSuccess);
    EXPECT_EQ(cudaDeviceSynchronize(), cudaSuccess);
    device_o_.get(all.data(), all.size());
    const auto begin = all.begin() + kGuard, end = all.end() - kGuard;
    const auto is_poison = [](unsigned char byte) { return byte == kPoison; };
    EXPECT_TRUE(std::all_of(all.begin(), begin, is_poison)) << "written before the output";
    EXPECT_TRUE(std::all_of(end, all.end(), is_poison)) << "written behind the output";
    return {begin, end};
  }
  double error(const Bytes& output) const {
    const auto expected = kernels::attention_reference(
        {q_.data(), k_.data(), v_.data(), case_.heads, case_.queries, case_.keys, case_.head_size, case_.bf16});
    return kernels::attention_error(output.data(), case_.bf16, expected, case_.head_size);
  }

 private:
  Bytes normal(std::uint32_t rows, unsigned seed) const {
    const std::size_t count = std::size_t{case_.heads} * rows * case_.head_size;
    std::mt19937 random(seed + 10 * rows);
    std::normal_distribution<float> any;
    Bytes result(count * (case_.bf16 ? 2 : 4));
    for (std::size_t i = 0; i < count; ++i) {
      const float value = any(random);
      const std::uint16_t half = kernels::to_bf16(value);
      if (case_.bf16) {
        std::memcpy(&result[2 * i], &half, sizeof half);
      } else {
        std::memcpy(&result[4 * i], &value, sizeof value);
      }
    }
    return result;
  }

  Case case_;
  Bytes q_, k_, v_;
  std::size_t output_bytes_;
  DeviceMemory device_q_, device_k_, device_v_, device_o_;
};

struct AttentionKernels : Gpu {
  void SetUp() override {
    Gpu::SetUp();
    if (IsSkipped()) return;
    cudaDeviceProp properties{};
    ASSERT_EQ(cudaGetDeviceProperties(&properties, 0), cudaSuccess);
    if (properties.major < 8) GTEST_SKIP() << "skipped: compute capability 8.0 is needed";
    shared_limit_ = properties.sharedMemPerBlockOptin;
  }
  bool fits(const Case& one, std::uint32_t buffers) const {
    return kernels::attention_shared_bytes(one.head_size, one.bf16, buffers) <= shared_limit_;
  }
  // Ready to launch, until the next one.
  kernels::AttentionLauncher& with(const kernels::AttentionOptions& options) {
    launcher_.emplace(options);
    EXPECT_EQ(launcher_->prepare(shared_limit_), cudaSuccess);
    return *launcher_;
  }
  static double tolerance(const Case& one) {
    return one.bf16 ? kernels::kAttentionToleranceBf16 : kernels::kAttentionTolerance;
  }

  // With one buffer and with two, and with one wait for each tile or two: the same bits.
  void check(const Case& one) {
    SCOPED_TRACE(words(one));
    if (!fits(one, 1)) return;
    const Prepared prepared(one);
    const Bytes output = prepared.run(with(one.with(1)));
    EXPECT_LE(prepared.error(output), tolerance(one));
    EXPECT_TRUE(prepared.run(with(one.with(1, 1))) == output) << "other bits with one wait";
    if (!fits(one, 2)) return;
    EXPECT_TRUE(prepared.run(with(one.with(2))) == output) << "other bits with two buffers";
    EXPECT_TRUE(prepared.run(with(one.with(2, 1))) == output) << "other bits with two buffers and one wait";
  }

  std::size_t shared_limit_ = 0;
  std::optional<kernels::AttentionLauncher> launcher_;
};

TEST_F(AttentionKernels, AllTypesSizesAndBuffers) {
  struct Rows {
    std::uint32_t heads, queries, keys;
  };
  for (const bool bf16 : {false, true}) {
    for (const std::uint32_t size : {64u, 128u}) {
      for (const Rows& rows : {Rows{1, 1, 1}, Rows{3, 64, 64}, Rows{2, 65, 130}, Rows{5, 200, 77}, Rows{2, 128, 32},
                               Rows{4, 129, 33}, Rows{3, 1, 1000}, Rows{150, 3, 95}, Rows{2, 512, 1024}}) {
        check({rows.heads, rows.queries, rows.keys, size, bf16});
      }
    }
  }
}

TEST_F(AttentionKernels, AnySizesAtRandom) {
  std::mt19937 random(20261122);
  for (int i = 0; i < 60; ++i) {
    const auto upto = [&](std::uint32_t most) { return 1 + static_cast<std::uint32_t>(random() % most); };
    check({upto(4), upto(300), upto(300), random() % 2 == 0 ? 64u : 128u, random() % 2 == 0});
    if (HasFailure()) return;
  }
}

TEST_F(AttentionKernels, TracedOrStampedItLeavesTheSameBits) {
  for (const bool bf16 : {false, true}) {
    for (const std::uint32_t size : {64u, 128u}) {
      for (const std::uint32_t buffers : {1u, 2u}) {
        const Case one{2, 130, 110, size, bf16};
        if (!fits(one, buffers)) continue;
        const Prepared prepared(one);
        const kernels::AttentionLauncher& launch = with(one.with(buffers));
        const Bytes output = prepared.run(launch);
        const auto blocks = static_cast<std::uint32_t>(launch.options.blocks(one.queries));
        const auto records = static_cast<std::uint32_t>(2 * kernels::attention_key_tiles(one.keys));
        const DeviceMemory stamp(sizeof(kernels::Stamp));
        ASSERT_EQ(kernels::reset_stamps(static_cast<kernels::Stamp*>(stamp.data), 1, nullptr), cudaSuccess);
        EXPECT_TRUE(prepared.run(launch, static_cast<kernels::Stamp*>(stamp.data)) == output) << "stamped";
        for (const std::uint32_t every : {1u, 4u}) {
          for (const std::uint32_t ring : {4u, 8u, 64u}) {
            SCOPED_TRACE(words(one) + " buffers " + std::to_string(buffers) + " every " + std::to_string(every) +
                         " ring " + std::to_string(ring));
            const std::uint32_t writing = (blocks + every - 1) / every;
            std::vector<kernels::BlockClocks> of_blocks(writing);
            std::vector<kernels::StageClocks> of_tiles(std::size_t{writing} * ring,
                                                       kernels::StageClocks{-1, -1, -1, -1});
            const DeviceMemory at_blocks(writing * sizeof(kernels::BlockClocks));
            const DeviceMemory at_tiles(of_tiles.size() * sizeof(kernels::StageClocks));
            at_tiles.put(of_tiles.data(), of_tiles.size() * sizeof(kernels::StageClocks));
            ASSERT_EQ(kernels::reset_stamps(static_cast<kernels::Stamp*>(stamp.data), 1, nullptr), cudaSuccess);
            const kernels::StagesTo stages{static_cast<kernels::BlockClocks*>(at_blocks.data),
                                           static_cast<kernels::StageClocks*>(at_tiles.data), ring, every};
            EXPECT_TRUE(prepared.run(launch, static_cast<kernels::Stamp*>(stamp.data), stages) == output) << "traced";
            at_blocks.get(of_blocks.data(), of_blocks.size() * sizeof(kernels::BlockClocks));
            at_tiles.get(of_tiles.data(), of_tiles.size() * sizeof(kernels::StageClocks));
            for (std::uint32_t block = 0; block < writing; ++block) {
              const kernels::BlockClocks& clocks = of_blocks[block];
              ASSERT_EQ(clocks.tiles, records);
              EXPECT_LE(clocks.time_begin, clocks.time_end);
              EXPECT_LT(clocks.clock_begin, clocks.clock_end);
              for (std::uint32_t k = records - std::min(records, ring); k < records; ++k) {
                const kernels::StageClocks& tile = of_tiles[std::size_t{block} * ring + k % ring];
                ASSERT_GE(tile.load_issued, clocks.clock_begin) << k;
                ASSERT_GE(tile.wait_begun, clocks.clock_begin) << k;
                ASSERT_LE(tile.load_issued, tile.wait_over) << k;
                ASSERT_LE(tile.wait_begun, tile.wait_over) << k;
                ASSERT_LE(tile.wait_over, tile.compute_over) << k;
                ASSERT_LE(tile.compute_over, clocks.clock_end) << k;
                if (k < 2 || k - 2 < records - std::min(records, ring)) continue;
                // The tile before, of keys or of values: with two buffers this one was asked for before that was done.
                const kernels::StageClocks& before = of_tiles[std::size_t{block} * ring + (k - 2) % ring];
                EXPECT_EQ(tile.load_issued < before.compute_over, buffers == 2) << k;
              }
            }
          }
        }
      }
    }
  }
}

TEST_F(AttentionKernels, ABlockHasAMultiprocessorToItself) {
  for (const bool bf16 : {false, true}) {
    for (const std::uint32_t size : {64u, 128u}) {
      for (const std::uint32_t buffers : {1u, 2u}) {
        if (!fits({1, 1, 1, size, bf16}, buffers)) continue;
        kernels::Fit fit;
        ASSERT_EQ(with({1, size, bf16, buffers}).fit(&fit), cudaSuccess);
        EXPECT_EQ(fit.blocks, 1);
        EXPECT_GT(fit.registers, 32);
        EXPECT_GE(fit.shared_bytes, kernels::attention_shared_bytes(size, bf16, buffers));
      }
    }
  }
}

TEST_F(AttentionKernels, WhatItCannotDoIsRefused) {
  const Prepared prepared({2, 3, 4, 64, false});
  const auto refused = [&](const kernels::AttentionOptions& options, std::uint32_t queries, std::uint32_t keys) {
    kernels::AttentionMatrices on = prepared.matrices();
    on.queries = queries;
    on.keys = keys;
    return kernels::AttentionLauncher(options).launch(on, nullptr, {}, nullptr) == cudaErrorInvalidValue;
  };
  EXPECT_TRUE(refused({2, 96, false, 2}, 3, 4));
  EXPECT_TRUE(refused({2, 64, false, 3}, 3, 4));
  EXPECT_TRUE(refused({2, 64, false, 0}, 3, 4));
  EXPECT_TRUE(refused({0, 64, false, 2}, 3, 4));
  EXPECT_TRUE(refused({2, 64, false, 2}, 0, 4));
  EXPECT_TRUE(refused({2, 64, false, 2}, 3, 0));
  EXPECT_TRUE(refused({1u << 31, 64, false, 2}, 3, 4));
  // Traced, but without a stamp, with tickets, or into a ring too small.
  const DeviceMemory memory(4096);
  auto* const stamp = static_cast<kernels::Stamp*>(memory.data);
  kernels::StagesTo stages{static_cast<kernels::BlockClocks*>(memory.data),
                           static_cast<kernels::StageClocks*>(memory.data), 4, 1};
  const kernels::AttentionLauncher& one = with({2, 64, false, 2});
  const kernels::AttentionMatrices on = prepared.matrices();
  EXPECT_EQ(one.launch(on, nullptr, stages, nullptr), cudaErrorInvalidValue);
  EXPECT_EQ(one.launch(on, {stamp, static_cast<unsigned long long*>(memory.data)}, stages, nullptr),
            cudaErrorInvalidValue);
  stages.ring = 2;
  EXPECT_EQ(one.launch(on, stamp, stages, nullptr), cudaErrorInvalidValue);
  EXPECT_EQ(cudaGetLastError(), cudaSuccess) << "it leaves no error behind";
}

}  // namespace
}  // namespace streamscope::cuda
