#include "engine/output/tracks.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <random>
#include <set>

namespace streamscope::output {
namespace {

TEST(Spread, SlicesThatMeetShareATrack) {
  const auto tracks = spread({{10, 20, 0}, {20, 30, 1}, {0, 10, 2}});
  ASSERT_EQ(tracks.size(), 1u);
  EXPECT_EQ(tracks[0][0].span, 2u);
  EXPECT_EQ(tracks[0][2].span, 1u);
}

TEST(Spread, OneThatOverlapsGoesToASecondTrackAndTheNextComesBackToTheFirst) {
  const auto tracks = spread({{0, 10, 0}, {5, 12, 1}, {10, 20, 2}});
  ASSERT_EQ(tracks.size(), 2u);
  EXPECT_EQ(tracks[0].size(), 2u);
  EXPECT_EQ(tracks[1][0].span, 1u);
}

TEST(Spread, SlicesWithoutLengthStayOnTheTrackTheyStandOn) {
  EXPECT_EQ(spread({{0, 10, 0}, {10, 10, 1}, {10, 10, 2}, {10, 20, 3}}).size(), 1u);
  EXPECT_EQ(spread({{0, 10, 0}, {5, 5, 1}}).size(), 2u);
}

TEST(Spread, NothingGivesNothing) { EXPECT_TRUE(spread({}).empty()); }

TEST(Spread, KeepsEverySliceOnAsFewTracksAsTheDeepestOverlap) {
  std::mt19937 random(3);
  for (int round = 0; round < 100; ++round) {
    std::vector<Slice> slices;
    std::vector<std::size_t> depth(200, 0);
    for (std::size_t i = 0; i < 40; ++i) {
      const Nanoseconds start = random() % 150, end = start + 1 + random() % 40;
      slices.push_back({start, end, i});
      for (Nanoseconds at = start; at < end; ++at) ++depth[static_cast<std::size_t>(at)];
    }
    const auto tracks = spread(slices);
    EXPECT_EQ(tracks.size(), *std::max_element(depth.begin(), depth.end()));
    std::set<std::size_t> seen;
    for (const auto& track : tracks) {
      for (std::size_t i = 0; i < track.size(); ++i) {
        seen.insert(track[i].span);
        if (i > 0) {
          EXPECT_LE(track[i - 1].end, track[i].start);
        }
      }
    }
    EXPECT_EQ(seen.size(), slices.size());
  }
}

}  // namespace
}  // namespace streamscope::output
