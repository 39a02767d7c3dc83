// What columns that stand for many operations consist of, and how high it is drawn.
#include "app/timeline/density.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <numeric>
#include <random>

#include "app/timeline/overview.h"
#include "app/timeline/stream_slots.h"
#include "tests/app/timeline/layout_fixture.h"

namespace streamscope::timeline {
namespace {

struct Classed {
  Nanoseconds start, end;
  std::uint8_t pair;
};

// Column by column and span by span, in 128 bits.
void expect_shares(const std::vector<Classed>& spans, const Lane& lane, const View& view, int width) {
  using Wide = __int128;
  std::vector<PixelRun> runs;
  emit(lane, view, 0, width, runs);
  Density found;
  for (const PixelRun& run : runs) {
    if (alone(run)) continue;
    for (const std::size_t which : {0, 1}) {
      density(lane, which, view, run.x0, run.x1, found);
      const std::vector<std::uint8_t>& classes = lane.sums[which].classes;
      ASSERT_EQ(found.classes, classes.size());
      for (int x = run.x0; x < run.x1; ++x) {
        const Wide left = Wide{view.origin} + Wide{x} * view.scale, right = left + view.scale;
        std::vector<Wide> busy(classes.size());
        unsigned present = 0;
        for (const Classed& span : spans) {
          const Wide s = Wide{span.start} * kFine, e = Wide{span.end} * kFine;
          const auto at = static_cast<std::size_t>(
              std::find(classes.begin(), classes.end(), class_of(span.pair, which)) - classes.begin());
          busy[at] += std::max<Wide>(std::min(e, right) - std::max(s, left), 0);
          if ((s < right && e > left) || (s >= left && s < right)) present |= 1U << at;
        }
        const auto column = static_cast<std::size_t>(x - run.x0);
        for (std::size_t i = 0; i < classes.size(); ++i)
          ASSERT_EQ(found.busy[column * classes.size() + i], static_cast<std::int64_t>(busy[i]))
              << "column " << x << " of class " << int{classes[i]} << ", by " << which;
        ASSERT_EQ(found.present[column], present) << "column " << x << ", by " << which;
      }
    }
  }
}

TEST(Density, IsTheSumOverAllSpansOfEachColumn) {
  std::mt19937_64 random(11);
  const auto below = [&](Nanoseconds limit) {
    return static_cast<Nanoseconds>(random() % static_cast<std::uint64_t>(limit));
  };
  for (int round = 0; round < 300; ++round) {
    const int classes = 1 + round % 9, count = 2 + static_cast<int>(below(400));
    const bool long_ones = round % 5 == 0;
    std::vector<Classed> spans;
    Lane lane;
    Nanoseconds time = below(1000) - 500;
    for (int i = 0; i < count; ++i) {
      if (below(3) == 0) time += below(Nanoseconds{1} << below(10));
      const Nanoseconds end = time + (long_ones && below(20) == 0 ? 5'000'000'000 : below(4) == 0 ? 0 : below(300));
      spans.push_back(
          {time, end, class_pair(static_cast<std::uint8_t>(below(classes)), static_cast<std::uint8_t>(below(9)))});
      lane.add(time, end, static_cast<std::uint32_t>(i), spans.back().pair);
      time = end;
    }
    index(lane);
    const int width = 150;
    for (int zoom = 0; zoom < 4; ++zoom) {
      View view = fit(spans.front().start, spans.back().end, width);
      view.scale = std::max<std::int64_t>(view.scale >> (2 * zoom), kSmallestScale) + below(50);
      view.origin += below(view.scale * 40);
      ASSERT_NO_FATAL_FAILURE(expect_shares(spans, lane, view, width)) << "round " << round;
    }
  }
}

std::vector<int> heights(const std::vector<std::int64_t>& busy, std::int64_t whole, int height,
                         std::uint16_t also_there = 0) {
  std::vector<std::uint16_t> out(busy.size());
  for (std::size_t i = 0; i < busy.size(); ++i)
    if (busy[i] > 0) also_there = static_cast<std::uint16_t>(also_there | 1U << i);
  share_out(busy, also_there, whole, height, out);
  return {out.begin(), out.end()};
}

TEST(Density, EachClassGetsAPixelAndTheRestGoesByLargestRemainder) {
  EXPECT_EQ(heights({50, 30, 20}, 100, 10), (std::vector{5, 3, 2}));
  EXPECT_EQ(heights({50, 34, 16}, 100, 10), (std::vector{5, 3, 2})) << "remainders .0, .4, .6";
  EXPECT_EQ(heights({60, 20}, 100, 10), (std::vector{6, 2})) << "a fifth is idle";
  EXPECT_EQ(heights({999, 1}, 1000, 10), (std::vector{9, 1})) << "a thousandth is still seen";
  EXPECT_EQ(heights({1, 0}, 1000, 10, 2), (std::vector{1, 1})) << "so is what takes no time";
  EXPECT_EQ(heights({100}, 100, 7), (std::vector{7}));
  EXPECT_EQ(heights({40, 40, 20}, 100, 2), (std::vector{1, 1, 0})) << "more than there are pixels";
  EXPECT_EQ(heights({0, 0}, 100, 7), (std::vector{0, 0}));
}

TEST(Density, SharesDifferFromTheExactOnesByLessThanAPixel) {
  std::mt19937_64 random(5);
  for (int round = 0; round < 20'000; ++round) {
    const std::int64_t whole = 1 + static_cast<std::int64_t>(random() % 1'000'000'000);
    const int height = 3 + static_cast<int>(random() % 40);
    std::vector<std::int64_t> busy(1 + random() % 5);
    std::int64_t left = whole;
    for (std::int64_t& each : busy)
      left -= each = static_cast<std::int64_t>(random() % static_cast<std::uint64_t>(left + 1));
    const std::vector<int> found = heights(busy, whole, height);
    ASSERT_LE(std::accumulate(found.begin(), found.end(), 0), height);
    int lifted = 0;  // to the one pixel that each has
    for (const std::int64_t each : busy)
      if (each > 0 && static_cast<double>(each) * height < static_cast<double>(whole)) ++lifted;
    for (std::size_t i = 0; i < busy.size(); ++i) {
      const double exact = static_cast<double>(busy[i]) * height / static_cast<double>(whole);
      if (busy[i] == 0) {
        ASSERT_EQ(found[i], 0);
      } else {
        ASSERT_GE(found[i], height >= static_cast<int>(busy.size()) ? 1 : 0);
        ASSERT_LT(std::abs(found[i] - exact), 1 + lifted) << i;
      }
    }
  }
}

TEST(StreamHues, TheEightBusiestHaveTheirOwnAndAllOthersOne) {
  std::vector<Nanoseconds> busy(12, kAbsent);
  for (std::uint32_t i = 0; i < 8; ++i) busy[i + 2] = 10;
  StreamSlots slots = stream_slots(busy);
  std::set<std::uint8_t> hues(slots.of.begin() + 2, slots.of.begin() + 10);
  EXPECT_EQ(hues.size(), 8u);
  EXPECT_FALSE(hues.contains(kOtherStreams));
  EXPECT_EQ(slot_of(slots, 3), 3) << "the hue of its number where that is free";
  for (Nanoseconds& each : busy) each = 1;
  busy[11] = 100;
  slots = stream_slots(busy);
  EXPECT_NE(slot_of(slots, 11), kOtherStreams);
  EXPECT_EQ(std::count(slots.of.begin(), slots.of.end(), kOtherStreams), 4);
}

// One copy of a microsecond, then a kernel of nine and ten more of nothing, again and again.
class ManyInAColumn : public LayoutTest {
 protected:
  ManyInAColumn() {
    run = {};
    run.trace.streams = {{"S0"}};
    for (std::uint32_t i = 0; i < 20'000; ++i) {
      trace::Span span;
      span.operation = i;
      span.stream = 0;
      span.kind = i % 2 == 0 ? OperationKind::h2d : OperationKind::kernel;
      span.engine = Engine::compute;
      span.start = span.ready = i / 2 * 20'000 + (i % 2 == 0 ? 0 : 1'000);
      span.end = span.start + (i % 2 == 0 ? 1'000 : 9'000);
      run.trace.spans.push_back(span);
    }
    shown = tracks(run.trace);
    options.row_height = 44;
  }
  int rows_in(Colour colour, int x) const {
    int out = 0;
    for (int y = 0; y < scene.height; ++y) out += at(x, y) == colour ? 1 : 0;
    return out;
  }
};

TEST_F(ManyInAColumn, ShowsEachKindsShareAndWhatIsIdleAsMissingHeight) {
  draw();
  const int bar = 44 - 2 * metrics(options).inset, x = where.plot_x + where.plot_width / 2;
  options.choice.collapsed.insert(TrackKind::engine);
  redraw();
  EXPECT_NEAR(rows_in(colour(OperationKind::h2d), x), bar / 20, 1);
  EXPECT_NEAR(rows_in(colour(OperationKind::kernel), x), bar * 9 / 20, 1);
  EXPECT_LT(rows_in(colour(OperationKind::kernel), x), bar * 3 / 4) << "solid, as if nothing else were there";
}

TEST_F(ManyInAColumn, TheOverviewDoesSoToo) {
  scene = overview(shown, theme(ThemeName::dark), {.width = 900, .height = 40, .plot_x = 100, .whole = std::nullopt});
  EXPECT_GE(rows_in(colour(OperationKind::h2d), 500), 1);
  EXPECT_NEAR(rows_in(colour(OperationKind::kernel), 500), 15, 3);
}

TEST(Stacks, EqualNeighboursAreOneRectangle) {
  Stacks stacks{
      10, 0, 8, 0, 8, {{{1, 2, 3}, Fill::solid, {}}, {{4, 5, 6}, Fill::solid, {}}}, {3, 2, 3, 2, 3, 1, 0, 0, 3, 1}, 0};
  const std::vector<Rectangle> lower = pieces_of(stacks, 0), upper = pieces_of(stacks, 1);
  ASSERT_EQ(lower.size(), 2u);
  EXPECT_EQ(lower[0].x0, 10);
  EXPECT_EQ(lower[0].x1, 13);
  EXPECT_EQ(lower[0].y0, 5);
  ASSERT_EQ(upper.size(), 3u);
  EXPECT_EQ(upper[0].x1, 12);
  EXPECT_EQ(upper[0].y0, 3);
  EXPECT_EQ(upper[0].y1, 5);
}

}  // namespace
}  // namespace streamscope::timeline
