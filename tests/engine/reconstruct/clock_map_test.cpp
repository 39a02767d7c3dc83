#include "engine/reconstruct/clock_map.h"

#include <gtest/gtest.h>

#include <vector>

namespace streamscope::reconstruct {
namespace {

TEST(ClockWindow, IsTheIntersectionOfAllExchanges) {
  // The device is 1000 behind. Each answer lies somewhere between question and reply.
  const std::vector<Exchange> exchanges{{5000, 5010, 4001}, {6000, 6020, 5018}, {7000, 7006, 6004}};
  const auto window = window_of(exchanges);
  ASSERT_TRUE(window);
  EXPECT_EQ(window->low, 999);    // the first: asked at 5000, answered at device time 4001
  EXPECT_EQ(window->high, 1002);  // the second and the third
  EXPECT_EQ(window->offset(), 1000);
  EXPECT_EQ(window->uncertainty(), 2);
}

TEST(ClockWindow, IsNothingWithoutExchangesAndTheNarrowestWhereTheyContradict) {
  EXPECT_FALSE(window_of({}));
  const std::vector<Exchange> jumped{{5000, 5010, 4005}, {6000, 6004, 3002}};
  const auto window = window_of(jumped);
  ASSERT_TRUE(window);
  EXPECT_EQ(window->low, 2998);
  EXPECT_EQ(window->high, 3002);
}

TEST(ClockMap, TakesNoDriftOverAShortTime) {
  const ClockMap map(ClockWindow{1'000'000, 90, 110}, ClockWindow{500'000, 0, 20});
  EXPECT_EQ(map.host(1'000'000), 1'000'100);
  EXPECT_EQ(map.host(1'500'000), 1'500'100);
  EXPECT_EQ(map.host(400'000), 400'100);
  EXPECT_EQ(map.uncertainty(), 10);
}

TEST(ClockMap, FollowsTheDriftOverALongTime) {
  // The host's clock gains 5000 ns in 10 s: half a millionth.
  const ClockMap map(ClockWindow{20'000'000'000, 5000, 5000}, ClockWindow{10'000'000'000, 0, 0});
  EXPECT_EQ(map.host(20'000'000'000), 20'000'005'000);
  EXPECT_EQ(map.host(30'000'000'000), 30'000'010'000);
  EXPECT_EQ(map.host(10'000'000'000), 10'000'000'000);
}

// A timer of microseconds: what it says is up to a step behind, however short the exchanges are.
TEST(ClockWindow, HoldsTheTruthOfATimerWithSteps) {
  constexpr Nanoseconds kStep = 1000, kOffset = 123'457;
  std::vector<Exchange> exchanges;
  for (Nanoseconds device = 5'000'000; device < 5'100'000; device += 1'733) {
    const Nanoseconds host = device + kOffset;
    exchanges.push_back({host - 150, host + 250, device / kStep * kStep});
  }
  const auto window = window_of(exchanges, kStep);
  ASSERT_TRUE(window);
  EXPECT_LE(window->low, kOffset);
  EXPECT_GE(window->high, kOffset);
  EXPECT_LE(window->high - window->low, 2 * kStep);
}

// Behind a suspension, or where a clock was set: 1 s lost in 10 s is no drift.
TEST(ClockMap, TakesNoDriftThatNoClockHas) {
  const ClockMap map(ClockWindow{20'000'000'000, 1'000'000'000, 1'000'000'000}, ClockWindow{10'000'000'000, 0, 0});
  EXPECT_EQ(map.host(20'010'000'000), 21'010'000'000);
  EXPECT_EQ(map.uncertainty_at(20'010'000'000), 2'000) << "200 millionths of 10 ms";
  // As much as a clock that is slewed has is taken as it is.
  const ClockMap slewed(ClockWindow{20'000'000'000, 1'900'000, 1'900'000}, ClockWindow{10'000'000'000, 0, 0});
  EXPECT_EQ(slewed.host(20'010'000'000), 20'011'901'900);
}

TEST(ClockMap, GoesThroughALaterWindowThatContradictsIt) {
  const ClockMap map(ClockWindow{1'000'000'000, 90, 110});
  const ClockWindow fits{2'000'000'000, 95, 125};
  EXPECT_EQ(map.through(fits).host(2'000'000'000), 2'000'000'100) << "as before: times that were told stay";
  EXPECT_EQ(map.through(fits).uncertainty(), 10);
  // Slewed by 50 millionths meanwhile.
  const ClockMap bent = map.through({2'000'000'000, 50'080, 50'120});
  EXPECT_EQ(bent.host(1'000'000'000), 1'000'000'100);
  EXPECT_EQ(bent.host(1'500'000'000), 1'500'025'100);
  EXPECT_EQ(bent.host(2'000'000'000), 2'000'050'100);
  EXPECT_EQ(bent.uncertainty_at(1'500'000'000), 20);
  // A jump of 5 ms: nobody knows when.
  const ClockMap jumped = map.through({2'000'000'000, 5'000'000, 5'000'020});
  EXPECT_EQ(jumped.host(1'500'000'000), 1'500'000'100);
  EXPECT_GE(jumped.uncertainty_at(1'500'000'000), 4'999'900);
}

TEST(ClockMap, IsLessCertainFartherAway) {
  const ClockMap alone(ClockWindow{0, 90, 110});
  EXPECT_EQ(alone.uncertainty_at(0), 10);
  EXPECT_EQ(alone.uncertainty_at(100'000'000), 10 + 5'000);  // 50 millionths of 100 ms
  EXPECT_EQ(alone.uncertainty_at(-100'000'000), 10 + 5'000);
  // Two windows of +-10 and +-30 ns, 2 s apart: 20 millionths of a thousandth.
  const ClockMap tied(ClockWindow{2'000'000'000, 90, 110}, ClockWindow{0, 0, 60});
  EXPECT_EQ(tied.uncertainty_at(3'000'000'000), 10 + 20);
}

TEST(ClockMap, ALaterWindowBoundsItsError) {
  const ClockMap map(ClockWindow{1000, 90, 110});
  EXPECT_EQ(map.uncertainty_until({2000, 95, 105}), 10);   // inside: no worse than before
  EXPECT_EQ(map.uncertainty_until({2000, 140, 160}), 60);  // the map says 100; up to 160 is possible
  EXPECT_EQ(map.uncertainty_until({2000, 20, 30}), 80);
}

}  // namespace
}  // namespace streamscope::reconstruct
