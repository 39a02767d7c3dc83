// The playhead over the tracks, and an instant in words.
#include "app/timeline/playhead.h"

#include <gmock/gmock.h>

#include "app/timeline/span_text.h"
#include "tests/app/timeline/layout_fixture.h"

namespace streamscope::timeline {
namespace {

using ::testing::HasSubstr;

class PlayheadTest : public LayoutTest {
 protected:
  void draw_at(Nanoseconds time, bool whole_view = true) {
    if (whole_view) draw();
    options.playhead = time;
    now = instant(run.trace, index, time);
    over = playhead_scene(run.trace, shown, view, theme(ThemeName::dark), options, &now);
  }
  // The uppermost of the rectangles of the picture over the other one; nothing: the other one is seen.
  std::optional<Colour> over_at(int x, int y) const {
    std::optional<Colour> out;
    for (const Rectangle& r : over.rectangles)
      if (r.x0 <= x && x < r.x1 && r.y0 <= y && y < r.y1) out = r.colour;
    return out;
  }

  InstantIndex index{run.trace};
  Instant now;
  Scene over;
  Colour ink = theme(ThemeName::dark).playhead;
};

TEST_F(PlayheadTest, IsALineThroughAllTracksWithItsTimeInTheAxis) {
  draw_at(1'500'000);
  for (const char* track : {"main", "S0", "S3", "Compute"})
    EXPECT_EQ(over_at(x_of(1'500'000), row_of(track)), ink) << track;
  ASSERT_FALSE(over.texts.empty());
  EXPECT_EQ(over.texts.back().text, "1.5 ms");
  EXPECT_EQ(over.background.a, 0) << "what lies under it is seen";
  // The same line in a picture that is drawn once.
  redraw();
  EXPECT_EQ(at(x_of(1'500'000), row_of("S0")), ink);
  EXPECT_NE(text("1.5 ms"), nullptr);
}

TEST_F(PlayheadTest, OutOfSightDrawsNeitherLineNorPlate) {
  draw();
  view = panned(view, 5000);
  draw_at(1'500'000, false);
  EXPECT_TRUE(over.texts.empty());
  for (const Rectangle& r : over.rectangles) EXPECT_NE(r.colour, ink);
}

TEST_F(PlayheadTest, DimsWhatIsOverAndFramesWhatIsRunning) {
  const trace::Span& second = run.trace.spans[3];  // the second copy in, of the second stream
  const Nanoseconds middle = (second.start + second.end) / 2;
  draw_at(middle);
  const int row = row_of("H2D engine"), before = x_of(second.start - 50'000), in_it = x_of(second.start) + 8;
  const auto dimmed = over_at(before, row);
  EXPECT_EQ(dimmed, mixed(colour(OperationKind::h2d), scene.background, 0.35F));
  EXPECT_FALSE(over_at(in_it, row)) << "what is running keeps its colours";
  EXPECT_FALSE(over_at(x_of(second.end) + 20, row)) << "and so does what is to come";
  bool framed = false;
  for (int y = row - 20; y < row; ++y) framed |= over_at(in_it, y) == ink;
  EXPECT_TRUE(framed);
}

double luminance_of(Colour of) {
  const auto linear = [](std::uint8_t channel) {
    const double value = channel / 255.0;
    return value <= 0.03928 ? value / 12.92 : std::pow((value + 0.055) / 1.055, 2.4);
  };
  return 0.2126 * linear(of.r) + 0.7152 * linear(of.g) + 0.0722 * linear(of.b);
}

TEST_F(PlayheadTest, NamesOfWhatIsOverCanStillBeRead) {
  draw();
  view = fit(0, 1'000'000, where.plot_width);
  redraw();
  draw_at(1'000'000, false);
  std::size_t names = 0;
  for (const Text& each : over.texts) {
    if (each.clip_x0 <= where.plot_x) continue;  // the playhead's own time
    const auto behind = over_at(static_cast<int>(each.x) + 1, static_cast<int>(each.y));
    ASSERT_TRUE(behind) << each.text;
    ASSERT_EQ(behind->a, 255) << each.text;
    const double a = luminance_of(each.colour) + 0.05, b = luminance_of(*behind) + 0.05;
    EXPECT_GE(std::max(a, b) / std::min(a, b), 4.4) << each.text;
    ++names;
  }
  EXPECT_GE(names, 2u);
}

TEST_F(PlayheadTest, ThreadsLeadFromWhatIsWaitedForToWhatWaits) {
  const trace::Span& third = run.trace.spans[6];  // ready, while the engine has the second copy
  ASSERT_EQ(third.reason, trace::WaitReason::engine);
  run.trace.spans[6].waits_for = 3;
  draw_at(third.start - 100'000);
  EXPECT_FALSE(over.lines.empty());
  draw_at(run.trace.spans.back().host_end);
  EXPECT_TRUE(over.lines.empty()) << "at the end nothing waits";
}

TEST_F(PlayheadTest, AnInstantIsPutIntoWords) {
  run.trace.spans[6].waits_for = 3;
  const trace::Span& third = run.trace.spans[6];
  const Nanoseconds time = third.start - 100'000;
  now = instant(run.trace, index, time);
  const auto found =
      std::find_if(now.waits.begin(), now.waits.end(), [](const Wait& each) { return each.operation == 6; });
  ASSERT_NE(found, now.waits.end());
  EXPECT_EQ(reason_text(run.trace, *found), "waits for S1: H2D #3 (H2D engine busy)");
  EXPECT_THAT(wait_text(run.trace, *found, third.ready + 132'000),
              "S2: H2D #6 waits for S1: H2D #3 (H2D engine busy), 132 us so far");
  Wait wait = *found;
  wait.on = 5;
  EXPECT_EQ(reason_text(run.trace, wait), "waits for S1: D2H #5 (the one copy engine busy)");
  wait.reason = trace::WaitReason::stream;
  wait.on = 5;
  EXPECT_EQ(reason_text(run.trace, wait), "waits for S1: D2H #5 before it");
  wait.on = kNoOperation;
  EXPECT_EQ(reason_text(run.trace, wait), "waits for the one before it");
  for (const trace::WaitReason each :
       {trace::WaitReason::none, trace::WaitReason::legacy, trace::WaitReason::event, trace::WaitReason::gate,
        trace::WaitReason::graph, trace::WaitReason::queue, trace::WaitReason::host, trace::WaitReason::unknown}) {
    wait.reason = each;
    EXPECT_THAT(wait_text(run.trace, wait, time), HasSubstr("S2: H2D #6 ")) << trace::name(each);
  }
}

}  // namespace
}  // namespace streamscope::timeline
