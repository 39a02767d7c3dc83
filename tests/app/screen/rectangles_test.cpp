#include "app/draw/screen/rectangles.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <random>

#include "app/draw/screen/batches.h"
#include "app/timeline/layout.h"
#include "app/timeline/pattern.h"
#include "app/timeline/rows.h"
#include "tests/support/screen_context.h"
#include "tests/support/timeline_run.h"

namespace streamscope::screen {
namespace {

constexpr timeline::Colour kBarRed{200, 10, 20}, kBarGreen{0, 158, 115}, kBack{17, 34, 51};

timeline::Scene one_rectangle() {
  timeline::Scene scene = timeline::blank_scene(10, 10, kBack);
  scene.rectangles = {{0, 0, 5, 5, kBarRed, timeline::Fill::solid}};
  return scene;
}

class Screen : public ::testing::Test {
 protected:
  static constexpr int kWidth = 301, kHeight = 203;  // odd on purpose

  void SetUp() override {
    ASSERT_EQ(context.why_not(), "");
    auto made = RectangleRenderer::create();
    ASSERT_TRUE(made.has_value()) << made.error().message;
    renderer = std::move(*made);
    context.clear(kBack);
  }
  void TearDown() override { EXPECT_EQ(glGetError(), static_cast<GLenum>(GL_NO_ERROR)); }

  static Placement everywhere() { return {kWidth, kHeight, 0, 0, 0, 0, kWidth, kHeight}; }
  void draw(const std::vector<timeline::Rectangle>& rectangles, const Placement& placement = everywhere()) {
    timeline::Scene scene = timeline::blank_scene(kWidth, kHeight, kBack);
    scene.rectangles = rectangles;
    draw(scene, placement);
  }
  void draw(const timeline::Scene& scene, const Placement& placement = everywhere()) {
    renderer.upload(scene);
    renderer.draw(placement);
    drawn = context.pixels();
  }
  timeline::Colour at(int x, int y) const {
    return drawn.at(static_cast<std::size_t>(y) * kWidth + static_cast<std::size_t>(x));
  }
  // What the rectangles ask for, by their definition.
  static timeline::Colour wanted(const std::vector<timeline::Rectangle>& rectangles, int x, int y, int grain = 1) {
    timeline::Colour out = kBack;
    for (const timeline::Rectangle& r : rectangles) {
      if (x < r.x0 || x >= r.x1 || y < r.y0 || y >= r.y1) continue;
      if (!timeline::drawn(r.fill, x, y, grain)) continue;
      out = r.colour;
    }
    return out;
  }
  void expect_exactly(const std::vector<timeline::Rectangle>& rectangles, int grain = 1) const {
    for (int y = 0; y < kHeight; ++y) {
      for (int x = 0; x < kWidth; ++x) {
        const timeline::Colour found = at(x, y), want = wanted(rectangles, x, y, grain);
        ASSERT_TRUE(found.r == want.r && found.g == want.g && found.b == want.b)
            << "pixel " << x << "," << y << ": " << int{found.r} << " " << int{found.g} << " " << int{found.b};
      }
    }
  }

