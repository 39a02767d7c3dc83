// The critical path of programs whose path can be said by hand.
#include "engine/verdict/critical_path.h"

#include <algorithm>

#include "tests/engine/verdict/judged.h"

namespace streamscope::verdict {
namespace {

using ::testing::ElementsAre;
using enum PieceKind;

using KindAndOperation = std::pair<PieceKind, OperationIndex>;
std::vector<KindAndOperation> told(const Path& path) {
  std::vector<KindAndOperation> all;
  for (const Piece& piece : path.pieces) all.push_back({piece.kind, piece.operation});
  return all;
}
std::vector<OperationIndex> executions(const Path& path) {
  std::vector<OperationIndex> all;
  for (const Piece& piece : path.pieces) {
    if (piece.kind == execution) all.push_back(piece.operation);
  }
  return all;
}

TEST(CriticalPath, OfOneStreamIsEachOperationAndEachHandOver) {
  const auto run = judged("buffer x 64MiB\nstream A\nA: h2d x\nA: axpb x fma=64 blocks=8 threads=256\nA: d2h x\n");
  EXPECT_THAT(
      told(critical_path(*run->history)),
      ElementsAre(KindAndOperation{execution, 0}, KindAndOperation{hand_over, 1}, KindAndOperation{execution, 1},
                  KindAndOperation{hand_over, 2}, KindAndOperation{execution, 2}));
}

// Four chunks, the copies to the host take longest: the first chunk's way there, then that engine's turns.
TEST(CriticalPath, GoesThroughTheEngineThatIsBusiest) {
  const auto run = judged(
      "buffer x 64MiB\nbuffer y 256MiB\nstream A\nstream B\nstream C\n"
      "A: h2d x[0:16MiB]\nB: h2d x[16MiB:16MiB]\nC: h2d x[32MiB:16MiB]\n"
      "A: d2h y[0:64MiB]\nB: d2h y[64MiB:64MiB]\nC: d2h y[128MiB:64MiB]\n");
  EXPECT_THAT(executions(critical_path(*run->history)), ElementsAre(0, 3, 4, 5));
}

// The host comes late: its work stands in the path between the two.
TEST(CriticalPath, NamesTheWorkOfTheHost) {
  const auto run = judged("buffer x 64MiB\nstream A\nA: h2d x\nhost: sync A\nhost: work 900us\nA: d2h x\n");
  const std::vector<KindAndOperation> all = told(critical_path(*run->history));
  EXPECT_THAT(all, ::testing::Contains(KindAndOperation{wake, 1}));
  EXPECT_THAT(all, ::testing::Contains(KindAndOperation{work, 2}));
  EXPECT_EQ(all.front(), (KindAndOperation{execution, 0}));
  EXPECT_EQ(all.back(), (KindAndOperation{execution, 3}));
}

TEST(WallPath, BeginsWithTheFirstCallAndEndsWithTheLastReturn) {
  const auto run = judged("buffer x 64MiB\nstream A\nA: h2d x\n");
  EXPECT_THAT(told(wall_path(*run->history)), ElementsAre(KindAndOperation{call, 0}, KindAndOperation{hand_over, 0},
                                                          KindAndOperation{execution, 0}, KindAndOperation{wake, 1}));
}

TEST(WallPath, GoesBackIntoTheThreadThatWasJoined) {
  const auto run =
      judged("buffer x 64MiB\nstream A\nthread t {\n  A: h2d x\n  host: sync A\n  host: work 500us\n}\nhost: join t\n");
  const Path path = wall_path(*run->history);
  const std::vector<KindAndOperation> all = told(path);
  // 0 the thread's start, 1 the copy, 2 the wait, 3 the work, 4 the join
  EXPECT_THAT(all, ::testing::Contains(KindAndOperation{work, 3}));
  EXPECT_THAT(all, ::testing::Contains(KindAndOperation{execution, 1}));
  EXPECT_EQ(all.front(), (KindAndOperation{call, 0}));
}

// A copy that holds its call: the call, the copy, and the way back from it.
TEST(WallPath, ABlockingCopyIsCallCopyAndWake) {
  const auto run = judged("buffer x 64MiB\nhost: memcpy h2d x\n");
  const std::vector<KindAndOperation> all = told(wall_path(*run->history));
  ASSERT_GE(all.size(), 3u);
  EXPECT_EQ(all[0], (KindAndOperation{call, 0}));
  EXPECT_THAT(all, ::testing::Contains(KindAndOperation{execution, 0}));
  EXPECT_THAT(all, ::testing::Contains(KindAndOperation{wake, 0}));
}

TEST(CriticalPath, OfNothingIsEmpty) {
  const auto run = judged("stream A\nhost: work 5us\n");
  EXPECT_TRUE(critical_path(*run->history).pieces.empty());
}

}  // namespace
}  // namespace streamscope::verdict
