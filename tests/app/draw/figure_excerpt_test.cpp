// A figure of a part of a run: the view, the interval and the tracks that it is asked for.
#include <gtest/gtest.h>

#include <algorithm>
#include <string>

#include "app/draw/excerpt.h"
#include "app/draw/figure.h"
#include "tests/app/draw/picture_text.h"
#include "tests/support/stages_run.h"
#include "tests/support/timeline_run.h"

namespace streamscope::draw {
namespace {

TEST(Figure, ShowsTheViewItIsGiven) {
  FigureOptions options;
  options.view = timeline::View{0, 100 * timeline::kFine};
  const std::string text = all_text(figure(testing::pipeline_run({}), options));
  EXPECT_NE(text.find("100 us"), std::string::npos);
  EXPECT_EQ(text.find("5.0 ms"), std::string::npos);
}

TEST(Figure, ShowsTheIntervalAndTheTracksItIsAskedForAndSaysSo) {
  const auto run = testing::pipeline_run({});
  FigureOptions options;
  options.interval = trace::Interval{1'200'000, 3'000'000};
  options.tracks = {"s1", "engines"};
  options.title = "A title of my own";
  options.caption = "Words of my own\nin two lines";
  const timeline::Scene scene = figure(run, options);
  expect_all_inside(scene);
  const std::string text = all_text(scene);
  for (const char* what : {"A title of my own\n", "Words of my own\n", "in two lines\n", "256 MiB in chunks",
                           "1.20 ms to 3.00 ms, of a run of 5.4", "4 of 8 tracks", "of the whole run", "\nS1\n",
                           "H2D engine", "copy H2D", "MEASURED"})
    EXPECT_NE(text.find(what), std::string::npos) << what << " in\n" << text;
  for (const char* what : {"Four streams", "\nS0\n", "\nmain\n", "host call", "\n3.5 ms\n", "\n1.0 ms\n"})
    EXPECT_EQ(text.find(what), std::string::npos) << what << " in\n" << text;
  options.key_figures = options.legend = false;
  const std::string bare = all_text(figure(run, options));
  for (const char* what : {"Makespan", "copy H2D", "of the whole run"}) EXPECT_EQ(bare.find(what), std::string::npos);
  EXPECT_EQ(all_text(figure(run, {})).find(" of a run"), std::string::npos) << "all of it is shown";
}

TEST(Figure, OfAnIntervalBeginsAndEndsThere) {
  const auto run = testing::pipeline_run({});
  FigureOptions options;
  options.interval = trace::Interval{302'000, 604'000};  // the second copy to the device, near enough
  options.tracks = {"h2d"};
  const timeline::Scene scene = figure(run, options);
  const timeline::Colour copy = timeline::colour(OperationKind::h2d);
  int left = scene.width, right = 0;
  for (const timeline::Rectangle& r : scene.rectangles) {
    if (!(r.colour == copy) || r.y0 > scene.height - 200) continue;
    left = std::min(left, r.x0);
    right = std::max(right, r.x1);
  }
  EXPECT_EQ(right, scene.width - 30) << "to the page's margin";
  EXPECT_LT(left, 200);
}

TEST(Figure, CheckSaysWhichIntervalsAndTracksThereAre) {
  const auto run = testing::pipeline_run({});
  FigureOptions options;
  EXPECT_TRUE(check_figure(run, options).has_value());
  for (const char* word : {"streams", "HOST", "engines", "S3", "s?", "*", "H2D engine", "d2h", "Comp*"}) {
    options.tracks = {word};
    EXPECT_TRUE(check_figure(run, options).has_value()) << word;
  }
  options.tracks = {"S0", "S9"};
  const auto tracks = check_figure(run, options);
  ASSERT_FALSE(tracks.has_value());
  EXPECT_EQ(
      tracks.error().message,
      "no track is 'S9'; there are main, S0, S1, S2, S3, H2D engine, D2H engine, Compute; or write host, streams or "
      "engines");
  options.tracks.clear();
  options.interval = trace::Interval{20'000'000, 30'000'000};
  const auto interval = check_figure(run, options);
  ASSERT_FALSE(interval.has_value());
  EXPECT_NE(interval.error().message.find("from 20ms to 30ms has nothing of the run, which goes from"),
            std::string::npos)
      << interval.error().message;
  EXPECT_NE(interval.error().message.find(" to 5.4"), std::string::npos) << interval.error().message;
  options.interval = trace::Interval{5'000'000, 30'000'000};
  EXPECT_TRUE(check_figure(run, options).has_value()) << "the part there is is shown";
}

}  // namespace
}  // namespace streamscope::draw
