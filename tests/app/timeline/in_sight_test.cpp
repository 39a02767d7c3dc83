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

TEST_F(InSight, NothingMovesForWhatIsNotThere) {
  EXPECT_EQ(scroll_to_operation(run.trace, shown, options, kNoOperation, 70), 70);
  EXPECT_EQ(scroll_to_operation(run.trace, shown, options, 9'999, 70), 70);
}

}  // namespace
}  // namespace streamscope::timeline
