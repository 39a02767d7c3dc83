// Where points and words are in a scatter plot.
#include "app/draw/scatter.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "app/draw/paper.h"
#include "app/timeline/text_width.h"
#include "tests/app/draw/picture_text.h"
#include "tests/support/draw_png.h"
#include "tests/support/timeline_run.h"

namespace streamscope::draw {
namespace {

Scatter sample_scatter() {
  Scatter out;
  out.caption = {"Predicted and measured", "3 programs"};
  out.figures = {{"Mean error", "12.3 %", "at most 5 %", true}, {"Ranked alike", "99.1 %", "of 3 pairs", false}};
  out.families = {{"pipeline", 0.1, 0.2, {{100'000, 100'000}, {1'000'000, 1'100'000}}},
                  {"tiny chunks", 0.5, 0.5, {{20'000, 60'000}}}};
  out.notes = {"Farthest off: tiny chunks 1 +200 %"};
  out.measured = testing::measured_provenance();
  out.predicted = testing::model_provenance();
  return out;
}

// The points are lines of no length: for each family what it is drawn in.
std::vector<timeline::Line> marks(const timeline::Scene& scene, timeline::Colour colour) {
  std::vector<timeline::Line> out;
  std::copy_if(scene.lines.begin(), scene.lines.end(), std::back_inserter(out), [&](const timeline::Line& line) {
    return line.x0 == line.x1 && line.y0 == line.y1 && line.colour == colour;
  });
  return out;
}

// The one line from a corner to the other.
timeline::Line diagonal(const timeline::Scene& scene) {
  const auto longest =
      std::max_element(scene.lines.begin(), scene.lines.end(), [](const timeline::Line& a, const timeline::Line& b) {
        return std::hypot(a.x1 - a.x0, a.y1 - a.y0) < std::hypot(b.x1 - b.x0, b.y1 - b.y0);
      });
  return *longest;
}

TEST(Scatter, SaysWhatIsComparedAndHowWell) {
  const std::string text = all_text(scatter(sample_scatter(), {}));
  for (const char* what :
       {"Predicted and measured", "3 programs", "12.3 %", "99.1 %", "pipeline", "tiny chunks", "predicted wall time",
        "measured wall time", "100 us", "+15 %", "MEASURED", "MODEL", "NVIDIA H200", "profile h200", "Farthest off"}) {
    EXPECT_NE(text.find(what), std::string::npos) << what << " in\n" << text;
  }
}

TEST(Scatter, APointIsOnTheDiagonalWhereBothTimesAreEqual) {
  const timeline::Scene scene = scatter(sample_scatter(), {});
  const timeline::Line line = diagonal(scene);
  EXPECT_NEAR(line.x1 - line.x0, line.y0 - line.y1, 0.01);  // both axes have one scale
  const std::vector<timeline::Line> points = marks(scene, timeline::stream_colour(0));
  ASSERT_EQ(points.size(), 5u);  // two in each plot, and one in the table
  EXPECT_NEAR(points[0].x0 - line.x0, line.y0 - points[0].y0, 0.01);
  EXPECT_GT(line.y0 - points[1].y0, points[1].x0 - line.x0 + 1);  // predicted too long: above it
}

TEST(Scatter, AnErrorBeyondTheScaleStandsAtItsEdge) {
  const timeline::Scene scene = scatter(sample_scatter(), {});
  const std::vector<timeline::Line> far = marks(scene, timeline::stream_colour(1)),
                                    near = marks(scene, timeline::stream_colour(0));
  ASSERT_EQ(far.size(), 3u);
  const float zero = near[3].y0, ten = near[4].y0;  // errors of 0 and of 10 %
  EXPECT_NEAR(zero - far[2].y0, 3 * (zero - ten), 0.01);
}

TEST(Scatter, TheNinthFamilyHasTheFirstOnesHueAndAnotherMark) {
  Scatter many = sample_scatter();
  many.families.resize(9, {"more", 0, 0, {{50'000, 50'000}}});
  const timeline::Scene nine = scatter(many, {});
  many.families.resize(8);
  const timeline::Scene eight = scatter(many, {});
  const timeline::Colour hole = timeline::theme(timeline::ThemeName::light).background;
  EXPECT_EQ(marks(eight, hole).size(), 0u);
  EXPECT_EQ(marks(nine, hole).size(), 3u);
}

TEST(Scatter, ALongTableLeavesRoomForTheErrors) {
  Scatter many = sample_scatter();
  many.families.resize(60, {"one more", 0, 0, {}});
  const std::string text = all_text(scatter(many, {}));
  EXPECT_NE(text.find("error of the prediction"), std::string::npos);
  EXPECT_NE(text.find(" more\n"), std::string::npos) << text;
}

TEST(Scatter, OfAnySizeAndOfNoPointsDoesNotFail) {
  Scatter many = sample_scatter();
  many.families.resize(60, {"a family with a very long name that does not fit anywhere at all", 9.99, 99.9, {}});
  many.notes.resize(20, std::string(400, 'x'));
  for (const Scatter& what : {Scatter{}, sample_scatter(), many}) {
    for (const int width : {-3, 1, 50, 333, 900, 4000}) {
      for (const int height : {-3, 1, 50, 333, 900, 4000}) {
        for (const double scale : {0.0, 1.0, 3.0}) {
          const timeline::Scene scene = scatter(what, {width, height, scale, timeline::ThemeName::dark});
          EXPECT_EQ(scene.width, std::max(width, 1));
          for (const timeline::Line& line : scene.lines) {
            ASSERT_TRUE(std::isfinite(line.x0) && std::isfinite(line.y0) && std::isfinite(line.x1) &&
                        std::isfinite(line.y1));
          }
        }
      }
    }
  }
}

TEST(Scatter, KeepsItsWordsOnThePage) {
  const timeline::Scene scene = scatter(sample_scatter(), {});
  expect_all_inside(scene);
  const testing::ScratchFolder folder;
  ASSERT_TRUE(write_png(scene, 1, folder / "scatter.png").has_value());
  EXPECT_EQ(testing::read_png(folder / "scatter.png").width, 1600);
}

TEST(Scatter, OfTwoModelsNeverSaysMeasured) {
  Scatter models = sample_scatter();
  models.measured = testing::model_provenance();
  EXPECT_EQ(all_text(scatter(models, {})).find("MEASURED"), std::string::npos);
}

}  // namespace
}  // namespace streamscope::draw