  testing::OffscreenContext context{kWidth, kHeight};
  RectangleRenderer renderer;  // goes before its context
  std::vector<timeline::Colour> drawn;
};

TEST_F(Screen, DrawsExactlyThePixelsOfARectangle) {
  const std::vector<timeline::Rectangle> one{{10, 20, 40, 30, kBarRed, timeline::Fill::solid}};
  draw(one);
  expect_exactly(one);
  EXPECT_EQ(at(10, 20).r, kBarRed.r);
  EXPECT_EQ(at(39, 29).r, kBarRed.r);
  EXPECT_EQ(at(40, 29).r, kBack.r);
  EXPECT_EQ(at(9, 20).r, kBack.r);
}

TEST_F(Screen, DrawsRectanglesOfOnePixel) {
  const std::vector<timeline::Rectangle> corners{
      {0, 0, 1, 1, kBarRed, timeline::Fill::solid},
      {kWidth - 1, kHeight - 1, kWidth, kHeight, kBarGreen, timeline::Fill::solid}};
  draw(corners);
  expect_exactly(corners);
}

TEST_F(Screen, DrawsInTheirOrder) {
  const std::vector<timeline::Rectangle> two{{10, 10, 50, 50, kBarRed, timeline::Fill::solid},
                                             {30, 30, 70, 70, kBarGreen, timeline::Fill::solid}};
  draw(two);
  expect_exactly(two);
}

TEST_F(Screen, DrawsStacksInTheirPlaceAndOrder) {
  std::mt19937 random(3);
  const auto below = [&](int limit) { return static_cast<int>(random() % static_cast<unsigned>(limit)); };
  for (int round = 0; round < 12; ++round) {
    timeline::Scene scene = timeline::blank_scene(kWidth, kHeight, kBack);
    scene.grain = 1 + round % 3;
    for (int i = 0; i < 20; ++i) {
      const int x = below(kWidth), y = below(kHeight);
      scene.rectangles.push_back({x, y, x + below(90), y + below(60), i % 2 == 0 ? kBarRed : kBarGreen});
    }
    for (std::size_t i = 0; i < 5; ++i) {
      const int y0 = below(kHeight), height = 1 + below(40);
      timeline::Stacks stacks{below(kWidth) - 30, y0, y0 + height, below(60), kHeight - below(60), {}, {}, 4 * i};
      stacks.layers = {{{9, 8, 7}, timeline::Fill::solid, {}}, {{200, 100, 0}, timeline::Fill::rising, {1, 2, 3}}};
      for (int column = 0; column < 120; ++column)
        for (int layer = 0; layer < 2; ++layer)
          stacks.heights.push_back(static_cast<std::uint16_t>(below(height / 2 + 1)));
      scene.stacks.push_back(stacks);
    }
    std::vector<timeline::Rectangle> all;
    timeline::in_order(
        scene, [&](const timeline::Rectangle& r) { all.push_back(r); },
        [&](const timeline::Stacks& stacks) {
          for (std::size_t layer = 0; layer < 2; ++layer)
            for (timeline::Rectangle piece : timeline::pieces_of(stacks, layer)) {
              all.push_back(piece);
              piece.fill = stacks.layers[layer].pattern, piece.colour = stacks.layers[layer].ink;
              if (piece.fill != timeline::Fill::solid) all.push_back(piece);
            }
        });
    context.clear(kBack);
    draw(scene);
    ASSERT_NO_FATAL_FAILURE(expect_exactly(all, scene.grain));
  }
}

TEST_F(Screen, HatchesSparsely) {
  const std::vector<timeline::Rectangle> one{{7, 9, 207, 109, kBarRed, timeline::Fill::hatch}};
  draw(one);
  expect_exactly(one);
  const auto red = std::count_if(drawn.begin(), drawn.end(), [](timeline::Colour c) { return c.r == kBarRed.r; });
  EXPECT_NEAR(static_cast<double>(red), 200.0 * 100 * timeline::kHatchWidth / timeline::kHatchPeriod, 200);
}

TEST_F(Screen, DrawsEveryPatternByThePicturesRuleInAnyGrain) {
  for (int grain = 1; grain <= 3; ++grain) {
    for (std::size_t fill = 1; fill < timeline::kFills; ++fill) {
      timeline::Scene scene = timeline::blank_scene(kWidth, kHeight, kBack);
      scene.grain = grain;
      scene.rectangles = {{7, 9, 207, 109, kBarRed, static_cast<timeline::Fill>(fill)}};
      context.clear(kBack);
      draw(scene);
      ASSERT_NO_FATAL_FAILURE(expect_exactly(scene.rectangles, grain)) << fill << " of " << grain;
    }
  }
}

TEST_F(Screen, CutsOffWhatLiesOutside) {
  const std::vector<timeline::Rectangle> out{{-50, -50, 5, 5, kBarRed, timeline::Fill::solid},
                                             {290, 190, 100'000, 100'000, kBarGreen, timeline::Fill::solid},
                                             {-9, 50, -3, 60, kBarRed, timeline::Fill::solid},
                                             {50, 50, 50, 60, kBarRed, timeline::Fill::solid},
                                             {60, 60, 55, 50, kBarRed, timeline::Fill::solid}};
  draw(out);
  expect_exactly(out);
  timeline::Scene all = timeline::blank_scene(kWidth, kHeight, kBack);
  all.rectangles = out;
  EXPECT_EQ(batches(all).size(), 2u);
}

TEST_F(Screen, BlendsWhatIsTransparent) {
  draw({{0, 0, 10, 10, {255, 255, 255, 128}, timeline::Fill::solid}});
  EXPECT_NEAR(at(5, 5).r, (255 + kBack.r) / 2, 1);
  EXPECT_NEAR(at(5, 5).b, (255 + kBack.b) / 2, 1);
}

TEST_F(Screen, BlendsWhatIsPatterned) {
  for (const timeline::Fill fill : {timeline::Fill::hatch, timeline::Fill::dots}) {
    for (const int alpha : {0, 36, 109, 128, 219, 255}) {
      context.clear(kBack);
      draw({{0, 0, 10, 10, {255, 255, 255, static_cast<std::uint8_t>(alpha)}, fill}});
      EXPECT_NEAR(at(0, 0).r, kBack.r + (255 - kBack.r) * alpha / 255.0, 1) << alpha;
      EXPECT_EQ(at(3, 1).r, kBack.r) << "not of the pattern";
      if (alpha == 255) {
        EXPECT_EQ(at(0, 0).r, 255);
      }
      if (alpha == 0) {
        EXPECT_EQ(at(0, 0).r, kBack.r);
      }
    }
  }
}

TEST_F(Screen, PlacesThePictureAndItsHatching) {
  Placement placement = everywhere();
  placement.x = 100;
  placement.y = 50;
  draw({{-20, 0, 30, 20, kBarRed, timeline::Fill::hatch}}, placement);
  for (int y = 0; y < kHeight; ++y) {
    for (int x = 0; x < kWidth; ++x) {
      const int px = x - 100, py = y - 50;
      const bool inside = px >= 0 && px < 30 && py >= 0 && py < 20;
      ASSERT_EQ(at(x, y).r == kBarRed.r, inside && (px + py) % timeline::kHatchPeriod < timeline::kHatchWidth)
          << x << "," << y;
    }
  }
}

TEST_F(Screen, TouchesNothingOutsideItsClip) {
  Placement placement = everywhere();
  placement.clip_x0 = 100;
  placement.clip_y0 = 20;
  placement.clip_x1 = 150;
  placement.clip_y1 = 40;
  draw({{0, 0, kWidth, kHeight, kBarRed, timeline::Fill::solid}}, placement);
  expect_exactly({{100, 20, 150, 40, kBarRed, timeline::Fill::solid}});
}

TEST_F(Screen, LeavesTheStateAsItWas) {
  GLint value = 0;
  GLuint array = 0;
  glGenVertexArrays(1, &array);
  glBindVertexArray(array);
  glViewport(1, 2, 30, 40);
  glScissor(3, 4, 50, 60);
  glEnable(GL_DEPTH_TEST);
  glDisable(GL_BLEND);
  glEnable(GL_SCISSOR_TEST);
  glBlendFunc(GL_ONE, GL_ZERO);
  GLuint buffer = 0;
  glGenBuffers(1, &buffer);
  glBindBuffer(GL_ARRAY_BUFFER, buffer);
  draw({{0, 0, 9, 9, kBarGreen, timeline::Fill::solid}, {0, 0, 5, 5, kBarRed, timeline::Fill::hatch}});
  glGetIntegerv(GL_ARRAY_BUFFER_BINDING, &value);
  EXPECT_EQ(value, static_cast<GLint>(buffer));
  glDeleteBuffers(1, &buffer);
  GLint box[4];
  glGetIntegerv(GL_VIEWPORT, box);
  EXPECT_EQ(std::vector<int>(box, box + 4), (std::vector<int>{1, 2, 30, 40}));
  glGetIntegerv(GL_SCISSOR_BOX, box);
  EXPECT_EQ(std::vector<int>(box, box + 4), (std::vector<int>{3, 4, 50, 60}));
  glGetIntegerv(GL_VERTEX_ARRAY_BINDING, &value);
  EXPECT_EQ(value, static_cast<GLint>(array));
  glGetIntegerv(GL_CURRENT_PROGRAM, &value);
  EXPECT_EQ(value, 0);
  glGetIntegerv(GL_BLEND_SRC_RGB, &value);
  EXPECT_EQ(value, GL_ONE);
  EXPECT_TRUE(glIsEnabled(GL_DEPTH_TEST));
  EXPECT_TRUE(glIsEnabled(GL_SCISSOR_TEST));
  EXPECT_FALSE(glIsEnabled(GL_BLEND));
  glDeleteVertexArrays(1, &array);
}

TEST_F(Screen, ThatHoldsNothingDrawsNothing) {
  RectangleRenderer moved = std::move(renderer);
  renderer.upload(one_rectangle());
  renderer.draw(everywhere());
  drawn = context.pixels();
  expect_exactly({});
  moved.upload(one_rectangle());
  moved.draw(everywhere());
  drawn = context.pixels();
  expect_exactly({{0, 0, 5, 5, kBarRed, timeline::Fill::solid}});
  moved.upload({});
  context.clear(kBack);
  moved.draw(everywhere());
  drawn = context.pixels();
  expect_exactly({});
}

TEST_F(Screen, DrawsAnyRectanglesExactly) {
  std::mt19937 random(3);
  const auto below = [&](int limit) { return static_cast<int>(random() % static_cast<unsigned>(limit)); };
  for (int round = 0; round < 10; ++round) {
    std::vector<timeline::Rectangle> some;
    for (int i = 0; i < 200; ++i) {
      const int x = below(kWidth + 20) - 10, y = below(kHeight + 20) - 10;
      const timeline::Colour colour{static_cast<std::uint8_t>(below(256)), static_cast<std::uint8_t>(below(256)),
                                    static_cast<std::uint8_t>(below(256))};
      some.push_back(
          {x, y, x + below(40), y + below(40), colour, static_cast<timeline::Fill>(below(timeline::kFills))});
    }
    context.clear(kBack);
    draw(some);
    expect_exactly(some);
    if (HasFatalFailure()) return;
  }
}

// As many as two calls and a half draw.
TEST_F(Screen, DrawsMoreThanACallTakes) {
  std::vector<timeline::Rectangle> all;
  for (int i = 0; i < 425; ++i)
    all.push_back({12 * (i % 25),
                   11 * (i / 25),
                   12 * (i % 25) + 9,
                   11 * (i / 25) + 8,
                   {static_cast<std::uint8_t>(i), static_cast<std::uint8_t>(i / 2), 77},
                   timeline::Fill::solid});
  draw(all);
  expect_exactly(all);
}

TEST_F(Screen, DrawsAnyRectanglesOnAGroundExactlyWhereverThePictureIs) {
  std::mt19937 random(4);
  const auto below = [&](int limit) { return static_cast<int>(random() % static_cast<unsigned>(limit)); };
  for (int round = 0; round < 20; ++round) {
    const int width = 1 + below(kWidth), height = 1 + below(kHeight);
    Placement placement = everywhere();
    placement.x = below(60) - 30;
    placement.y = below(60) - 30;
    std::vector<timeline::Rectangle> some{{0, 0, width, height, {90, 80, 70}, timeline::Fill::solid}};
    const int how_many = 50 << below(5);
    for (int i = 0; i < how_many; ++i) {
      const int x = below(width), y = below(height);
      const timeline::Colour colour{static_cast<std::uint8_t>(below(256)), static_cast<std::uint8_t>(below(256)),
                                    static_cast<std::uint8_t>(below(256))};
      some.push_back({x, y, std::min(x + below(40), width), std::min(y + below(9), height), colour,
                      below(5) > 0 ? timeline::Fill::solid : static_cast<timeline::Fill>(below(timeline::kFills))});
    }
    context.clear(kBack);
    draw(some, placement);
    for (int y = 0; y < kHeight; ++y) {
      for (int x = 0; x < kWidth; ++x) {
        const timeline::Colour found = at(x, y), want = wanted(some, x - placement.x, y - placement.y);
        ASSERT_TRUE(found.r == want.r && found.g == want.g && found.b == want.b)
            << "round " << round << ", pixel " << x << "," << y << ": " << int{found.r} << " " << int{want.r};
      }
    }
  }
}

TEST_F(Screen, DrawsTheNextPictureInPlaceOfTheLast) {
  const auto scene = [](int y, timeline::Colour colour) {
    std::vector<timeline::Rectangle> out{{0, 0, kWidth, kHeight, {90, 80, 70}, timeline::Fill::solid}};
    for (int i = 0; i < 60; ++i) out.push_back({3 * i, y, 3 * i + 2, y + 30, colour, timeline::Fill::solid});
    return out;
  };
  draw(scene(10, kBarRed));
  expect_exactly(scene(10, kBarRed));
  draw(scene(90, kBarGreen));
  expect_exactly(scene(90, kBarGreen));
}

// From the spans to the pixels of the screen: a lane shows exactly the union of its spans.
TEST_F(Screen, ShowsExactlyTheUnionOfALanesSpans) {
  std::mt19937_64 random(11);
  const auto below = [&](std::int64_t limit) {
    return static_cast<std::int64_t>(random() % static_cast<std::uint64_t>(limit));
  };
  for (int round = 0; round < 20; ++round) {
    trace::Trace trace;
    trace.streams = {{"default"}, {"per-thread"}, {"A"}};
    Nanoseconds time = 0;
    for (std::uint32_t i = 0; i < 300; ++i) {
      if (below(3) > 0) time += below(std::int64_t{1} << below(14));
      trace::Span span;
      span.operation = i;
      span.stream = 2;
      span.kind = OperationKind::kernel;
      span.start = span.ready = time;
      span.end = time += below(4) == 0 ? 0 : below(3000);
      trace.spans.push_back(span);
    }
    const timeline::Tracks shown = timeline::tracks(trace);
    timeline::LayoutOptions options;
    options.width = kWidth;
    options.height = kHeight;
    const timeline::Frame where = timeline::frame(shown, options);
    const Nanoseconds from = below(time + 1);
    const timeline::View view = timeline::fit(from, from + 1 + below(time), where.plot_width);
    const timeline::Scene scene =
        timeline::layout(trace, shown, view, timeline::theme(timeline::ThemeName::light), options);
    context.clear(scene.background);
    draw(scene);
    const timeline::Text& name =
        *std::find_if(scene.texts.begin(), scene.texts.end(), [](const timeline::Text& t) { return t.text == "A"; });
    // Where even the least share of a column is drawn.
    const timeline::Metrics m = timeline::metrics(options);
    const int y = static_cast<int>(name.y) + m.row / 2 - m.inset - 1;
    const timeline::Colour bar = timeline::colour(OperationKind::kernel),
                           back = timeline::theme(timeline::ThemeName::light).lane,
                           grid = timeline::theme(timeline::ThemeName::light).grid;
    for (int column = 0; column < where.plot_width; ++column) {
      const bool covered = std::any_of(trace.spans.begin(), trace.spans.end(), [&](const trace::Span& span) {
        const timeline::Pixels p = timeline::pixels(view, span.start, span.end);
        return p.x0 <= column && column < p.x1;
      });
      const timeline::Colour found = at(where.plot_x + column, y);
      const bool empty = found.r == back.r || found.r == grid.r;
      ASSERT_EQ(empty, !covered) << "column " << column << " red " << int{found.r};
      // A covered column is the bar's colour, or the darker seam between two that touch.
      if (covered && found.r != bar.r) {
        ASSERT_LT(std::abs(found.r - (bar.r * 0.45 + 255 * 0.55)), 3);
      }
    }
  }
}

}  // namespace
}  // namespace streamscope::screen
