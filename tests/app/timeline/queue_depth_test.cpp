// The depth of a stream's launch queue.
#include "app/timeline/queue_depth.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <tuple>

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

TEST_F(QueueLine, StaysBelowTheWordsOfBars) {
  VerdictMarks marks;
  const auto stream = std::ranges::find(shown.tracks, TrackKind::stream, &Track::kind);
  marks.queues = {{.stream = stream->id, .at = {0, shown.end}, .depth = {4, 0}, .deepest = 4, .most = {}}};
  options.verdict = std::make_shared<VerdictMarks>(marks);
  for (const float scale : {1.0F, 1.5F, 2.0F}) {
    options.scale = scale;
    options.queues = false;
    draw();
    const auto same = [](const Rectangle& a, const Rectangle& b) {
      return std::tie(a.x0, a.y0, a.x1, a.y1) == std::tie(b.x0, b.y0, b.x1, b.y1) && a.colour == b.colour;
    };
    const std::vector<Rectangle> bars = scene.rectangles;
    const int middle = row_of(stream->name);
    options.queues = true;
    draw();
    int highest = options.height;
    for (const Rectangle& each : scene.rectangles)
      if (std::ranges::none_of(bars, [&](const Rectangle& bar) { return same(bar, each); }))
        highest = std::min(highest, each.y0);
    ASSERT_LT(highest, options.height);
    std::size_t words = 0;
    for (const Text& each : scene.texts) {
      if (each.x < static_cast<float>(where.plot_x) || std::abs(each.y - static_cast<float>(middle)) > each.size)
        continue;
      ++words;
      // Capitals and figures stand in the middle 0.75 of a letter's height.
      EXPECT_LE(each.y + each.size * 0.375F, static_cast<float>(highest)) << each.text << " at scale " << scale;
    }
    EXPECT_GT(words, 0u);
  }
}

}  // namespace
}  // namespace streamscope::timeline
