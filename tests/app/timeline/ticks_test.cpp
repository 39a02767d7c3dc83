#include "app/timeline/ticks.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace streamscope::timeline {
namespace {

using ::testing::ElementsAre;

std::vector<std::string> labels(const View& view, int width) {
  std::vector<std::string> out;
  for (const Tick& tick : ticks(view, width, 6)) out.push_back(tick.label);
  return out;
}

constexpr std::int64_t kMicrosecond = 1'000 * kFine;

TEST(RoundStep, IsOneTwoOrFiveTimesAPowerOfTen) {
  EXPECT_EQ(round_step(1), 1);
  EXPECT_EQ(round_step(2), 2);
  EXPECT_EQ(round_step(3), 5);
  EXPECT_EQ(round_step(6), 10);
  EXPECT_EQ(round_step(10), 10);
  EXPECT_EQ(round_step(11), 20);
  EXPECT_EQ(round_step(1'001), 2'000);
  EXPECT_EQ(round_step(400'000'000), 500'000'000);
}

TEST(TickLabel, HasTheUnitOfTheLargestAndTheDecimalsOfTheStep) {
  EXPECT_EQ(tick_label(1'250'000, 50'000, 3'000'000), "1.25 ms");
  EXPECT_EQ(tick_label(1'000'000, 50'000, 3'000'000), "1.00 ms");
  EXPECT_EQ(tick_label(500'000, 500'000, 3'000'000), "0.5 ms");
  EXPECT_EQ(tick_label(500'000, 100'000, 900'000), "500 us");
  EXPECT_EQ(tick_label(12'345'678, 1, 12'400'000), "12.345678 ms");
  EXPECT_EQ(tick_label(3'000'000'000, 1'000'000'000, 3'000'000'000), "3 s");
  EXPECT_EQ(tick_label(-20, 10, 20), "-20 ns");
  EXPECT_EQ(tick_label(-500'000, 500'000, 3'000'000), "-0.5 ms");
}

TEST(TickLabel, OfTheRunsStartIsZero) { EXPECT_EQ(tick_label(0, 1'000, 5'000'000), "0"); }

TEST(Ticks, ShareOneUnit) {
  EXPECT_THAT(labels({0, 10 * kMicrosecond}, 600), ElementsAre("0", "1 ms", "2 ms", "3 ms", "4 ms", "5 ms"));
  EXPECT_THAT(labels({0, kMicrosecond}, 600), ElementsAre("0", "100 us", "200 us", "300 us", "400 us", "500 us"));
}

TEST(Ticks, StandWhereTheirTimeIs) {
  const View view{300 * kFine, 7 * kFine};
  const auto found = ticks(view, 500, 6);
  ASSERT_GE(found.size(), 3u);
  for (const Tick& tick : found) EXPECT_EQ(tick.x, column(view, tick.time));
}

TEST(Ticks, BeforeTheRunsStartAreNegative) {
  EXPECT_THAT(labels({-200 * kMicrosecond, kMicrosecond}, 400), ElementsAre("-200 us", "-100 us", "0", "100 us"));
}

TEST(Ticks, AreNeverCloserThanANanosecond) {
  const auto found = ticks({0, kSmallestScale}, 640, 6);
  ASSERT_GE(found.size(), 2u);
  for (std::size_t i = 1; i < found.size(); ++i) EXPECT_GE(found[i].time - found[i - 1].time, 1);
}

TEST(Ticks, LeaveRoomForTheirLabelsAtEveryZoom) {
  for (std::int64_t scale = kSmallestScale; scale < kLargestScale / 3; scale = scale * 17 / 10 + 1) {
    for (const std::int64_t origin : {std::int64_t{0}, -5'000 * scale, 123'456'789'012'345 * kFine}) {
      const auto found = ticks({origin, scale}, 1600, 6);
      // Deep in a long run the labels are long; there are still some.
      ASSERT_GE(found.size(), 2u) << "scale " << scale << " origin " << origin;
      ASSERT_LE(found.size(), 40u);
      for (std::size_t i = 0; i < found.size(); ++i) {
        ASSERT_GE(found[i].x, 0);
        ASSERT_LT(found[i].x, 1600);
        if (i == 0) continue;
        const auto apart = static_cast<std::size_t>(found[i].x - found[i - 1].x);
        ASSERT_GT(apart, (found[i].label.size() + found[i - 1].label.size()) * 3) << found[i].label;
      }
    }
  }
}

TEST(Ticks, OfNoWidthAreNone) {
  EXPECT_TRUE(ticks({0, kFine}, 0, 6).empty());
  EXPECT_TRUE(ticks({0, kFine}, -3, 6).empty());
}

}  // namespace
}  // namespace streamscope::timeline
