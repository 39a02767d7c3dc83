// Where lines, marks and words are in a chart.
#include "app/draw/chart.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <set>

#include "app/draw/marks.h"
#include "app/draw/paper.h"
#include "app/timeline/text_width.h"
#include "tests/app/draw/picture_text.h"
#include "tests/support/draw_png.h"
#include "tests/support/timeline_run.h"

namespace streamscope::draw {
namespace {

std::optional<ChartValue> exactly(double value) { return ChartValue{value, value, value}; }

Chart sample() {
  Chart out;
  out.caption = {"Tiles", "swept over stages, copy"};
  out.figures = {{"Highest", "3450 GB/s", "stages=3", false}};
  out.x = "kernel.stages";
  out.y = "kernels, GB/s";
  out.legend = "kernel.copy";
  out.categories = {"1", "2", "4"};
  out.plots = {
      {"", {{"sync", {exactly(1000), exactly(1000), exactly(1000)}}, {"bulk", {exactly(2000), {}, exactly(3000)}}}}};
  out.reference = 4000;
  out.reference_name = "the device's own copy";
  out.notes = {"one note"};
  out.provenance = testing::measured_provenance();
  return out;
}

std::vector<timeline::Line> lines_in(const timeline::Scene& scene, timeline::Colour colour, bool dots) {
  std::vector<timeline::Line> out;
  std::copy_if(scene.lines.begin(), scene.lines.end(), std::back_inserter(out), [&](const timeline::Line& line) {
    return line.colour == colour && (line.x0 == line.x1 && line.y0 == line.y1) == dots;
  });
  return out;
}

timeline::Colour hue(std::size_t line) { return mark_colour(line, timeline::theme(timeline::ThemeName::light)); }

// The dashes of the reference in the plot: all at one height, the legend's at another.
std::vector<timeline::Line> dashes(const timeline::Scene& scene) {
  return lines_in(scene, timeline::theme(timeline::ThemeName::light).strong_text, false);
}

TEST(Chart, SaysWhatItShowsAndOfWhat) {
  const std::string text = all_text(chart(sample(), {}));
  for (const char* what : {"Tiles", "swept over", "3450 GB/s", "kernel.stages", "kernels, GB/s", "kernel.copy", "sync",
                           "bulk", "the device's own copy", "one note", "MEASURED", "NVIDIA H200", "4000"}) {
    EXPECT_NE(text.find(what), std::string::npos) << what << " in\n" << text;
  }
}

TEST(Chart, BeginsAtZeroAndIsEven) {
  const timeline::Scene scene = chart(sample(), {});
  const std::vector<timeline::Line> sync = lines_in(scene, hue(0), true);  // three in the plot, one in the legend
  ASSERT_EQ(sync.size(), 4u);
  EXPECT_EQ(sync[0].y0, sync[2].y0);
  EXPECT_NEAR(sync[1].x0 - sync[0].x0, sync[2].x0 - sync[1].x0, 0.01);
  const auto label = [&](const char* text) {
    return std::find_if(scene.texts.begin(), scene.texts.end(),
                        [&](const timeline::Text& at) { return at.text == text; })
        ->y;
  };
  const float zero = label("0"), reference = dashes(scene).front().y0;
  EXPECT_NEAR(zero - reference, 4 * (zero - sync[0].y0), 2) << "4000 against 1000";
}

TEST(Chart, AMissingValueIsAGap) {
  Chart what = sample();
  const auto segments = [&] {
    const std::vector<timeline::Line> found = lines_in(chart(what, {}), hue(0), false);
    return std::count_if(found.begin(), found.end(),
                         [](const timeline::Line& line) { return line.x1 - line.x0 > 100; });
  };
  EXPECT_EQ(segments(), 2);
  what.plots[0].lines[0].values[1].reset();
  EXPECT_EQ(segments(), 0) << "no line across the gap";
}

TEST(Chart, WhatSpreadsHasAWhisker) {
  Chart what = sample();
  const auto upright = [&] {
    const std::vector<timeline::Line> found = lines_in(chart(what, {}), hue(0), false);
    return std::count_if(found.begin(), found.end(),
                         [](const timeline::Line& line) { return line.x0 == line.x1 && line.y0 != line.y1; });
  };
  EXPECT_EQ(upright(), 0);
  what.plots[0].lines[0].values[0] = ChartValue{1000, 900, 1200};
  EXPECT_EQ(upright(), 1);
}

TEST(Chart, SmallMultiplesShareTheirAxes) {
  Chart what = sample();
  what.plots[0].name = "streams=1";
  what.plots.push_back({"streams=2", what.plots[0].lines});
  const timeline::Scene scene = chart(what, {});
  const std::vector<timeline::Line> sync = lines_in(scene, hue(0), true);
  ASSERT_EQ(sync.size(), 7u);
  EXPECT_EQ(sync[0].y0, sync[3].y0);
  EXPECT_GT(sync[3].x0, sync[2].x0);
  EXPECT_NE(all_text(scene).find("streams=2"), std::string::npos);
}

TEST(Marks, AreAllDifferentWithoutColour) {
  std::set<std::vector<float>> shapes;
  for (std::size_t i = 0; i < 8; ++i) {
    timeline::Scene scene;
    draw_mark(scene, i, 0, 0, 10, timeline::theme(timeline::ThemeName::light));
    std::vector<float> shape;
    for (const timeline::Line& line : scene.lines) {
      shape.insert(shape.end(), {line.x0, line.y0, line.x1, line.y1, line.width});
    }
    EXPECT_TRUE(shapes.insert(shape).second) << i;
  }
  EXPECT_FALSE(hue(0) == hue(8)) << "the ninth has the first one's shape in another colour";
}

TEST(Chart, OfAnySizeAndOfNothingDoesNotFail) {
  Chart many = sample();
  many.categories.resize(300, "a category with a very long name");
  many.plots[0].lines.resize(60, {"a line with a very long name that does not fit anywhere at all", {exactly(NAN)}});
  many.plots.resize(30, many.plots[0]);
  many.notes.resize(20, std::string(400, 'x'));
  Chart zero = sample();
  zero.reference.reset();
  zero.plots[0].lines = {{"none", {exactly(0), exactly(0), {}}}};
  for (const Chart& what : {Chart{}, sample(), many, zero}) {
    for (const int width : {-3, 1, 50, 333, 900, 4000}) {
      for (const int height : {-3, 1, 50, 333, 900, 4000}) {
        for (const double scale : {0.0, 1.0, 3.0}) {
          const timeline::Scene scene = chart(what, {width, height, scale, timeline::ThemeName::dark});
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

TEST(Chart, KeepsItsWordsOnThePage) {
  const timeline::Scene scene = chart(sample(), {});
  expect_all_inside(scene);
  const testing::ScratchFolder folder;
  ASSERT_TRUE(write_png(scene, 1, folder / "chart.png").has_value());
  EXPECT_EQ(testing::read_png(folder / "chart.png").width, 1600);
}

TEST(Chart, OfAModelNeverSaysMeasured) {
  Chart model = sample();
  model.provenance = testing::model_provenance();
  EXPECT_EQ(all_text(chart(model, {})).find("MEASURED"), std::string::npos);
}

}  // namespace
}  // namespace streamscope::draw
