#include "app/timeline/lane.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <functional>
#include <limits>
#include <optional>
#include <random>

#include "tests/app/timeline/lane_by_brute_force.h"

namespace streamscope::timeline {

// How a test's message shows a run.
static void PrintTo(const PixelRun& run, std::ostream* out) {
  *out << "[" << run.x0 << "," << run.x1 << ") " << run.first << ".." << run.last << " of " << run.longest;
}

namespace {

std::vector<PixelRun> runs(const Lane& lane, const View& view, int begin, int end) {
  std::vector<PixelRun> out;
  emit(lane, view, begin, end, out);
  return out;
}

void expect_as_by_brute_force(const Pieces& pieces, const View& view, int begin, int end) {
  SCOPED_TRACE(::testing::Message() << pieces.size() << " spans, origin " << view.origin << " scale " << view.scale
                                    << " columns " << begin << " to " << end);
  const Lane lane = lane_of(pieces);
  const ByBruteForce rule(pieces, view, grain(lane, view));
  const std::vector<PixelRun> found = runs(lane, view, begin, end);
  ASSERT_EQ(found, rule.all(begin, end));

  // The same from its middle on: what is cut off changes nothing of what is left.
  const int middle = begin + (end - begin) / 3;
  std::vector<PixelRun> cut;
  for (PixelRun run : found) {
    run.x0 = std::max(run.x0, middle);
    if (run.x0 < run.x1) cut.push_back(run);
  }
  ASSERT_EQ(runs(lane, view, middle, end), cut);

  std::size_t at = 0;
  for (int x = begin; x < end; ++x) {
    while (at < found.size() && found[at].x1 <= x) ++at;
    const bool drawn = at < found.size() && found[at].x0 <= x;
    const auto one = under(lane, view, x);
    ASSERT_EQ(one.has_value(), drawn) << "column " << x;
    if (!drawn) continue;
    ASSERT_EQ(one->longest, found[at].longest) << "column " << x;
    ASSERT_EQ(one->x0, x);
    ASSERT_EQ(one->x1, x + 1);
    if (!alone(found[at])) {
      ASSERT_EQ(one->first, found[at].first) << "column " << x;
      ASSERT_EQ(one->last, found[at].last) << "column " << x;
      continue;
    }
    ASSERT_TRUE(rule.covers(one->first, x) && rule.covers(one->last, x)) << "column " << x;
    ASSERT_FALSE(one->first > 0 && rule.covers(one->first - 1, x)) << "column " << x;
    ASSERT_FALSE(one->last + 1 < pieces.size() && rule.covers(one->last + 1, x)) << "column " << x;
  }
}

class RandomSource {
 public:
  explicit RandomSource(std::uint64_t seed) : random_(seed) {}
  std::int64_t below(std::int64_t limit) {
    return static_cast<std::int64_t>(random_() % static_cast<std::uint64_t>(limit));
  }
  // Mostly short, now and then very long.
  std::int64_t heavy(std::int64_t limit) {
    std::int64_t most = 1;
    while (most < limit && below(4) > 0) most *= 4;
    return below(std::min(most, limit));
  }

