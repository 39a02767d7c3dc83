// Predicted bars under measured ones.
#include <gmock/gmock.h>

#include <algorithm>

#include "app/timeline/hit.h"
#include "app/timeline/layout.h"
#include "app/timeline/rows.h"
#include "tests/support/timeline_run.h"

namespace streamscope::timeline {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;

// One copy, measured from 100 to 200 us and predicted from 50 to 120 us.
class Ghosts : public ::testing::Test {
 protected:
  Ghosts() {
    measured = testing::pipeline_run({.streams = 1, .chunks = 1}).trace;
    predicted = measured;
    predicted.provenance = testing::model_provenance();
    measured.spans[0].start = 100'000;
    measured.spans[0].end = 200'000;
    predicted.spans[0].start = 50'000;
    predicted.spans[0].end = 120'000;
    options.width = 1200;
    options.height = 400;
    options.ghost = "h200";
  }
  void draw() {
    shown = tracks(measured, predicted);
    where = frame(shown, options);
    view = fit(shown.begin, shown.end, where.plot_width);
    scene = layout(measured, shown, view, theme(ThemeName::dark), options);
  }
  Colour at(int x, int y) const {
    Colour out = scene.background;
    for (const Rectangle& r : scene.rectangles)
      if (r.x0 <= x && x < r.x1 && r.y0 <= y && y < r.y1 && r.fill == Fill::solid) out = r.colour;
    return out;
  }
  int x_of(Nanoseconds time) const { return where.plot_x + static_cast<int>(column(view, time)); }
  int top_of(const std::string& track) const {
    for (const Strip& strip : strips(shown, options))
      if (strip.track != Strip::kNone && shown.tracks[strip.track].name == track) return strip.y0;
    return -1;
  }

  trace::Trace measured, predicted;
  Tracks shown;
  LayoutOptions options;
  Frame where;
  View view;
  Scene scene;
};

TEST_F(Ghosts, LieUnderTheirBarsPalerAndLower) {
  draw();
  const Metrics m = metrics(options);
  ASSERT_GT(m.ghost, 0);
  const Colour bar = colour(OperationKind::h2d);
  for (const char* track : {"S0", "H2D engine"}) {
    const int top = top_of(track), upper = top + m.inset + 2, lower = top + m.row - m.inset - m.ghost / 2;
    EXPECT_EQ(at(x_of(150'000), upper), bar) << track;
    EXPECT_NE(at(x_of(70'000), upper), bar) << track;
    const Colour ghost = at(x_of(70'000), lower);
    EXPECT_EQ(ghost, mixed(bar, theme(ThemeName::dark).background, 0.62F)) << track;
    EXPECT_EQ(at(x_of(110'000), lower), ghost) << "also under the bar";
    EXPECT_NE(at(x_of(150'000), lower), ghost) << track;
  }
}

TEST_F(Ghosts, TakeNoRoomWhereTheyAreNotAsked) {
  options.ghost.clear();
  draw();
  EXPECT_EQ(metrics(options).ghost, 0);
  const Tracks without = tracks(measured);
  const Scene plain = layout(measured, without, view, theme(ThemeName::dark), options);
  ASSERT_EQ(plain.rectangles.size(), scene.rectangles.size());
  EXPECT_EQ(plain.texts.size(), scene.texts.size());
}

TEST_F(Ghosts, TheBadgeNamesBothSources) {
  draw();
  std::string all;
  for (const Text& text : scene.texts) all += text.text + "\n";
  EXPECT_THAT(all, HasSubstr("MEASURED\n"));
  EXPECT_THAT(all, HasSubstr("MODEL\n"));
  EXPECT_THAT(all, HasSubstr("ghost: profile h200\n"));
}

TEST_F(Ghosts, AreHitAsTheSameOperation) {
  draw();
  const Metrics m = metrics(options);
  const int top = top_of("S0"), lower = top + m.row - m.inset - m.ghost / 2;
  const auto ghost = hit(measured, shown, view, options, x_of(70'000), lower);
  ASSERT_TRUE(ghost);
  EXPECT_EQ(ghost->operation, 0u);
  EXPECT_TRUE(ghost->ghost);
  const auto bar = hit(measured, shown, view, options, x_of(150'000), top + m.inset + 2);
  ASSERT_TRUE(bar);
  EXPECT_FALSE(bar->ghost);
  const auto none = hit(measured, shown, view, options, x_of(150'000), lower);
  EXPECT_FALSE(none);
}

// Two kernels at once in the prediction, one after the other in the run; and an engine that only the model used.
TEST_F(Ghosts, HaveLanesOfTheirOwnWhereTheRunHasFewer) {
  measured = testing::pipeline_run({.streams = 2, .chunks = 2}).trace;
  predicted = measured;
  for (const std::size_t kernel : {1u, 4u}) {
    predicted.spans[kernel].start = 700'000;
    predicted.spans[kernel].end = 800'000;
  }
  for (trace::Span& span : measured.spans)
    if (span.engine == Engine::d2h) span.engine = Engine::h2d;
  draw();
  std::vector<std::string> names;
  for (const Track& track : shown.tracks) {
    names.push_back(track.name);
    EXPECT_LE(track.ghosts.size(), track.executing.size()) << track.name;
  }
  EXPECT_THAT(names, ElementsAre("main", "S0", "S1", "H2D engine", "D2H engine", "Compute"));
  EXPECT_EQ(shown.tracks.back().ghosts.size(), 2u);
  EXPECT_EQ(shown.tracks.back().executing.size(), 2u);
  EXPECT_EQ(shown.tracks[4].executing.size(), 1u);
  EXPECT_TRUE(shown.tracks[4].executing[0].empty());
  for (const Rectangle& r : scene.rectangles) EXPECT_TRUE(r.x0 < r.x1 && r.y0 < r.y1);
}

TEST_F(Ghosts, TheViewHoldsBoth) {
  predicted.spans.back().host_end += 5'000'000;
  draw();
  EXPECT_EQ(shown.end, predicted.spans.back().host_end);
  EXPECT_EQ(tracks(measured, trace::Trace{}).end, tracks(measured).end);
}

}  // namespace
}  // namespace streamscope::timeline
