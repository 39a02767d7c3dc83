// What follows for the nodes of graphs, of which copies leave nothing to be seen, and for several host threads.
#include <gtest/gtest.h>

#include <string_view>

#include "engine/reconstruct/final_spans.h"
#include "tests/engine/reconstruct/observed_run.h"

namespace streamscope::reconstruct {
namespace {

constexpr std::uint64_t kMiB = 1 << 20;

// 1 MiB takes 11 us over the bus.
device::Circumstances circumstances() {
  device::Circumstances known;
  known.dispatch.after_dependency = 1'000;
  known.dispatch.after_copy = 500;
  known.dispatch.h2d = known.dispatch.d2h = {1'000, 10'000.0 / kMiB, 10'000.0 / kMiB, 9'709.0 / kMiB};
  return known;
}

constexpr std::string_view kChain =
    "buffer x 1MiB\nstream A\ngraph G on A {\nA: h2d x\nA: axpb x fma=1\nA: d2h x\n}\nA: launch G\n";

TEST(GraphNodes, ACopyEndsWhereTheKernelThatWaitedForItBegan) {
  SeenRun look(kChain);
  look.call(0, 0, 2'000).event(0, 36'000, 100).stamps(2, 15'000, 24'000).call(4, 3'000, 37'000);
  const auto spans = look.spans(circumstances());
  // The launch itself takes no time.
  EXPECT_EQ(spans[0].end, spans[0].start);
  EXPECT_EQ(spans[0].start, 2'000);
  EXPECT_EQ(spans[1].end, 14'000);
  EXPECT_EQ(spans[1].source, trace::Source::inferred);
  // Between the bytes' time from the launch on and the kernel's begin.
  EXPECT_GE(spans[1].end + spans[1].uncertainty, 15'000);
  EXPECT_LE(spans[1].end - spans[1].uncertainty, 2'000 + 11'000);
  EXPECT_EQ(spans[2].ready, 14'000);
  EXPECT_EQ(spans[2].reason, trace::WaitReason::graph);
  EXPECT_EQ(spans[2].waits_for, 1u);
  // The last node ends with its launch, which the event behind it marks.
  EXPECT_EQ(spans[3].ready, 24'000);
  EXPECT_EQ(spans[3].end, 36'000);
  EXPECT_EQ(spans[3].source, trace::Source::event);
  EXPECT_EQ(spans[3].uncertainty, 100u);
}

TEST(GraphNodes, CopiesWithoutAnObservedOrderRunOneByOne) {
  SeenRun look(
      "buffer x 2MiB\nstreams S 2\ngraph G on S0 {\nS0: record f\nS1: wait f\nS0: h2d x[0:1MiB]\nS1: h2d x[1MiB:1MiB]\n"
      "S1: record j\nS0: wait j\n}\nS0: launch G\n");
  look.call(0, 0, 2'000).event(0, 30'000, 100).call(3, 3'000, 31'000);
  const auto spans = look.spans(circumstances());
  EXPECT_EQ(spans[1].end, 2'000 + 1'000 + 11'000);
  EXPECT_EQ(spans[1].source, trace::Source::inferred);
  EXPECT_GE(spans[1].uncertainty, 30'000u - 14'000u) << "all that is known: it ended before the launch did";
  EXPECT_EQ(spans[2].end, 30'000);
  EXPECT_GE(spans[2].start, spans[1].end);
  EXPECT_EQ(spans[2].waits_for, 1u);
}

// A node that began before the launch's call came back sets its launch, and what comes before it, right.
TEST(GraphNodes, AnObservedTimeOverridesTheCall) {
  SeenRun look(kChain);
  look.call(0, 0, 20'000).event(0, 36'000, 100).stamps(2, 15'000, 24'000).call(4, 21'000, 37'000);
  const auto spans = look.spans(circumstances());
  EXPECT_LE(spans[0].start, spans[1].start);
  EXPECT_LE(spans[1].ready, spans[1].start);
  EXPECT_LE(spans[1].end, 15'000);
  EXPECT_LT(spans[1].start, spans[1].end);
}

// The bus was slower when it was measured than the copy shows it to be: what comes first is more certain.
TEST(GraphNodes, ACopyDoesNotBeginBeforeItsLaunchHoweverSlowTheBusWas) {
  SeenRun look("buffer x 1MiB\nstream A\ngraph G on A {\nA: h2d x\nA: spin 1us\n}\nA: spin 1us\nA: launch G\n");
  // 0 spin, 1 launch, 2 h2d, 3 spin, 4 sync: 7 us for a copy that took 11 us alone
  look.call(0, 0, 2'000).stamps(0, 4'000, 20'000).call(1, 3'000, 5'000).event(1, 40'000, 100).stamps(3, 27'000, 28'000);
  look.call(4, 6'000, 41'000);
  const auto spans = look.spans(circumstances());
  EXPECT_GE(spans[2].start, 20'000 - SeenRun::kAfterStamp) << "its last block's stamp";
  EXPECT_LE(spans[2].end, 27'000);
}

// Two copies of 10 us each went through in 14: both end where the doubt of the first reaches, whoever was faster.
TEST(GraphNodes, CopiesThatWereFasterThanCanBeAreAsDoubtful) {
  SeenRun look(
      "buffer x 1MiB\nstream A\ngraph G on A {\nA: h2d x\nA: d2h x\nA: spin 1us\n}\nA: spin 1us\nA: launch G\n");
  // 0 spin, 1 launch, 2 h2d, 3 d2h, 4 spin, 5 sync
  look.call(0, 0, 2'000).stamps(0, 4'000, 20'000).call(1, 3'000, 5'000).event(1, 40'000, 100).stamps(4, 34'000, 35'000);
  look.call(5, 6'000, 41'000);
  const auto spans = look.spans(circumstances());
  EXPECT_LE(spans[2].end - spans[2].uncertainty, 27'000);
  EXPECT_GE(spans[2].end + spans[2].uncertainty, 27'000) << "where they took as long";
  EXPECT_LE(spans[3].start - spans[3].start_uncertainty, 27'000);
  EXPECT_GE(spans[3].start + spans[3].start_uncertainty, 27'000);
}

// When the rate was measured the link was disturbed, so a copy may take as little as the link can carry.
TEST(GraphNodes, ACopyMayBeAsFastAsTheLinkHoweverSlowItWasWhenMeasured) {
  SeenRun look(
      "buffer x 1MiB\nstream A\ngraph G on A {\nA: h2d x\nA: d2h x\nA: spin 1us\n}\nA: spin 1us\nA: launch G\n");
  look.call(0, 0, 2'000).stamps(0, 4'000, 20'000).call(1, 3'000, 5'000).event(1, 60'000, 100).stamps(4, 41'500, 43'000);
  look.call(5, 6'000, 61'000);
  device::Circumstances known = circumstances();
  known.dispatch.h2d.least = known.dispatch.d2h.least = 7'500.0 / kMiB;
  const auto spans = look.spans(known);
  // The first took 13.5 us, the second 8, or the other way round.
  EXPECT_LE(spans[2].end - spans[2].uncertainty, 28'000);
  EXPECT_GE(spans[2].end + spans[2].uncertainty, 33'500);
}

TEST(GraphNodes, NodesOfALaunchThatHasNotEndedStayUnknown) {
  SeenRun look(kChain);
  look.seen[0].host_begin = 0;
  look.seen[0].host_end = 2'000;
  const auto spans = look.spans(circumstances());
  for (const std::size_t i : {1, 2, 3}) EXPECT_FALSE(known(spans[i].end)) << i;
  const auto final = final_spans(look.program, program::Dependencies(look.program), spans, 4, 1'000'000'000);
  for (std::size_t i = 0; i < 4; ++i) EXPECT_FALSE(final[i]) << i;
}

// The thread's operations stand before the rest of main's, but here the wait was issued after main's record.
TEST(HostThreads, WhatComesAfterWhatFollowsFromTheRealOrder) {
  SeenRun look(
      "streams S 2 nonblocking\nevent e\nthread T {\nhost: work 1us\nS1: wait e\nS1: spin 1us\n}\nS0: spin 50us\nS0: "
      "record e\n"
      "host: join T\n");
  // 0 thread, 1 work, 2 wait, 3 spin in S1, 4 spin in S0, 5 record, 6 join, 7 the end
  look.call(0, 0, 100).call(4, 1'000, 2'000).stamps(4, 4'000, 54'000).call(5, 2'000, 3'000);
  look.call(1, 500, 9'000).call(2, 10'000, 11'000).call(3, 11'000, 12'000).stamps(3, 55'000, 56'000);
  look.call(6, 3'000, 13'000).call(7, 13'000, 57'000);
  const auto spans = look.spans(circumstances());
  EXPECT_EQ(spans[2].end, 54'000);
  EXPECT_EQ(spans[3].ready, 54'000);
  EXPECT_EQ(spans[3].reason, trace::WaitReason::event);
  EXPECT_EQ(spans[3].waits_for, 4u);
  EXPECT_EQ(spans[3].start, 55'000);
}

}  // namespace
}  // namespace streamscope::reconstruct
