// By how much later an operation could have ended, on programs small enough to say so by hand.
#include "engine/verdict/slack.h"

#include "engine/device/model/profile/profile_numbers.h"
#include "engine/verdict/critical_path.h"
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

// The launch is all that the node waits for, and the copy holds the host until then.
TEST(Slack, OfWhatHoldsTheHostBeforeItLaunchesAGraphIsNone) {
  const auto run = judged(
      "buffer p 1MiB host=pageable\nstream A\nstream B nonblocking\ngraph G on B {\n  B: spin 50us\n}\n"
      "A: d2h p\nB: launch G\n");
  const std::vector<Nanoseconds> all = slack(*run->history);
  EXPECT_EQ(all[2], 0);
  EXPECT_EQ(all[0], 0);
}

// The last node comes behind one that took no time and was over when the launch returned.
TEST(Slack, OfWhatHoldsTheHostBeforeAGraphWhoseFirstNodeTakesNoTimeIsNone) {
  model::Profile profile = model::h200();
  ASSERT_TRUE(model::change(profile, "streams.submit", "0ns"));
  const auto run = judged(
      "stream A\nstream B nonblocking\nbuffer t 64\ngraph G on B {\n  B: hostfn 0ns\n  B: hostfn 0ns\n}\n"
      "A: spin 100us\nhost: sync A\nB: launch G\n",
      profile);
  EXPECT_EQ(slack(*run->history)[0], 0);
}

// A sampled run or a saved one may say when a kernel started, and not when it ended.
TEST(Slack, OfAKernelWhoseEndIsNotKnownIsNotKnown) {
  const auto run = judged("stream A\nstream B\nA: spin 100us\nB: spin 100us\n");
  trace::Span& kernel = run->trace.spans[1];
  kernel.end = kAbsent;
  kernel.reason = trace::WaitReason::engine;
  kernel.start = kernel.host_end + 1000;
  const History history(run->trace, &run->program);
  EXPECT_TRUE(held_before_start(history, 1).empty());
  EXPECT_EQ(slack(history)[1], kAbsent);
}

}  // namespace
}  // namespace streamscope::verdict
