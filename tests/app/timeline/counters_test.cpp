// Counters as rows below the tracks, and arrows that a trace's own file has.
#include "app/timeline/counters.h"

#include "tests/app/timeline/layout_fixture.h"

namespace streamscope::timeline {
namespace {

TEST(Counters, AValueHoldsUntilTheNextAndAColumnShowsItsLargest) {
  const CounterRow row = counter_row("memory", {100, 200, 250}, {5, 9, 2});
  EXPECT_EQ(value_in(row, 0, 100), std::nullopt) << "nothing is known before the first";
  EXPECT_EQ(value_in(row, 100, 101), 5);
  EXPECT_EQ(value_in(row, 150, 160), 5);
  EXPECT_EQ(value_in(row, 150, 300), 9);
  EXPECT_EQ(value_in(row, 1000, 2000), 2);
  EXPECT_EQ(row.most, 9);
  EXPECT_EQ(counter_row("below", {0}, {-3}).least, -3);
}

class DrawnCounters : public LayoutTest {
 protected:
  // How tall the row is at that column, in pixels.
  int height_at(int x) const {
    int out = 0;
    for (int y = 0; y < scene.height; ++y) out += at(x, y) == theme(ThemeName::dark).faint_text ? 1 : 0;
    return out;
  }
};

TEST_F(DrawnCounters, AreRowsBelowTheTracksWhichKeepTheRest) {
  draw();
  const int without = track_area(options).bottom;
  const Nanoseconds third = (shown.end - shown.begin) / 3;
  const std::vector<CounterRow> rows{counter_row("memory", {shown.begin + third, shown.begin + 2 * third}, {100, 50})};
  options.counters = &rows;
  redraw();
  EXPECT_LT(track_area(options).bottom, without);
  EXPECT_NE(text("memory"), nullptr);
  EXPECT_NE(text("100"), nullptr) << "what its full height stands for";
  const int before = height_at(x_of(shown.begin + third / 2)), high = height_at(x_of(shown.begin + third * 3 / 2)),
            low = height_at(x_of(shown.begin + third * 5 / 2));
  EXPECT_EQ(before, 0);
  EXPECT_GT(high, 10);
  EXPECT_NEAR(low, high / 2, 1);
}

TEST_F(DrawnCounters, TakeAThirdOfThePictureAtMost) {
  const std::vector<CounterRow> rows(100, counter_row("many", {0}, {1}));
  options.counters = &rows;
  EXPECT_LE(counters_height(options), options.height / 3);
  EXPECT_GT(counters_height(options), 0);
}

TEST_F(DrawnCounters, ArrowsOfTheFileLeadToTheSelectionAndFromIt) {
  options.selected = 3;
  draw();
  const std::size_t plain = scene.lines.size();
  options.led_here = {0};
  options.led_on = {4};
  redraw();
  EXPECT_GT(scene.lines.size(), plain + 1);
}

}  // namespace
}  // namespace streamscope::timeline
