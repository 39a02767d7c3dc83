#include "app/timeline/view.h"

#include <gtest/gtest.h>

#include <limits>

namespace streamscope::timeline {
namespace {

constexpr View kPerNanosecond{0, kFine};
constexpr View kTenAPixel{0, 10 * kFine};

TEST(Pixels, OfASpanAreFloorOfStartToCeilingOfEnd) {
  EXPECT_EQ(pixels(kTenAPixel, 0, 10), (Pixels{0, 1}));
  EXPECT_EQ(pixels(kTenAPixel, 0, 11), (Pixels{0, 2}));
  EXPECT_EQ(pixels(kTenAPixel, 9, 10), (Pixels{0, 1}));
  EXPECT_EQ(pixels(kTenAPixel, 9, 11), (Pixels{0, 2}));
  EXPECT_EQ(pixels(kTenAPixel, 10, 20), (Pixels{1, 2}));
}

TEST(Pixels, OfAnEmptySpanAreOne) {
  EXPECT_EQ(pixels(kTenAPixel, 0, 0), (Pixels{0, 1}));
  EXPECT_EQ(pixels(kTenAPixel, 9, 9), (Pixels{0, 1}));
  EXPECT_EQ(pixels(kTenAPixel, 10, 10), (Pixels{1, 2}));
}

TEST(Pixels, LeftOfTheOriginRoundDownToo) {
  EXPECT_EQ(pixels(kTenAPixel, -1, 0), (Pixels{-1, 0}));
  EXPECT_EQ(pixels(kTenAPixel, -11, -9), (Pixels{-2, 0}));
  EXPECT_EQ(column(kTenAPixel, -1), -1);
}

TEST(Pixels, AreSmallerThanANanosecondWhenZoomedIn) {
  EXPECT_EQ(pixels({0, kSmallestScale}, 1, 2), (Pixels{64, 128}));
  EXPECT_EQ(pixels({kFine / 2, kSmallestScale}, 1, 2), (Pixels{32, 96}));
}

TEST(Pixels, OfTimesOutOfAllReasonStayFinite) {
  constexpr Nanoseconds kMost = std::numeric_limits<Nanoseconds>::max();
  const Pixels all = pixels({kFurthest * kFine, kSmallestScale}, -kMost, kMost);
  EXPECT_LT(all.x0, all.x1);
  EXPECT_LT(pixels({-kFurthest * kFine, kLargestScale}, kAbsent, kMost).x0,
            pixels({-kFurthest * kFine, kLargestScale}, kAbsent, kMost).x1);
}

TEST(TimeAt, IsTheTimeAtTheLeftEdgeOfAColumn) {
  EXPECT_EQ(time_at(kTenAPixel, 3), 30);
  EXPECT_EQ(time_at(kTenAPixel, 3.5), 35);
  EXPECT_EQ(time_at(kTenAPixel, -1), -10);
  EXPECT_EQ(time_at({0, kSmallestScale}, 63), 0);
  EXPECT_EQ(time_at({0, kSmallestScale}, 64), 1);
}

TEST(TimeAt, AndColumnAgreeFarFromTheOrigin) {
  const View far{1'000'000'000'000'123 * kFine + 5, 7 * kFine + 3};
  for (int x = 0; x < 3000; ++x) {
    // time_at is the last whole nanosecond that is not right of the column's left edge.
    EXPECT_LE(column(far, time_at(far, x)), x);
    EXPECT_EQ(column(far, time_at(far, x) + 1), x);
  }
}

TEST(Fit, ShowsTheIntervalWithAMarginOfTwoPerCent) {
  const View view = fit(1'000'000, 2'000'000, 1000);
  EXPECT_EQ(view.scale, 1040 * kFine);
  const Pixels shown = pixels(view, 1'000'000, 2'000'000);
  EXPECT_NEAR(static_cast<double>(shown.x0), 20, 2);
  EXPECT_NEAR(static_cast<double>(shown.x1), 980, 2);
}

TEST(Fit, OfNothingIsTheSmallestScaleAroundIt) {
  const View view = fit(500, 500, 640);
  EXPECT_EQ(view.scale, kSmallestScale);
  EXPECT_EQ(column(view, 500), 320);
}

TEST(Fit, OfAllTimesAndNoWidthIsStillAView) {
  for (const int width : {-5, 0, 1, 65535}) {
    const View view = fit(kAbsent, std::numeric_limits<Nanoseconds>::max(), width);
    EXPECT_GE(view.scale, kSmallestScale);
    EXPECT_LE(view.scale, kLargestScale);
  }
}

TEST(Zoom, KeepsTheTimeUnderTheCursor) {
  View view = fit(0, 18'000'000, 1280);
  const Nanoseconds before = time_at(view, 777.5);
  for (int i = 0; i < 40; ++i) view = zoomed(view, 1.25, 777.5);
  for (int i = 0; i < 40; ++i) view = zoomed(view, 0.8, 777.5);
  EXPECT_NEAR(static_cast<double>(time_at(view, 777.5)), static_cast<double>(before), 2);
}

TEST(Zoom, MovesAtEverySmallStepUntilTheLimits) {
  View view{0, kSmallestScale};
  EXPECT_EQ(zoomed(view, 1.01, 0).scale, kSmallestScale);
  for (int i = 0; i < 20; ++i) {
    const View next = zoomed(view, 0.999, 100);
    EXPECT_GT(next.scale, view.scale);
    view = next;
  }
  EXPECT_EQ(zoomed({0, kLargestScale}, 0.5, 100).scale, kLargestScale);
  EXPECT_EQ(zoomed({0, kLargestScale}, 1e300, 100).scale, kSmallestScale);
}

TEST(Zoom, ByNonsenseChangesNothing) {
  const View view{77, 1000};
  for (const double factor : {0.0, -1.0, std::numeric_limits<double>::quiet_NaN()}) {
    EXPECT_EQ(zoomed(view, factor, 5).scale, 1000);
    EXPECT_EQ(zoomed(view, factor, 5).origin, 77);
  }
}

TEST(Pan, ToTheRightMovesTheContentLeft) {
  const View view = panned(kTenAPixel, 100);
  EXPECT_EQ(column(view, 1500), column(kTenAPixel, 1500) - 100);
  EXPECT_EQ(panned(view, -100).origin, kTenAPixel.origin);
}

TEST(Pan, StopsWhereTimeStops) {
  View view{0, kLargestScale};
  for (int i = 0; i < 1000; ++i) view = panned(view, 1e300);
  EXPECT_EQ(view.origin, kFurthest * kFine);
}

}  // namespace
}  // namespace streamscope::timeline
