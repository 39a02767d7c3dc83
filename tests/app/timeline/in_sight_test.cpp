// A selected operation comes into sight when its rows are scrolled away, and nothing moves when they are not.
#include "app/timeline/in_sight.h"

#include "tests/app/timeline/layout_fixture.h"

namespace streamscope::timeline {
namespace {

class InSight : public LayoutTest {
 protected:
  // Room for a few rows only.
  InSight() { options.height = 160; }
  // Whether a strip of the operation's tracks is wholly in sight.
  bool sees(OperationIndex operation, int scroll) {
    const std::vector<Strip> all = strips(shown, options);
    const TrackArea area = scrolled_area(all, options);
    const std::vector<LanePosition> lanes = lanes_of(run.trace, shown, operation);
    return std::any_of(all.begin(), all.end(), [&](const Strip& strip) {
      return strip.y0 - scroll >= area.top && strip.y1 - scroll <= area.bottom &&
             std::any_of(lanes.begin(), lanes.end(), [&](const LanePosition& one) { return one.track == strip.track; });
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

TEST_F(InSight, NothingMovesForWhatIsNotThere) {
  EXPECT_EQ(scroll_to_operation(run.trace, shown, options, kNoOperation, 70), 70);
  EXPECT_EQ(scroll_to_operation(run.trace, shown, options, 9'999, 70), 70);
}

}  // namespace
}  // namespace streamscope::timeline
