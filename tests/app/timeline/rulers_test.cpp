// Bounds as lines on the timeline.
#include "app/timeline/rulers.h"

#include <gmock/gmock.h>

#include <algorithm>

#include "app/timeline/text_width.h"
#include "tests/app/timeline/layout_fixture.h"

namespace streamscope::timeline {
namespace {

using verdict::Bound;
using verdict::BoundKind;

class Rulers : public LayoutTest {
 protected:
  Rulers() : judgement(verdict::judge(run.trace, nullptr)) { options.rulers = true; }

  void draw_with(std::vector<Bound> bounds) {
    judgement.bounds = std::move(bounds);
    VerdictMarks marks;
    marks.rulers = rulers(judgement);
    options.verdict = std::make_shared<VerdictMarks>(std::move(marks));
    draw();
  }
  // Whether the column has ink of that ruler, which is dashed, somewhere in the tracks.
  bool lined(int x) const {
    const Colour lane = theme(ThemeName::dark).background;
    return std::any_of(scene.rectangles.begin(), scene.rectangles.end(), [&](const Rectangle& r) {
      return r.x0 <= x && x < r.x1 && r.x1 - r.x0 <= 3 && r.y1 - r.y0 < 30 && r.colour.a == 255 && !(r.colour == lane);
    });
  }

  verdict::Judgement judgement;
};

TEST_F(Rulers, CountFromTheFirstStartAndOfTheWallTimeFromZero) {
  const Nanoseconds first = judgement.path.pieces.front().from;
  ASSERT_GT(first, 0);
  judgement.bounds = {{BoundKind::engine, {0, Engine::d2h}, 5'100'000, 20'000, 5'000'000},
                      {BoundKind::order, {}, 900'000, 0, 0},
                      {BoundKind::host, {}, 200'000, 0, 0},
                      {BoundKind::bus, {}, 0, 0, 0}};
  const std::vector<Ruler> found = rulers(judgement);
  ASSERT_EQ(found.size(), 3u) << "one without a time is none";
  EXPECT_EQ(found[0].name, "host 200 us");
  EXPECT_EQ(found[0].at, 200'000);
  EXPECT_EQ(found[1].name, "order 900 us");
  EXPECT_EQ(found[1].at, first + 900'000);
  EXPECT_EQ(found[2].name, "D2H engine 5.1 ms");
  EXPECT_EQ(found[2].at, first + 5'100'000);
  EXPECT_EQ(found[2].uncertainty, 20'000);
  EXPECT_EQ(found[2].colour, colour(OperationKind::d2h));
  EXPECT_TRUE(found[2].binds);
  EXPECT_FALSE(found[1].binds);
}

TEST_F(Rulers, StandAtTheirTimesAndOnlyWhereTheyAreAskedFor) {
  const Nanoseconds first = judgement.path.pieces.front().from;
  draw_with({{BoundKind::order, {}, 2'000'000, 0, 0}});
  EXPECT_TRUE(lined(x_of(first + 2'000'000)));
  EXPECT_NE(text("order 2 ms"), nullptr);
  options.rulers = false;
  redraw();
  EXPECT_FALSE(lined(x_of(first + 2'000'000)));
  EXPECT_EQ(text("order 2 ms"), nullptr);
}

TEST_F(Rulers, ShowTheirDoubtAsABand) {
  const Nanoseconds first = judgement.path.pieces.front().from;
  draw_with({{BoundKind::order, {}, 2'000'000, 300'000, 0}});
  const int left = x_of(first + 1'700'000), right = x_of(first + 2'300'000);
  EXPECT_TRUE(std::any_of(scene.rectangles.begin(), scene.rectangles.end(),
                          [&](const Rectangle& r) { return r.x0 == left && r.x1 == right && r.colour.a < 60; }));
}

// The names of bounds that nearly agree, at any width.
TEST_F(Rulers, HaveNamesOfWhichNoneLiesOnAnother) {
  for (const int width : {500, 900, 1280, 2000}) {
    options.width = width;
    draw_with({{BoundKind::engine, {0, Engine::h2d}, 5'000'000, 0, 5'000'000},
               {BoundKind::engine, {0, Engine::d2h}, 5'010'000, 0, 5'000'000},
               {BoundKind::engine, {0, Engine::compute}, 5'020'000, 0, 5'000'000},
               {BoundKind::bus, {}, 5'030'000, 0, 5'000'000},
               {BoundKind::order, {}, 5'040'000, 0, 0},
               {BoundKind::host, {}, 5'050'000, 0, 0}});
    std::vector<const Text*> names;
    for (const Ruler& ruler : options.verdict->rulers)
      if (const Text* name = text(ruler.name)) names.push_back(name);
    EXPECT_EQ(names.size(), 6u);
    for (const Text* a : names) {
      const float end = a->x + text_width(a->text, a->font, a->size);
      EXPECT_TRUE(a->x >= static_cast<float>(where.plot_x) && end <= static_cast<float>(width)) << a->text;
      for (const Text* b : names)
        EXPECT_TRUE(a == b || std::abs(a->y - b->y) >= a->size || end <= b->x ||
                    b->x + text_width(b->text, b->font, b->size) <= a->x)
            << a->text << " on " << b->text << " at width " << width;
    }
  }
}

}  // namespace
}  // namespace streamscope::timeline
