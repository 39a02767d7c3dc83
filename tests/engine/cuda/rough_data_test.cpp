// What the CPU foresees only within a tolerance: where it lies, and how it is compared.
#include "engine/device/cuda/verify/tolerance_ranges.h"

#include <gtest/gtest.h>

#include <limits>
#include <string>

namespace streamscope::cuda {
namespace {

using Side = RoughData::Side;
constexpr kernels::Precision kFloats{1e-5}, kHalves{2e-2, true}, kIntegers{.integers = true};

std::string text_of(const RoughData& data, Side side, BufferId buffer) {
  std::string text;
  for (const RoughPart& part : data.parts(side, buffer)) {
    text += std::to_string(part.begin) + "-" + std::to_string(part.end) + (part.precision.bf16 ? "b " : " ");
  }
  return text;
}

TEST(RoughData, IsWrittenOverCutAndCopied) {
  const BufferId x{0}, y{1};
  RoughData data;
  data.add(Side::device, {x, 100, 100}, kFloats);
  data.add(Side::device, {x, 400, 100}, kHalves);
  data.clear(Side::device, {x, 150, 10});
  EXPECT_EQ(text_of(data, Side::device, x), "100-150 160-200 400-500b ");
  EXPECT_EQ(text_of(data, Side::host, x), "");
  data.copy(Side::device, {x, 120, 300}, Side::host, {y, 20, 300});
  EXPECT_EQ(text_of(data, Side::host, y), "20-50 60-100 300-320b ");
  EXPECT_TRUE(data.touches(Side::host, {y, 0, 21}));
  EXPECT_FALSE(data.touches(Side::host, {y, 0, 20}));
  EXPECT_FALSE(data.touches(Side::host, {y, 100, 200}));
  // What is copied over takes its place, known or not.
  data.copy(Side::device, {x, 0, 90}, Side::host, {y, 10, 90});
  EXPECT_EQ(text_of(data, Side::host, y), "300-320b ");
}

TEST(RoughData, OnlyWithinItsPartsALittleIsNothing) {
  float expected[8], found[8];
  for (int i = 0; i < 8; ++i) expected[i] = found[i] = 0.5f + static_cast<float>(i);
  const auto wrong = [&](const std::vector<RoughPart>& parts) {
    return first_wrong(reinterpret_cast<const char*>(found), reinterpret_cast<const char*>(expected), 64, 32, parts);
  };
  EXPECT_FALSE(wrong({}));
  found[3] = expected[3] * 1.000005f;
  EXPECT_EQ(wrong({}), 64 + 12);
  EXPECT_FALSE(wrong({{70, 90, kFloats}}));
  EXPECT_EQ(wrong({{80, 96, kFloats}}), 64 + 12) << "a part elsewhere is no excuse";
  found[3] = expected[3] * 1.00005f;
  EXPECT_EQ(wrong({{64, 96, kFloats}}), 64 + 12) << "five times too far off";
  found[3] = std::numeric_limits<float>::quiet_NaN();
  EXPECT_EQ(wrong({{0, 1000, kFloats}}), 64 + 12);
  found[3] = expected[3];
  found[7] += 1;
  EXPECT_EQ(wrong({{64, 80, kFloats}}), 64 + 28) << "behind the last part";
}

TEST(RoughData, OfIntegersEachBitCounts) {
  std::uint32_t expected[4] = {1, 0x7FC00001u, 0xFFFFFFFFu, 4}, found[4] = {1, 0x7FC00001u, 0xFFFFFFFFu, 4};
  const auto wrong = [&](const std::vector<RoughPart>& parts) {
    return first_wrong(reinterpret_cast<const char*>(found), reinterpret_cast<const char*>(expected), 64, 16, parts);
  };
  EXPECT_FALSE(wrong({{64, 80, kIntegers}}));
  found[1] = 0x7FC00002u;
  EXPECT_FALSE(wrong({})) << "two NaNs, as floats";
  EXPECT_EQ(wrong({{64, 80, kIntegers}}), 64 + 4);
  EXPECT_EQ(wrong({{72, 80, kIntegers}}), std::nullopt);
  found[2] = 0x7FFFFFFFu;
  EXPECT_EQ(wrong({{72, 80, kIntegers}}), 64 + 8) << "its last byte differs; it begins here";

  const BufferId x{0};
  RoughData data;
  data.add(Side::device, {x, 0, 16}, kIntegers);
  EXPECT_FALSE(data.touches(Side::device, {x, 0, 16})) << "known to the bit";
  data.copy(Side::device, {x, 0, 16}, Side::host, {x, 2, 16});
  ASSERT_EQ(data.parts(Side::host, x).size(), 1u);
  EXPECT_TRUE(data.parts(Side::host, x)[0].precision.integers);
}

}  // namespace
}  // namespace streamscope::cuda
