#include "engine/trace/trace.h"

#include <gtest/gtest.h>

#include <limits>
#include <set>

namespace streamscope::trace {
namespace {

constexpr Nanoseconds kMost = std::numeric_limits<Nanoseconds>::max();

Span on(Engine engine, Nanoseconds start, Nanoseconds end, OperationKind kind = OperationKind::kernel) {
  Span span;
  span.engine = engine;
  span.kind = kind;
  span.start = start;
  span.end = end;
  return span;
}

TEST(Statistic, NothingOfNothing) { EXPECT_FALSE(statistic({})); }

TEST(Statistic, OfOneSampleAllThree) {
  const auto of = statistic({7});
  ASSERT_TRUE(of);
  EXPECT_EQ(of->median, 7);
  EXPECT_EQ(of->minimum, 7);
  EXPECT_EQ(of->maximum, 7);
}

TEST(Statistic, OfAnOddNumberTheMiddleOneInAnyOrder) {
  const auto of = statistic({50, 10, 30, 20, 40});
  ASSERT_TRUE(of);
  EXPECT_EQ(of->median, 30);
  EXPECT_EQ(of->minimum, 10);
  EXPECT_EQ(of->maximum, 50);
}

TEST(Statistic, OfAnEvenNumberTheLowerMiddleOne) {
  EXPECT_EQ(statistic({40, 10, 30, 20})->median, 20);
  EXPECT_EQ(statistic({2, 1})->median, 1);
}

TEST(Makespan, FirstStartToLastEndWhicheverSpanTheyBelongTo) {
  EXPECT_EQ(makespan({on(Engine::d2h, 300, 400), on(Engine::h2d, 100, 900), on(Engine::compute, 150, 200)}), 800);
}

TEST(Makespan, AbsentWhereNoDeviceWorkIsKnown) {
  EXPECT_EQ(makespan({}), kAbsent);
  EXPECT_EQ(makespan({on(Engine::host, 0, 50, OperationKind::work), on(Engine::none, 5, 6, OperationKind::record)}),
            kAbsent);
  EXPECT_EQ(makespan({on(Engine::h2d, kAbsent, 5), on(Engine::h2d, 5, kAbsent)}), kAbsent);
}

TEST(Makespan, HostWorkRecordsAndHalfKnownSpansDoNotStretchIt) {
  EXPECT_EQ(makespan({on(Engine::h2d, 100, 200), on(Engine::host, 0, 5'000, OperationKind::sync),
                      on(Engine::none, 900, 900, OperationKind::wait), on(Engine::compute, 10, kAbsent),
                      on(Engine::compute, kAbsent, 9'999), on(Engine::d2h, 700, 600)}),
            100);
}

TEST(Makespan, HostFunctionsStretchIt) {
  EXPECT_EQ(makespan({on(Engine::h2d, 100, 200), on(Engine::host, 200, 350, OperationKind::hostfn)}), 250);
}

TEST(Makespan, OfOneInstantIsZeroAndNotAbsent) { EXPECT_EQ(makespan({on(Engine::compute, 5, 5)}), 0); }

TEST(Makespan, SaturatesAtTheEdgeOfWhatFits) {
  EXPECT_EQ(makespan({on(Engine::h2d, -kMost, 0), on(Engine::h2d, 0, kMost)}), kMost);
}

TEST(Statistic, SpreadIsHalfTheDistanceOfTheQuartiles) {
  EXPECT_EQ(statistic({10, 50, 20, 40, 30})->spread, 10);
  EXPECT_EQ(statistic({7, 7, 7, 7, 900})->spread, 0) << "one run that went wrong is no spread";
}

TEST(Statistic, OfFewSamplesNoSpreadIsSaid) {
  EXPECT_FALSE(known(statistic({10, 20, 30, 40})->spread));
  EXPECT_TRUE(known(statistic({10, 20, 30, 40, 50})->spread));
}

TEST(ObserverEffectOf, ComparesTheRunsPairByPair) {
  // The device slows down by half on the way; the pairs do not care.
  const auto effect = observer_effect({110, 120, 150, 165, 165}, {100, 100, 125, 150, 150});
  ASSERT_TRUE(effect);
  EXPECT_DOUBLE_EQ(effect->median, 1.1);
  EXPECT_DOUBLE_EQ(effect->low, 1.1);
  EXPECT_DOUBLE_EQ(effect->high, 1.2);
  EXPECT_EQ(effect->pairs, 5);
}

TEST(ObserverEffectOf, TooFewPairsGiveNothing) {
  EXPECT_FALSE(observer_effect({110, 110}, {100, 100}));
  EXPECT_FALSE(observer_effect({110, 110, 110}, {100, 100})) << "the third has no pair";
  EXPECT_FALSE(observer_effect({110, 110, 110}, {100, 0, 100})) << "nothing is a multiple of nothing";
  EXPECT_TRUE(observer_effect({110, 110, 110}, {100, 100, 100}));
}

TEST(TraceNames, SourcesComeBackAndAreDistinct) {
  std::set<std::string_view> seen;
  for (int i = 0; i <= static_cast<int>(Source::model); ++i) {
    const auto which = static_cast<Source>(i);
    EXPECT_EQ(by_name<Source>(name(which)), which) << name(which);
    EXPECT_TRUE(seen.insert(name(which)).second);
  }
  EXPECT_EQ(name(Source::stamp), "stamp");
  EXPECT_EQ(name(Source::model), "model");
  EXPECT_FALSE(by_name<Source>("Stamp"));
  EXPECT_FALSE(by_name<Source>(""));
}

TEST(TraceNames, ReasonsComeBackAndAreDistinct) {
  std::set<std::string_view> seen;
  for (int i = 0; i <= static_cast<int>(WaitReason::gate); ++i) {
    const auto which = static_cast<WaitReason>(i);
    EXPECT_EQ(by_name<WaitReason>(name(which)), which) << name(which);
    EXPECT_TRUE(seen.insert(name(which)).second);
  }
  EXPECT_EQ(name(WaitReason::legacy), "legacy");
  EXPECT_EQ(name(WaitReason::unknown), "unknown");
  EXPECT_FALSE(by_name<WaitReason>("engines"));
}

TEST(TraceNames, MeasuredAndModelAreNamed) {
  EXPECT_EQ(name(Provenance::Kind::measured), "measured");
  EXPECT_EQ(name(Provenance::Kind::model), "model");
  EXPECT_EQ(badge(Provenance::Kind::measured), "MEASURED");
  EXPECT_EQ(badge(Provenance::Kind::model), "MODEL");
}

}  // namespace
}  // namespace streamscope::trace
