#include "app/timeline/path_shares.h"

#include <gmock/gmock.h>

#include <numeric>
#include <random>

namespace streamscope::timeline {
namespace {

using verdict::Piece;
using verdict::PieceKind;

verdict::Path path_of(std::vector<std::pair<PieceKind, Nanoseconds>> parts) {
  verdict::Path out;
  Nanoseconds at = 5;
  for (const auto& [kind, time] : parts) {
    out.pieces.push_back({kind, 0, {}, at, at + time});
    at += time;
  }
  return out;
}

TEST(PathShares, AreAddedUpByKindTheLargestFirst) {
  const auto path = path_of({{PieceKind::call, 10'000},
                             {PieceKind::execution, 40'000},
                             {PieceKind::hand_over, 10'000},
                             {PieceKind::execution, 40'000}});
  EXPECT_THAT(path_shares(path), ::testing::ElementsAre(PathShare{PieceKind::execution, 80'000, 80},
                                                        PathShare{PieceKind::hand_over, 10'000, 10},
                                                        PathShare{PieceKind::call, 10'000, 10}));
  EXPECT_EQ(path_shares_text(path, PathTimes::shown),
            "execution 80 us (80 %), hand-over 10 us (10 %), host calls 10 us (10 %)");
  EXPECT_EQ(path_shares_text(path, PathTimes::left_out), "execution 80 %, hand-over 10 %, host calls 10 %");
}

TEST(PathShares, OfNoPathAreNone) {
  EXPECT_TRUE(path_shares({}).empty());
  EXPECT_EQ(path_shares_text({}, PathTimes::shown), "");
}

// Rounded one by one these would make 99 or 101.
TEST(PathShares, SumToAHundredPercent) {
  const auto sum = [](const verdict::Path& path) {
    const auto all = path_shares(path);
    return std::accumulate(all.begin(), all.end(), 0, [](int s, const PathShare& share) { return s + share.percent; });
  };
  EXPECT_EQ(sum(path_of({{PieceKind::execution, 1}, {PieceKind::call, 1}, {PieceKind::work, 1}})), 100);
  EXPECT_EQ(
      sum(path_of({{PieceKind::execution, 985}, {PieceKind::call, 5}, {PieceKind::work, 5}, {PieceKind::wake, 5}})),
      100);
  std::mt19937 random(3);
  for (int i = 0; i < 500; ++i) {
    std::vector<std::pair<PieceKind, Nanoseconds>> parts;
    for (std::size_t kind = 0; kind < kNames<PieceKind>.size(); ++kind)
      parts.push_back({static_cast<PieceKind>(kind), static_cast<Nanoseconds>(random() % 1000)});
    parts[0].second += 1;
    EXPECT_EQ(sum(path_of(parts)), 100);
  }
}

}  // namespace
}  // namespace streamscope::timeline
