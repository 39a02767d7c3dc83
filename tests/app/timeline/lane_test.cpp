#include "app/timeline/lane.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <random>

namespace streamscope {
namespace {

struct Piece {
  Nanoseconds start, end;
};

Lane lane_of(const std::vector<Piece>& pieces) {
  Lane lane;
  for (const Piece& piece : pieces) {
    lane.start.push_back(piece.start);
    lane.end.push_back(piece.end);
    lane.span.push_back(static_cast<std::uint32_t>(lane.span.size()));
  }
  index(lane);
  return lane;
}

std::vector<PixelRun> runs(const Lane& lane, const View& view, int begin, int end) {
  std::vector<PixelRun> out;
  emit(lane, view, begin, end, out);
  return out;
}

// The rule of timeline.md, said once more in 128 bits and without any search: what covers column x?
bool covers(const Piece& piece, const View& view, std::int64_t x) {
  using Wide = __int128;
  const Wide s = Wide{piece.start} * kFine - view.origin, e = Wide{piece.end} * kFine - view.origin, q = view.scale;
  const bool holds_start = x * q <= s && s < (x + 1) * q;
  const bool overlaps = s < (x + 1) * q && x * q < e;
  return holds_start || overlaps;
}

void expect_as_by_brute_force(const std::vector<Piece>& pieces, const View& view, int begin, int end) {
  const Lane lane = lane_of(pieces);
  const std::vector<PixelRun> found = runs(lane, view, begin, end);
  std::size_t at = 0;
  for (int x = begin; x < end; ++x) {
    std::vector<std::uint32_t> here;
    for (std::uint32_t i = 0; i < pieces.size(); ++i) {
      if (covers(pieces[i], view, x)) here.push_back(i);
    }
    while (at < found.size() && found[at].x1 <= x) ++at;
    const bool drawn = at < found.size() && found[at].x0 <= x;
    ASSERT_EQ(drawn, !here.empty()) << "column " << x << " origin " << view.origin << " scale " << view.scale;
    const auto one = under(lane, view, x);
    ASSERT_EQ(one.has_value(), drawn);
    if (!drawn) continue;
    const std::uint32_t longest = *std::max_element(here.begin(), here.end(), [&](std::uint32_t a, std::uint32_t b) {
      return pieces[a].end - pieces[a].start < pieces[b].end - pieces[b].start;
    });
    ASSERT_EQ(found[at].longest, longest) << "column " << x;
    ASSERT_LE(found[at].first, here.front());
    ASSERT_GE(found[at].last, here.back());
    ASSERT_EQ(*one, (PixelRun{x, x + 1, here.front(), here.back(), longest}));
  }
  for (std::size_t i = 0; i < found.size(); ++i) {
    ASSERT_LT(found[i].x0, found[i].x1);
    ASSERT_GE(found[i].x0, begin);
    ASSERT_LE(found[i].x1, end);
    ASSERT_TRUE(i == 0 || found[i - 1].x1 <= found[i].x0);
    // One run for one owner: neighbours that could be one would cost twice.
    ASSERT_TRUE(i == 0 || found[i - 1].x1 < found[i].x0 || found[i - 1].longest != found[i].longest);
  }
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
  EXPECT_EQ(runs(lane_of({{0, 15}, {25, 30}}), view, 0, 10), (std::vector<PixelRun>{{0, 2, 0, 0, 0}, {2, 3, 1, 1, 1}}));
}

TEST(Lane, GivesASharedColumnToTheLongest) {
  const View view{0, 10 * kFine};
  EXPECT_EQ(runs(lane_of({{0, 12}, {12, 40}, {40, 41}}), view, 0, 10),
            (std::vector<PixelRun>{{0, 1, 0, 0, 0}, {1, 4, 0, 1, 1}, {4, 5, 2, 2, 2}}));
}

TEST(Lane, GivesAColumnOfEqualsToTheFirst) {
  std::vector<Piece> pieces;
  for (int i = 0; i < 1000; ++i) pieces.push_back({i, i + 1});
  EXPECT_EQ(runs(lane_of(pieces), {0, 1000 * kFine}, 0, 10), (std::vector<PixelRun>{{0, 1, 0, 999, 0}}));
}

TEST(Lane, KeepsTheColoursOfTouchingSpans) {
  const View view{0, 100 * kFine};
  const auto found = runs(lane_of({{0, 1000}, {1000, 4000}, {4000, 5000}}), view, 0, 100);
  EXPECT_EQ(found, (std::vector<PixelRun>{{0, 10, 0, 0, 0}, {10, 40, 1, 1, 1}, {40, 50, 2, 2, 2}}));
}

TEST(Lane, IsCutAtTheColumnsAskedFor) {
  const View view{0, 10 * kFine};
  EXPECT_EQ(runs(lane_of({{-1000, 1000}}), view, 5, 8), (std::vector<PixelRun>{{5, 8, 0, 0, 0}}));
  EXPECT_TRUE(runs(lane_of({{-1000, 1000}}), view, 100, 108).empty());
  EXPECT_TRUE(runs(lane_of({{-1000, 1000}}), view, 8, 8).empty());
}

TEST(Lane, DrawsExactlyTheUnionOfItsSpans) {
  std::mt19937_64 random(20261121);
  const auto below = [&](std::int64_t limit) {
    return static_cast<std::int64_t>(random() % static_cast<std::uint64_t>(limit));
  };
  for (int round = 0; round < 3000; ++round) {
    const std::int64_t longest = std::int64_t{1} << below(16), widest = std::int64_t{1} << below(16);
    std::vector<Piece> pieces;
    Nanoseconds time = below(2000) - 1000;
    const std::int64_t count = below(round % 50 == 0 ? 3000 : 60);
    for (std::int64_t i = 0; i < count; ++i) {
      if (below(3) > 0) time += below(widest);  // else it touches the one before
      const Nanoseconds end = below(4) == 0 ? time : time + below(longest);
      pieces.push_back({time, end});
      time = end;
    }
    View view;
    view.scale = kSmallestScale + below(std::int64_t{1} << (5 + below(25)));
    if (below(3) == 0) view.scale = (1 + below(64)) * kFine;  // edges that fall on columns
    view.origin =
        (pieces.empty() ? 0 : pieces[static_cast<std::size_t>(below(count))].start) * kFine - below(view.scale * 150);
    if (below(4) == 0) view.origin = view.origin / view.scale * view.scale;
    expect_as_by_brute_force(pieces, view, static_cast<int>(below(20)) - 10, 200);
    if (HasFatalFailure()) return;
  }
}

TEST(Lane, OfAMillionSpansIsEmittedColumnByColumn) {
  std::vector<Piece> pieces;
  for (std::int64_t i = 0; i < 1'000'000; ++i) pieces.push_back({i * 100, i * 100 + 40 + i % 7});
  const Lane lane = lane_of(pieces);
  const View view = fit(0, 100'000'000, 1600);
  const auto found = runs(lane, view, 0, 1600);
  ASSERT_FALSE(found.empty());
  EXPECT_LE(found.size(), 1600u);
  for (const PixelRun& run : found) {
    EXPECT_EQ(lane.end[run.longest] - lane.start[run.longest], 46);
    EXPECT_EQ(run.longest % 7, 6u);
    EXPECT_LT(run.longest - run.first, 7u);  // the first of equals
  }
  std::size_t indexed = 0;
  for (const Lane::Level& level : lane.levels) indexed += level.duration.size();
  EXPECT_LT(indexed, lane.start.size() / 14);
}

}  // namespace
}  // namespace streamscope
