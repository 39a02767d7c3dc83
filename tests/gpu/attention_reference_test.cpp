// The CPU's side of what attention is held against. Needs no GPU.
#include "kernels/attention/reference.h"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <random>
#include <vector>

namespace streamscope::cuda {
namespace {

std::vector<float> normal(std::size_t count, unsigned seed) {
  std::mt19937 random(seed);
  std::normal_distribution<float> any;
  std::vector<float> result(count);
  for (float& value : result) value = any(random);
  return result;
}

TEST(AttentionReference, WorkedOutByHand) {
  // Scores by sqrt(4): 2 and 0. Weights: e^2 and 1, by their sum.
  const std::vector<float> q{2, 0, 0, 2}, k{1, 0, 0, 1, 0, 5, 5, 0}, v{1, 2, 3, 4, -1, 0, 1, 0};
  const auto found = kernels::attention_reference({q.data(), k.data(), v.data(), 1, 1, 2, 4, false});
  const double e2 = std::exp(2.0), first = e2 / (e2 + 1), second = 1 / (e2 + 1);
  ASSERT_EQ(found.size(), 4u);
  EXPECT_NEAR(found[0], first - second, 1e-15);
  EXPECT_NEAR(found[1], 2 * first, 1e-15);
  EXPECT_NEAR(found[2], 3 * first + second, 1e-15);
  EXPECT_NEAR(found[3], 4 * first, 1e-15);
}

TEST(AttentionReference, WeightsSumToOne) {
  constexpr std::uint32_t kHeads = 2, kQueries = 37, kKeys = 53, kSize = 8;
  const auto q = normal(kHeads * kQueries * kSize, 1), k = normal(kHeads * kKeys * kSize, 2);
  const std::vector<float> v(kHeads * kKeys * kSize, 0.75f);
  for (const double value :
       kernels::attention_reference({q.data(), k.data(), v.data(), kHeads, kQueries, kKeys, kSize, false})) {
    EXPECT_NEAR(value, 0.75, 1e-14);
  }
}

TEST(AttentionReference, OneKeyGivesItsValueInEachHead) {
  constexpr std::uint32_t kHeads = 3, kQueries = 5, kSize = 8;
  const auto q = normal(kHeads * kQueries * kSize, 1), k = normal(kHeads * kSize, 2), v = normal(kHeads * kSize, 3);
  const auto found = kernels::attention_reference({q.data(), k.data(), v.data(), kHeads, kQueries, 1, kSize, false});
  for (std::size_t i = 0; i < found.size(); ++i) {
    EXPECT_EQ(found[i], static_cast<double>(v[i / (kQueries * kSize) * kSize + i % kSize]));
  }
}

TEST(AttentionReference, LargeScoresDoNotOverflow) {
  const std::vector<float> q{1e4f, 0}, k{1e4f, 0, -1e4f, 0}, v{1, 2, 3, 4};
  const auto found = kernels::attention_reference({q.data(), k.data(), v.data(), 1, 1, 2, 2, false});
  EXPECT_EQ(found, (std::vector<double>{1, 2}));
}

TEST(AttentionReference, Bf16IsTheFloatsThatItStandsFor) {
  constexpr std::uint32_t kQueries = 19, kKeys = 23, kSize = 16;
  std::vector<float> floats[3]{normal(kQueries * kSize, 1), normal(kKeys * kSize, 2), normal(kKeys * kSize, 3)};
  std::vector<std::uint16_t> halves[3];
  for (std::size_t i = 0; i < 3; ++i) {
    for (float& value : floats[i]) {
      halves[i].push_back(kernels::to_bf16(value));
      value = kernels::from_bf16(halves[i].back());
    }
  }
  EXPECT_EQ(kernels::attention_reference(
                {floats[0].data(), floats[1].data(), floats[2].data(), 1, kQueries, kKeys, kSize, false}),
            kernels::attention_reference(
                {halves[0].data(), halves[1].data(), halves[2].data(), 1, kQueries, kKeys, kSize, true}));
}

TEST(Bf16, IsTheNearestAndTheEvenOneBetweenTwo) {
  EXPECT_EQ(kernels::to_bf16(1.0f), 0x3F80);
  EXPECT_EQ(kernels::to_bf16(-2.0f), 0xC000);
  EXPECT_EQ(kernels::to_bf16(0x1.01p0f), 0x3F80) << "between 1 and its neighbour: even is below";
  EXPECT_EQ(kernels::to_bf16(0x1.03p0f), 0x3F82) << "even is above";
  EXPECT_EQ(kernels::to_bf16(0x1.010002p0f), 0x3F81);
  EXPECT_EQ(kernels::to_bf16(0x1.00FFFEp0f), 0x3F80);
  EXPECT_EQ(kernels::from_bf16(0x3F81), 0x1.02p0f);
  for (std::uint32_t bits = 0; bits < 0x7F80; ++bits) {
    ASSERT_EQ(kernels::to_bf16(kernels::from_bf16(static_cast<std::uint16_t>(bits))), bits);
  }
}

TEST(AttentionError, IsTheWorstRowsOwn) {
  const std::vector<double> expected{1, -4, 0.5, 0.25};
  const std::vector<float> right{1, -4, 0.5f, 0.25f}, wrong{1, -4, 0.5f, 0.5f};
  EXPECT_EQ(kernels::attention_error(right.data(), false, expected, 2), 0.0);
  EXPECT_EQ(kernels::attention_error(wrong.data(), false, expected, 2), 0.5);
  EXPECT_EQ(kernels::attention_error(wrong.data(), false, expected, 4), 0.0625);
}

TEST(AttentionError, SeesNanAndRowsOfZeros) {
  const float nan = std::numeric_limits<float>::quiet_NaN();
  EXPECT_TRUE(std::isinf(kernels::attention_error(std::vector<float>{1, nan}.data(), false, {1, 2}, 2)));
  EXPECT_EQ(kernels::attention_error(std::vector<float>{0, 0.5f}.data(), false, {0, 0}, 2), 0.5);
  EXPECT_EQ(kernels::attention_error(std::vector<std::uint16_t>{0x3F80, 0x4000}.data(), true, {1, 2}, 2), 0.0);
}

}  // namespace
}  // namespace streamscope::cuda