 private:
  std::mt19937_64 random_;
};

// How a lane's spans and gaps are drawn by lot.
struct Shape {
  const char* name;
  std::function<std::int64_t(RandomSource&, std::int64_t most)> gap, length;
};
std::vector<Shape> shapes() {
  const auto uniform = [](RandomSource& random, std::int64_t most) { return random.below(most); };
  const auto heavy = [](RandomSource& random, std::int64_t most) { return random.heavy(most * 50); };
  const auto none = [](RandomSource&, std::int64_t) { return std::int64_t{0}; };
  const auto seldom = [](RandomSource& random, std::int64_t most) {
    return random.below(12) == 0 ? random.below(most * 6) : 0;
  };
  const auto often_none = [](RandomSource& random, std::int64_t most) {
    return random.below(3) == 0 ? 0 : random.below(most);
  };
  return {{"uniform", uniform, uniform},
          {"heavy-tailed", heavy, heavy},
          {"touching", none, uniform},
          {"touching, heavy", none, heavy},
          {"isolated gaps", seldom, uniform},
          {"marks", uniform, none},
          {"marks between", often_none, often_none},
          {"marks that touch", seldom, none}};
}

Pieces random_pieces(RandomSource& random, const Shape& shape, std::int64_t count, std::int64_t most_gap,
                     std::int64_t most_length) {
  Pieces pieces;
  Nanoseconds time = random.below(2000) - 1000;
  for (std::int64_t i = 0; i < count; ++i) {
    time += shape.gap(random, most_gap);
    const Nanoseconds end = time + shape.length(random, most_length);
    pieces.push_back({time, end});
    time = end;
  }
  return pieces;
}

TEST(Lane, ThatIsEmptyDrawsNothing) {
  EXPECT_TRUE(runs(lane_of({}), {0, kFine}, 0, 100).empty());
  EXPECT_FALSE(under(lane_of({}), {0, kFine}, 0).has_value());
}

TEST(Lane, DrawsASpanHoweverShort) {
  const View view{0, 1'000'000 * kFine};
  EXPECT_EQ(runs(lane_of({{3'999'999, 3'999'999}}), view, 0, 10), (std::vector<PixelRun>{{3, 4, 0, 0, 0}}));
}

TEST(Lane, KeepsOneEmptyColumnBetweenTwoSpans) {
  const View view{0, 10 * kFine};
  EXPECT_EQ(runs(lane_of({{0, 10}, {20, 30}}), view, 0, 10), (std::vector<PixelRun>{{0, 1, 0, 0, 0}, {2, 3, 1, 1, 1}}));
  // A gap as long as a pixel, but over two columns: no column is empty.
  EXPECT_EQ(runs(lane_of({{0, 15}, {25, 30}}), view, 0, 10), (std::vector<PixelRun>{{0, 3, 0, 1, 0}}));
}

TEST(Lane, GivesASpanThatFillsTwoColumnsItsOwnRun) {
  const View view{0, 10 * kFine};
  // The second fills columns 1 and 2 and begins where the first ends; the third fills but one.
  EXPECT_EQ(runs(lane_of({{0, 10}, {10, 30}, {30, 49}}), view, 0, 10),
            (std::vector<PixelRun>{{0, 1, 0, 0, 0}, {1, 3, 1, 1, 1}, {3, 5, 2, 2, 2}}));
  // It keeps what it covers in part, too: columns 0 and 3.
  EXPECT_EQ(runs(lane_of({{0, 9}, {9, 31}, {31, 49}}), view, 0, 10),
            (std::vector<PixelRun>{{0, 4, 1, 1, 1}, {4, 5, 2, 2, 2}}));
}

TEST(Lane, GivesASharedColumnToTheLongerOfTwo) {
  const View view{0, 10 * kFine};
  EXPECT_EQ(runs(lane_of({{0, 24}, {24, 50}}), view, 0, 10), (std::vector<PixelRun>{{0, 2, 0, 0, 0}, {2, 5, 1, 1, 1}}));
  EXPECT_EQ(runs(lane_of({{0, 25}, {25, 50}}), view, 0, 10), (std::vector<PixelRun>{{0, 3, 0, 0, 0}, {3, 5, 1, 1, 1}}))
      << "of equals the first";
}

TEST(Lane, GivesACellOfEqualsToTheFirst) {
  Pieces pieces;
  for (int i = 0; i < 32'000; ++i) pieces.push_back({i, i + 1});
  const Lane lane = lane_of(pieces);
  const View view{0, 100 * kFine};
  EXPECT_EQ(grain(lane, view), 256u);
  // Cells end at 3200 and 6400 spans; the first of every 256 from there on are 3328 and 6400.
  const auto found = runs(lane, view, 0, 67);
  EXPECT_EQ(found,
            (std::vector<PixelRun>{{0, 33, 0, 3327, 0}, {33, 64, 3328, 6399, 3328}, {64, 67, 6400, 9727, 6400}}));
}

TEST(Lane, CountsItsCellsFromItsFirstSpan) {
  Pieces pieces;
  for (int i = 0; i < 100; ++i) pieces.push_back({i * 10, (i + 1) * 10});
  const auto found = runs(lane_of(pieces), {-50 * kFine, 10 * kFine}, 0, 105);
  EXPECT_EQ(found, (std::vector<PixelRun>{
                       {5, 37, 0, 31, 0}, {37, 69, 32, 63, 32}, {69, 101, 64, 95, 64}, {101, 105, 96, 99, 96}}));
}

TEST(Lane, KeepsTheColoursOfTouchingSpans) {
  const View view{0, 100 * kFine};
  const auto found = runs(lane_of({{0, 1000}, {1000, 4000}, {4000, 5000}}), view, 0, 100);
  EXPECT_EQ(found, (std::vector<PixelRun>{{0, 10, 0, 0, 0}, {10, 40, 1, 1, 1}, {40, 50, 2, 2, 2}}));
}

TEST(Lane, SaysWhatHidesAtTheEdgesOfALongSpan) {
  const View view{0, 10 * kFine};
  const Lane lane = lane_of({{0, 1}, {1, 2}, {3, 47}, {48, 49}});
  EXPECT_EQ(runs(lane, view, 0, 10), (std::vector<PixelRun>{{0, 5, 2, 2, 2}}));
  EXPECT_EQ(under(lane, view, 0), (PixelRun{0, 1, 0, 2, 2}));
  EXPECT_EQ(under(lane, view, 2), (PixelRun{2, 3, 2, 2, 2}));
  EXPECT_EQ(under(lane, view, 4), (PixelRun{4, 5, 2, 3, 2}));
}

TEST(Lane, IsCutAtTheColumnsAskedFor) {
  const View view{0, 10 * kFine};
  EXPECT_EQ(runs(lane_of({{-1000, 1000}}), view, 5, 8), (std::vector<PixelRun>{{5, 8, 0, 0, 0}}));
  EXPECT_TRUE(runs(lane_of({{-1000, 1000}}), view, 100, 108).empty());
  EXPECT_TRUE(runs(lane_of({{-1000, 1000}}), view, 8, 8).empty());
}

TEST(Lane, OfTimesThatNoViewReachesIsDrawnAtTheFurthest) {
  constexpr Nanoseconds kLeast = std::numeric_limits<Nanoseconds>::min(),
                        kMost = std::numeric_limits<Nanoseconds>::max();
  Pieces pieces{{kLeast, kLeast + 7}, {-5, 5}};
  for (int i = 0; i < 40; ++i) pieces.push_back({kMost - 100 + i, kMost - 100 + i});
  const Lane lane = lane_of(pieces);
  EXPECT_EQ(runs(lane, {-10 * kFine, kFine}, 0, 100), (std::vector<PixelRun>{{5, 15, 1, 1, 1}}));
  const View end{(kFurthest - 10) * kFine, kFine}, begin{(-kFurthest - 10) * kFine, kFine};
  EXPECT_EQ(runs(lane, end, 0, 100), (std::vector<PixelRun>{{10, 11, 2, 41, 2}}));
  EXPECT_EQ(runs(lane, begin, -100, 100), (std::vector<PixelRun>{{0, 1, 0, 0, 0}}));
  const View widest{0, kLargestScale};
  for (const PixelRun& run :
       runs(lane, widest, std::numeric_limits<std::int32_t>::min(), std::numeric_limits<std::int32_t>::max()))
    EXPECT_LE(run.x1 - run.x0, 2);
}

// Deepest in to the whole, at shifted origins, for each shape.
TEST(Lane, DrawsExactlyTheUnionOfItsSpansAtAnyZoom) {
  RandomSource random(20261121);
  for (const Shape& shape : shapes()) {
    SCOPED_TRACE(shape.name);
    for (int round = 0; round < 400; ++round) {
      const std::int64_t count = 1 + random.below(round % 50 == 0 ? 3000 : 80);
      const Pieces pieces = random_pieces(random, shape, count, std::int64_t{1} << (1 + random.below(12)),
                                          std::int64_t{1} << (1 + random.below(12)));
      const Nanoseconds begin = pieces.front().start, end = pieces.back().end;
      View view = fit(begin, end, 150);
      if (const std::int64_t zoom = random.below(4); zoom > 0) {
        view.scale = std::max(view.scale >> random.below(zoom == 1 ? 40 : 8), kSmallestScale);
        if (random.below(3) == 0)
          view.scale = std::max(view.scale / kFine, std::int64_t{1}) * kFine;  // edges on columns
        view.origin =
            pieces[static_cast<std::size_t>(random.below(count))].start * kFine - random.below(view.scale * 150);
      }
      if (random.below(4) == 0) view.origin = view.origin / view.scale * view.scale;
      expect_as_by_brute_force(pieces, view, static_cast<int>(random.below(20)) - 10,
                               100 + static_cast<int>(random.below(100)));
      if (HasFatalFailure()) return;
    }
  }
}

// The same lane far from time 0, on either side, is the same picture but for where its cells begin.
TEST(Lane, IsExactFarFromTimeZero) {
  RandomSource random(7);
  for (const Nanoseconds shift : {Nanoseconds{-1} << 50, -Nanoseconds{1'000'000'007}, Nanoseconds{1} << 50}) {
    for (const Shape& shape : shapes()) {
      for (int round = 0; round < 20; ++round) {
        Pieces pieces = random_pieces(random, shape, 60, 300, 300);
        for (Piece& piece : pieces) piece = {piece.start + shift, piece.end + shift};
        View view = fit(pieces.front().start, pieces.back().end, 150);
        if (round % 2 == 0) view.scale = kSmallestScale + random.below(view.scale);
        view.origin = pieces[static_cast<std::size_t>(random.below(60))].start * kFine - random.below(view.scale * 100);
        expect_as_by_brute_force(pieces, view, 0, 150);
        if (HasFatalFailure()) return;
      }
    }
  }
}

// Gaps and spans of just a pixel, every one of them a candidate that must be looked at.
TEST(Lane, IsExactWhereEverythingIsNearlyAPixel) {
  RandomSource random(3);
  const std::int64_t pixel = 100;
  for (int round = 0; round < 400; ++round) {
    Pieces pieces;
    Nanoseconds time = random.below(pixel);
    for (int i = 0; i < 100; ++i) {
      time += random.below(3) == 0 ? 0 : pixel - 1 + random.below(3);
      const Nanoseconds end = time + random.below(4) * pixel + random.below(3) - (random.below(2) == 0 ? 0 : 1);
      pieces.push_back({time, std::max(time, end)});
      time = pieces.back().end;
    }
    expect_as_by_brute_force(pieces, {random.below(50 * pixel * kFine), pixel * kFine}, 0, 150);
    if (HasFatalFailure()) return;
  }
}

// Thousands in a cell: runs are cut at every 16th, 64th or 256th span only.
TEST(Lane, IsExactWhereSpansAreDense) {
  RandomSource random(11);
  for (const Shape& shape : shapes()) {
    SCOPED_TRACE(shape.name);
    for (int round = 0; round < 12; ++round) {
      const Pieces pieces = random_pieces(random, shape, 20'000, std::int64_t{1} << (1 + random.below(9)), 64);
      View view = fit(pieces.front().start, pieces.back().end, 50 + static_cast<int>(random.below(1000)));
      view.origin += random.below(view.scale * 100) - random.below(view.scale * 100);
      expect_as_by_brute_force(pieces, view, static_cast<int>(random.below(400)),
                               400 + static_cast<int>(random.below(200)));
      if (HasFatalFailure()) return;
    }
  }
}

TEST(Lane, KeepsTheEndsOfLongSpans) {
  const Nanoseconds most = Lane::kLong, furthest = std::numeric_limits<Nanoseconds>::max();
  const Pieces pieces{{-5, 7},
                      {7, 7 + most - 1},
                      {most + 7, 2 * most + 7},
                      {2 * most + 7, 2 * most + 7},
                      {2 * most + 8, 3 * most + 9},
                      {3 * most + 10, furthest}};
  const Lane lane = lane_of(pieces);
  EXPECT_EQ(lane.long_spans.size(), 3u);
  for (std::uint32_t i = 0; i < lane.size(); ++i) {
    EXPECT_EQ(lane.start[i], pieces[i].start) << i;
    EXPECT_EQ(lane.end(i), pieces[i].end) << i;
    EXPECT_EQ(lane.first_ending(pieces[i].end), i == 3 ? 2 : i) << i;
  }
  EXPECT_EQ(lane.first_ending(std::numeric_limits<Nanoseconds>::min()), 0u);
  const Lane broken = lane_of({{std::numeric_limits<Nanoseconds>::min(), furthest}});
  EXPECT_EQ(broken.end(0), furthest);
  EXPECT_EQ(Lane{}.first_ending(0), 0u);
}

TEST(Lane, OfAMillionSpansIsEmittedByItsCells) {
  Pieces pieces;
  for (std::int64_t i = 0; i < 1'000'000; ++i) pieces.push_back({i * 100, i * 100 + 40 + i % 7});
  const Lane lane = lane_of(pieces);
  const View view = fit(0, 100'000'000, 1600);
  const auto found = runs(lane, view, 0, 1600);
  ASSERT_FALSE(found.empty());
  EXPECT_LE(found.size(), 1600u / kCellColumns + 2);
  for (const PixelRun& run : found) {
    EXPECT_EQ(lane.end(run.longest) - lane.start[run.longest], 46);
    EXPECT_EQ(run.longest % 7, 6u);
    EXPECT_LT(run.longest - run.first, 7u);  // the first of equals
  }
  std::size_t indexed = 0;
  for (const MaxPyramid* pyramid : {&lane.gaps, &lane.durations})
    for (const MaxPyramid::Level& level : pyramid->levels) indexed += level.most.size() * 8 + level.which.size() * 4;
  indexed += lane.sample.size() * 8;
  EXPECT_LT(indexed, lane.start.size() * 7 / 4) << "bytes";
}

}  // namespace
}  // namespace streamscope::timeline
