#include "app/timeline/whiskers.h"

#include <algorithm>
#include <vector>

#include "tests/app/timeline/layout_fixture.h"

namespace streamscope::timeline {
namespace {

// A copy's two ends are known to 4.2 us; nothing else has whiskers.
class Whiskers : public LayoutTest {
 protected:
  Whiskers() {
    for (trace::Span& each : run.trace.spans)
      each.start_uncertainty = each.uncertainty = each.operation == 0 ? 4'200 : 0;
    shown = tracks(run.trace);
  }
  // So that a microsecond takes so many pixels.
  void zoom(double pixels, Nanoseconds at) {
    where = frame(shown, options);
    view = {at * kFine, static_cast<std::int64_t>(1'000 * kFine / pixels)};
    redraw();
  }
  // Thin solid rectangles in the whiskers' colour that lie level: one for each whisker in a row of the picture.
  std::vector<Rectangle> level() const {
    std::vector<Rectangle> out;
    for (const Rectangle& r : scene.rectangles)
      if (r.colour == theme(ThemeName::dark).strong_text && r.y1 - r.y0 == 1) out.push_back(r);
    return out;
  }
};

TEST_F(Whiskers, AreNotThereWhereTheyWouldBeShorterThanThreePixels) {
  draw();
  EXPECT_TRUE(level().empty());
  zoom(0.7, 0);
  EXPECT_TRUE(level().empty());
}

TEST_F(Whiskers, SpanTheUncertaintyOnStreamAndEngineAtHighZoom) {
  zoom(4, 0);
  const std::vector<Rectangle> all = level();
  ASSERT_EQ(all.size(), 4u) << "start and end, on the stream and on its engine";
  const trace::Span& copy = run.trace.spans[0];
  const auto at = [&](Nanoseconds time) { return where.plot_x + static_cast<int>(column(view, time)); };
  for (const std::size_t i : {0u, 2u}) {
    EXPECT_EQ(all[i].x0, std::max(where.plot_x, at(copy.start - 4'200)));
    EXPECT_EQ(all[i].x1, at(copy.start + 4'200) + 1);
    EXPECT_EQ(all[i + 1].x0, at(copy.end - 4'200));
    EXPECT_EQ(all[i + 1].x1, at(copy.end + 4'200) + 1);
    EXPECT_LT(all[i].y0, all[i + 1].y0) << "the start's above, the end's below";
  }
}

TEST_F(Whiskers, AreNotThereWhereTheyWouldHideTheBarUnlessItIsAskedFor) {
  run.trace.spans[0].uncertainty = run.trace.spans[0].start_uncertainty = 100'000;  // of a bar of 302 us
  shown = tracks(run.trace);
  zoom(2, 0);
  EXPECT_TRUE(level().empty());
  options.selected = 0;
  redraw();
  EXPECT_EQ(level().size(), 4u);
  options.selected = kNoOperation;
  options.hovered = 0;
  redraw();
  EXPECT_EQ(level().size(), 4u);
}

TEST_F(Whiskers, OfASampledTraceShowTheSpreadLighter) {
  const auto bands = [&] {
    return std::count_if(scene.rectangles.begin(), scene.rectangles.end(), [](const Rectangle& r) {
      Colour ink = theme(ThemeName::dark).strong_text;
      ink.a = r.colour.a;
      return r.colour == ink && ink.a < 128;
    });
  };
  run.trace.spans[0].spread = 3'000;
  zoom(4, 0);
  EXPECT_EQ(bands(), 0) << "of one run there is no spread";
  run.trace.spans[0].samples = 5;
  redraw();
  EXPECT_EQ(bands(), 2) << "on the stream and on the engine";
}

TEST_F(Whiskers, StayWithinThePlot) {
  options.height = 220;
  options.scroll = 30;
  for (const Nanoseconds at : {0, 5'000, 280'000, 305'000}) {
    zoom(20, at);
    for (const Rectangle& r : level()) {
      EXPECT_GE(r.x0, where.plot_x);
      EXPECT_LE(r.x1, where.plot_x + where.plot_width);
    }
  }
}

}  // namespace
}  // namespace streamscope::timeline
