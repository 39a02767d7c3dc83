// A figure of a part of a run: the view, the interval and the tracks that it is asked for.
#include <gtest/gtest.h>

#include <algorithm>
#include <string>

#include "app/draw/caption.h"
#include "app/draw/excerpt.h"
#include "app/draw/figure.h"
#include "tests/app/draw/picture_text.h"
#include "tests/support/stages_run.h"
#include "tests/support/timeline_run.h"
#include "tests/support/two_devices.h"

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

TEST(Figure, NamesTheEnginesOfSeveralDevicesOnceWhereTheyAreTheSame) {
  const auto busy = [](const trace::Run& run) {
    for (const KeyFigure& each : key_figures(run))
      if (each.name == "Engines busy") return each;
    return KeyFigure{};
  };
  trace::Run run = testing::run_on_two_devices();
  EXPECT_EQ(busy(run).detail, "H2D / D2H / compute, of each device");
  EXPECT_NE(busy(run).value.find(" · "), std::string::npos) << busy(run).value;
  std::erase_if(run.trace.spans,
                [](const trace::Span& span) { return span.device == 1 && span.engine != Engine::compute; });
  EXPECT_EQ(busy(run).detail, "H2D / D2H / compute, device 0 · compute, device 1");
  EXPECT_EQ(busy(testing::pipeline_run({})).detail, "H2D / D2H / compute");
}

// S0 and S1 are the first device's, S2 and S3 the second's.
TEST(Figure, OfSeveralDevicesTakesTracksByHeadingAndByDevice) {
  const auto run = testing::run_on_two_devices();
  const auto drawn = [&](std::vector<std::string> words) {
    FigureOptions options;
    options.tracks = std::move(words);
    EXPECT_TRUE(check_figure(run, options).has_value()) << options.tracks[0];
    options.legend = false;
    return all_text(figure(run, options));
  };
  const auto has = [](const std::string& text, const char* track) {
    return text.find("\n" + std::string(track) + "\n") != std::string::npos;
  };
  for (const char* heading : {"GPU 1", "gpu 1", "GPU 1*", "gpu*NVL", "GPU 1 · NVIDIA H200 NVL"}) {
    const std::string text = drawn({heading});
    EXPECT_TRUE(has(text, "S2") && has(text, "S3") && has(text, "H2D engine")) << heading << text;
    EXPECT_FALSE(has(text, "S0") || has(text, "S1") || has(text, "main")) << heading << text;
    EXPECT_TRUE(has(text, "GPU 1 · NVIDIA H200 NVL")) << heading;
    EXPECT_FALSE(has(text, "GPU 0 · NVIDIA H200")) << "nothing stands below it";
    EXPECT_NE(text.find("5 of 11 tracks"), std::string::npos) << heading << text;
  }
  EXPECT_NE(drawn({"GPU 0", "GPU 1"}).find("10 of 11 tracks"), std::string::npos);
  EXPECT_NE(drawn({"GPU*"}).find("10 of 11 tracks"), std::string::npos);
  for (const char* glob : {"*1", "S1*"}) EXPECT_NE(drawn({glob}).find("1 of 11 tracks"), std::string::npos) << glob;
  EXPECT_NE(drawn({"h2d"}).find("2 of 11 tracks"), std::string::npos) << "of both";
  EXPECT_NE(drawn({"Compute"}).find("2 of 11 tracks"), std::string::npos) << "by the name below the heading";
  const std::string one = drawn({"h2d@1", "streams@0", "host"});
  EXPECT_NE(one.find("4 of 11 tracks"), std::string::npos) << one;
  EXPECT_TRUE(has(one, "S0") && has(one, "S1") && has(one, "main") && !has(one, "S2")) << one;

  FigureOptions options;
  for (const char* word : {"GPU 2", "h2d@2", "S0@1", "host@0", "@1", "GPU 1@1", "main@", "g*", "*NVL"}) {
    options.tracks = {word};
    const auto none = check_figure(run, options);
    ASSERT_FALSE(none.has_value()) << word;
    EXPECT_EQ(none.error().message,
              "no track is '" + std::string(word) +
                  "'; there are main, S0, S1, S2, S3, H2D engine, D2H engine, Compute, GPU 0, GPU "
                  "1; or write host, streams or engines");
  }
}

TEST(Figure, OfOneDeviceTakesItsNumberToo) {
  const auto run = testing::pipeline_run({});
  FigureOptions options;
  options.tracks = {"h2d@0"};
  EXPECT_TRUE(check_figure(run, options).has_value());
  options.tracks = {"h2d"};
  const std::string without = all_text(figure(run, options));
  options.tracks = {"h2d@0"};
  EXPECT_EQ(all_text(figure(run, options)), without);
  options.tracks = {"h2d@1"};
  EXPECT_FALSE(check_figure(run, options).has_value());
  options.tracks = {"*0"};
  const std::string glob = all_text(figure(run, options));
  EXPECT_NE(glob.find("\nS0\n"), std::string::npos);
  EXPECT_EQ(glob.find("\nS1\n"), std::string::npos) << "it is no glob of the heading, GPU 0";
}

}  // namespace
}  // namespace streamscope::draw
