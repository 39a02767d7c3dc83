// The depth of a stream's launch queue.
#include "app/timeline/queue_depth.h"

#include <gtest/gtest.h>

#include <algorithm>

#include "app/timeline/layout.h"
#include "tests/app/timeline/layout_fixture.h"
#include "tests/engine/verdict/judged.h"

namespace streamscope::timeline {
namespace {

const char* const kText =
    "stream A nonblocking\nstream B nonblocking\nrepeat 200 {\n  A: spin 20us\n}\nB: spin 1us\nhost: sync device\n";

TEST(QueueDepth, CountsWhatWasGivenAndIsNotOver) {
  const auto run = verdict::judged(kText);
  const std::vector<QueueDepth> queues = queue_depths(*run->history);
  ASSERT_EQ(queues.size(), 1u);  // what is not deep is left out
  const QueueDepth& queue = queues.front();
  EXPECT_EQ(queue.depth.back(), 0u);
  const Nanoseconds end = queue.at.back();
  for (Nanoseconds from = 0; from < end; from += end / 37) {
    for (const Nanoseconds length : {Nanoseconds{1}, end / 1000, end / 3}) {
      std::uint32_t most = 0;
      for (std::size_t i = 0; i < queue.at.size(); ++i) {
        const Nanoseconds until = i + 1 < queue.at.size() ? queue.at[i + 1] : end + length;
        if (queue.at[i] < from + length && until > from) most = std::max(most, queue.depth[i]);
      }
      EXPECT_EQ(depth_in(queue, from, from + length), most) << from << " for " << length;
    }
  }
  EXPECT_EQ(depth_in(queue, 0, end), queue.deepest);
}

class QueueLine : public LayoutTest {};

TEST_F(QueueLine, IsDrawnInItsStreamWhereItIsAskedFor) {
  VerdictMarks marks;
  const auto stream = std::ranges::find(shown.tracks, TrackKind::stream, &Track::kind);
  marks.queues = {{.stream = stream->id, .at = {0, shown.end}, .depth = {4, 0}, .deepest = 4, .most = {}}};
  options.verdict = std::make_shared<VerdictMarks>(marks);
  draw();
  const std::size_t without = scene.rectangles.size();
  options.queues = true;
  draw();
  EXPECT_GT(scene.rectangles.size(), without);
}

}  // namespace
}  // namespace streamscope::timeline
