// Intervals on the axis: measured, marked, the range of the statistics.
#include "tests/app/timeline/layout_fixture.h"

namespace streamscope::timeline {
namespace {

using Intervals = LayoutTest;

TEST_F(Intervals, AMarkTellsItsLengthOnAPlateInTheAxis) {
  options.marks = {{1'000'000, 1'500'000}, {3'000'000, 3'250'000}};
  draw();
  ASSERT_NE(text("500 us"), nullptr);
  ASSERT_NE(text("250 us"), nullptr);
  EXPECT_NEAR(text("500 us")->x, static_cast<float>(x_of(1'000'000) + x_of(1'500'000)) / 2, 2);
}

TEST_F(Intervals, WherePlatesWouldLieOnEachOtherTheMeasuredOneStays) {
  options.marks = {{1'000'000, 1'500'000}};
  options.measured = {1'000'000, 1'400'000};
  draw();
  EXPECT_NE(text("400 us"), nullptr);
  EXPECT_EQ(text("500 us"), nullptr);
}

TEST_F(Intervals, OutsideOfTheRangeIsDimmedInsideIsNot) {
  options.range = trace::Interval{2'000'000, 4'000'000};
  draw();
  ASSERT_NE(text("range 2 ms"), nullptr);
  const auto dimmed = [&](Nanoseconds time) {
    const int x = x_of(time), y = row_of("S0");
    return std::any_of(scene.rectangles.begin(), scene.rectangles.end(), [&](const Rectangle& r) {
      return r.x0 <= x && x < r.x1 && r.y0 <= y && y < r.y1 && r.colour.a > 100 && r.colour.a < 255;
    });
  };
  EXPECT_TRUE(dimmed(1'000'000));
  EXPECT_FALSE(dimmed(3'000'000));
  EXPECT_TRUE(dimmed(4'900'000));
}

TEST_F(Intervals, OutOfSightTheyAreNotDrawn) {
  options.marks = {{1'000'000, 1'500'000}};
  draw();
  view = fit(3'000'000, 4'000'000, where.plot_width);
  redraw();
  EXPECT_EQ(text("500 us"), nullptr);
}

}  // namespace
}  // namespace streamscope::timeline
