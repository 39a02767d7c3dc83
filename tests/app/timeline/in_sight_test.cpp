// A selected operation comes into sight when its rows are scrolled away, and nothing moves when they are not.
#include "app/timeline/in_sight.h"

#include "tests/app/timeline/layout_fixture.h"

namespace streamscope::timeline {
namespace {

class InSight : public LayoutTest {
 protected:
  // Room for a few rows only.
  InSight() { options.height = 160; }
  // Whether a lane of the operation is wholly in sight.
  bool sees(OperationIndex operation, int scroll) {
    const std::vector<Strip> all = strips(shown, options);
    const TrackArea area = scrolled_area(all, options);
    const int row = metrics(options).row;
    const std::vector<LanePosition> lanes = lanes_of(run.trace, shown, operation);
    return std::any_of(lanes.begin(), lanes.end(), [&](const LanePosition& one) {
      return std::any_of(all.begin(), all.end(), [&](const Strip& strip) {
        const int y0 = strip.y0 + static_cast<int>(one.lane) * row - scroll;
        return strip.track == one.track && y0 >= area.top && y0 + row <= area.bottom;
      });
    });
  }
};

TEST_F(InSight, AnOperationScrolledAwayComesBackAndNoFurtherThanNeeded) {
  // The last one's stream is the lowest.
  const OperationIndex last = run.trace.spans.back().operation;
  const int far = 10'000;
  for (const int from : {0, far}) {
    const int to = scroll_to_operation(run.trace, shown, options, last, from);
    EXPECT_TRUE(sees(last, to)) << "from " << from;
    EXPECT_EQ(scroll_to_operation(run.trace, shown, options, last, to), to) << "it is in sight";
  }
  EXPECT_FALSE(sees(last, far));
}

// More kernels at once than there are rows: each has a lane of its own, and no track is wholly in sight.
TEST_F(InSight, InATrackTallerThanThePictureTheLaneCounts) {
  OperationIndex last = 0;
  for (int i = 0; i < 30; ++i) last = add_kernel(1'000, 2'000'000);
  shown = tracks(run.trace);
  const int row = metrics(options).row;
  const int there = scroll_to_operation(run.trace, shown, options, last, 0);
  EXPECT_TRUE(sees(last, there));
  // Pressed where a part of it is in sight, it stays under the mouse.
  for (const int by : {-row / 2, row / 2})
    EXPECT_EQ(scroll_to_operation(run.trace, shown, options, last, there + by), there + by);
}

TEST_F(InSight, AnOperationOutOfTheViewComesIntoItsMiddleAtTheSameZoom) {
  constexpr int kWidth = 1'000;
  trace::Span span = run.trace.spans.front();
  span.host_begin = 1'000, span.host_end = 2'000, span.start = 500'000, span.end = 520'000;
  const View before = fit(100'000, 200'000, kWidth);
  const auto there = view_to_operation(span, before, kWidth);
  ASSERT_TRUE(there);
  EXPECT_EQ(there->scale, before.scale);
  const std::int64_t from = column(*there, span.start), to = column(*there, span.end);
  EXPECT_NEAR(static_cast<double>(from + to) / 2, kWidth / 2.0, 2);
  EXPECT_FALSE(view_to_operation(span, *there, kWidth)) << "it is in sight";
  EXPECT_FALSE(view_to_operation(span, fit(0, 3'000, kWidth), kWidth)) << "its call is";
  // Of one that is longer than the view the begin.
  span.end = 900'000;
  const auto begin = view_to_operation(span, before, kWidth);
  ASSERT_TRUE(begin);
  EXPECT_GE(column(*begin, span.start), 0);
  EXPECT_LT(column(*begin, span.start), kWidth / 2);
  span.start = span.host_begin = kAbsent;
  EXPECT_FALSE(view_to_operation(span, before, kWidth));
}

TEST_F(InSight, NothingMovesForWhatIsNotThere) {
  EXPECT_EQ(scroll_to_operation(run.trace, shown, options, kNoOperation, 70), 70);
  EXPECT_EQ(scroll_to_operation(run.trace, shown, options, 9'999, 70), 70);
}

}  // namespace
}  // namespace streamscope::timeline
