// The whole run in a narrow strip.
#include "app/timeline/overview.h"

#include "tests/app/timeline/layout_fixture.h"

namespace streamscope::timeline {
namespace {

class Overviews : public LayoutTest {
 protected:
  Overviews() { options_.width = 900, options_.height = 30, options_.plot_x = 100; }
  OverviewOptions options_;
};

TEST_F(Overviews, ShowsEachEngineInARowOfItsOwn) {
  scene = overview(shown, theme(ThemeName::dark), options_);
  for (const OperationKind kind : {OperationKind::h2d, OperationKind::kernel, OperationKind::d2h}) {
    int top = 1000, bottom = 0;
    for (const Rectangle& r : scene.rectangles) {
      EXPECT_GE(r.x0, options_.plot_x);
      EXPECT_LE(r.x1, options_.width);
      EXPECT_LE(r.y1, options_.height);
      if (r.colour == colour(kind)) top = std::min(top, r.y0), bottom = std::max(bottom, r.y1);
    }
    EXPECT_LE(bottom - top, options_.height / 3) << static_cast<int>(kind);
    EXPECT_GE(bottom - top, 3) << static_cast<int>(kind);
  }
}

TEST_F(Overviews, WithoutEnginesItShowsStreamsElseTheHost) {
  std::erase_if(shown.tracks, [](const Track& track) { return track.kind == TrackKind::engine; });
  EXPECT_GT(overview(shown, theme(ThemeName::dark), options_).rectangles.size(), 10u);
  std::erase_if(shown.tracks, [](const Track& track) { return track.kind == TrackKind::stream; });
  EXPECT_GT(overview(shown, theme(ThemeName::dark), options_).rectangles.size(), 1u);
}

TEST_F(Overviews, TheFrameIsWhatTheTimelineHasInSight) {
  const View whole = overview_view(shown, options_);
  const View near = fit(1'000'000, 2'000'000, 1200);
  const Pixels frame = in_sight(whole, near, 1200);
  EXPECT_NEAR(static_cast<double>(frame.x0), static_cast<double>(column(whole, time_at(near, 0))), 1);
  EXPECT_NEAR(static_cast<double>(frame.x1), static_cast<double>(column(whole, time_at(near, 1200))), 1);
}

TEST_F(Overviews, OfNothingIsNothing) {
  const trace::Trace none;
  EXPECT_LE(overview(tracks(none), theme(ThemeName::dark), options_).rectangles.size(), 1u);
  options_.width = 50;
  EXPECT_TRUE(overview(shown, theme(ThemeName::dark), options_).rectangles.empty());
}

}  // namespace
}  // namespace streamscope::timeline
