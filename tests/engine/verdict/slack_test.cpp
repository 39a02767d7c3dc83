// By how much later an operation could have ended, on programs small enough to say so by hand.
#include "engine/verdict/slack.h"

#include "engine/verdict/judgement.h"
#include "tests/engine/model/author.h"
#include "tests/engine/verdict/judged.h"

namespace streamscope::verdict {
namespace {

TEST(Slack, OfAnOperationThatNothingComesBehindIsWhatIsLeftOfTheRun) {
  const auto run = judged("stream A\nstream B\nA: spin 100us\nB: spin 900us\n");
  const std::vector<Nanoseconds> all = slack(*run->history);
  EXPECT_EQ(all[1], 0);
  EXPECT_EQ(all[0], run->trace.spans[1].end - run->trace.spans[0].end);
}

// A's kernel is done long before B's, which the last one waits for as well.
TEST(Slack, IsKeptThroughAnEvent) {
  const auto run =
      judged("stream A\nstream B\nevent e\nA: spin 100us\nA: record e\nB: spin 900us\nB: wait e\nB: spin 100us\n");
  const std::vector<Nanoseconds> all = slack(*run->history);
  EXPECT_EQ(all[4], 0);
  EXPECT_EQ(all[2], 0);
  EXPECT_NEAR(static_cast<double>(all[0]), 800e3, 20e3);
}

// The host waits for A's kernel before it issues what ends the run.
TEST(Slack, WhatTheHostWaitsForBeforeItIssuesMoreHasNone) {
  const auto run = judged("stream A\nstream B\nA: spin 300us\nhost: sync A\nB: spin 300us\n");
  const std::vector<Nanoseconds> all = slack(*run->history);
  EXPECT_EQ(all[0], 0);
  EXPECT_EQ(all[2], 0);
}

// An operation that the critical path goes through from end to end could not have ended later.
TEST(Slack, IsNoneOnTheCriticalPath) {
  std::size_t on_path = 0, with_slack = 0;
  for (std::uint32_t seed = 0; seed < 200; ++seed) {
    const auto run = judged(model::Author(seed).write(60));
    const std::vector<Nanoseconds> all = slack(*run->history);
    for (OperationIndex i = 0; i < run->history->size(); ++i) {
      if (!run->history->executes(i)) continue;
      ASSERT_GE(all[i], 0) << "seed " << seed << ", operation " << i;
      with_slack += all[i] > 0 ? 1 : 0;
    }
    for (const Piece& piece : critical_path(*run->history).pieces) {
      if (piece.kind != PieceKind::execution || piece.operation == kNoOperation) continue;
      if (piece.to != run->history->span(piece.operation).end) continue;
      EXPECT_EQ(all[piece.operation], 0) << "seed " << seed << ", operation " << piece.operation;
      ++on_path;
    }
  }
  EXPECT_GT(on_path, 1000u);
  EXPECT_GT(with_slack, 1000u);
}

}  // namespace
}  // namespace streamscope::verdict
