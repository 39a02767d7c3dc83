// What held an operation, on programs and traces small enough to say so by hand.
#include "engine/verdict/slices.h"

#include "tests/engine/verdict/judged.h"

namespace streamscope::verdict {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;

TEST(Cut, TheHolderThatReleasesLastIsCharged) {
  const std::vector<Slice> all = cut(0, 100,
                                     {{0, 40, WaitCause::stream, 1, true},
                                      {10, 60, WaitCause::event, 2, true},
                                      {20, 30, WaitCause::engine, 3, true},
                                      {80, 200, WaitCause::engine, 4, true}});
  EXPECT_THAT(all, ElementsAre(Slice{0, 10, WaitCause::stream, 1, true}, Slice{10, 60, WaitCause::event, 2, true},
                               Slice{80, 100, WaitCause::engine, 4, true}));
}

TEST(Cut, OfSeveralThatReleaseAtOnceTheLowestOperationIsCharged) {
  EXPECT_THAT(cut(0, 50, {{0, 50, WaitCause::stream, 7, true}, {0, 50, WaitCause::event, 3, true}}),
              ElementsAre(Slice{0, 50, WaitCause::event, 3, true}));
}

TEST(Cut, NothingIsChargedBeforeTheBeginOrBehindTheEnd) {
  EXPECT_THAT(cut(10, 20, {{0, 10, WaitCause::stream, 1, true}, {20, 30, WaitCause::stream, 2, true}}), IsEmpty());
}

// The operations: 0 and on, one a line behind the declarations.
TEST(Slices, AnOperationWaitsForTheOneBeforeItInItsStream) {
  const auto run = judged("buffer x 64MiB\nstream A\nA: h2d x\nA: axpb x fma=64 blocks=8 threads=256\n");
  EXPECT_THAT(slices(*run->history, 1), ElementsAre(HeldBy(WaitCause::stream, 0u), IsCause(WaitCause::hand_over)));
  EXPECT_EQ(slices(*run->history, 1).front().to, run->trace.spans[0].end);
}

TEST(Slices, ACopyWaitsForTheEngineOnceItIsReady) {
  const auto run = judged("buffer x 64MiB\nstream A\nstream B\nA: h2d x[0:32MiB]\nB: h2d x[32MiB:32MiB]\n");
  const std::vector<Slice> all = slices(*run->history, 1);
  ASSERT_FALSE(all.empty());
  EXPECT_THAT(all, ::testing::Contains(HeldBy(WaitCause::engine, 0u)));
}

// Each of both is right before the other, and neither holds itself.
TEST(Slices, OfTwoThatTookNoTimeAtOneInstantWhatWasBeforeThemHeldBoth) {
  const auto run = judged("buffer x 1MiB\nstreams S 3\nS0: d2h x\nS1: d2h x[0:4]\nS2: d2h x[0:4]\n");
  const Nanoseconds first_ends = run->trace.spans[0].end;
  for (const OperationIndex i : {1u, 2u}) run->trace.spans[i].start = run->trace.spans[i].end = first_ends;
  run->trace.spans[1].reason = trace::WaitReason::engine;
  run->trace.spans[1].waits_for = 2;
  run->trace.spans[2].reason = trace::WaitReason::stream;
  const History history(run->trace, &run->program);
  EXPECT_THAT(slices(history, 1), ::testing::Contains(HeldBy(WaitCause::engine, 0u)));
  EXPECT_THAT(slices(history, 1), ::testing::Not(::testing::Contains(HeldBy(WaitCause::engine, 1u))));
}

// A prefetch of what is there takes the engine for no time, and hides nothing that took it before.
TEST(Slices, BeforeWhatTookNoTimeTheEngineWasBusy) {
  model::Profile one_channel = model::h200();
  one_channel.copies.queue = model::CopyQueue::channel;
  one_channel.copies.channels = 1;
  one_channel.managed.prefetch_out.points = {{0, 0}, {1 << 20, 10'000}};
  const auto run = judged(
      "buffer x 64MiB\nbuffer m 1MiB host=managed\nstream A\nstream B\nA: d2h x\nA: prefetch m to=host\n"
      "A: d2h x[0:4]\nB: d2h x[0:32MiB]\n",
      one_channel);
  const History& history = *run->history;
  ASSERT_EQ(history.span(1).start, history.span(1).end);
  EXPECT_THAT(slices(history, 3),
              ElementsAre(HeldBy(WaitCause::queue, 2u), HeldBy(WaitCause::engine, 0u), HeldBy(WaitCause::engine, 2u)));
}

// Not for the record or the wait, which do no work: for what is behind the event.
TEST(Slices, BehindAnEventStandsTheOperationThatWasRecorded) {
  const auto run = judged(
      "buffer x 64MiB\nstream A\nstream B\nevent e\nA: h2d x\nA: record e\nB: wait e\nB: axpb x fma=64 blocks=8 "
      "threads=256\n");
  EXPECT_THAT(slices(*run->history, 3), ElementsAre(HeldBy(WaitCause::event, 0u), IsCause(WaitCause::hand_over)));
}

TEST(Slices, TheLegacyDefaultStreamIsABarrier) {
  const auto run = judged("buffer x 64MiB\nstream A\nstream B\nA: h2d x\ndefault: spin 10us\nB: spin 10us\n");
  EXPECT_THAT(slices(*run->history, 1).front(), HeldBy(WaitCause::legacy, 0u));
  EXPECT_THAT(slices(*run->history, 2).front(), HeldBy(WaitCause::legacy, 1u));
}

TEST(Slices, ANodeWaitsForTheOneBeforeItAndALaunchForTheLaunchBefore) {
  const auto run = judged(
      "buffer x 64MiB\nstream A\nstream B\ngraph G on A {\n  A: h2d x\n  A: axpb x fma=64 blocks=8 threads=256\n}\nA: "
      "launch G\nB: launch G\n");
  // 0 launch, 1 and 2 its nodes, 3 launch, 4 and 5 its nodes
  EXPECT_THAT(slices(*run->history, 2).front(), HeldBy(WaitCause::graph, 1u));
  EXPECT_THAT(slices(*run->history, 4).front(), HeldBy(WaitCause::graph, 2u));
}

TEST(Slices, AKernelWaitsForRoom) {
  const auto run =
      judged("stream A\nstream B\nA: spin 300us blocks=132 smem=200000\nB: spin 10us blocks=132 smem=200000\n");
  EXPECT_THAT(slices(*run->history, 1), ::testing::Contains(HeldBy(WaitCause::room, 0u)));
}

TEST(Slices, WhatWaitsForNothingTakesAHandOver) {
  const auto run = judged("buffer x 64MiB\nstream A\nA: h2d x\n");
  EXPECT_THAT(slices(*run->history, 0), ElementsAre(IsCause(WaitCause::hand_over)));
}

// An engine with very many turns in between: still without a gap, and few slices.
TEST(Slices, OfVeryManyTurnsTheFirstAreOneSlice) {
  std::string text = "buffer x 64MiB\n";
  for (int i = 0; i < 200; ++i) text += "stream S" + std::to_string(i) + "\n";
  for (int i = 0; i < 200; ++i) text += "S" + std::to_string(i) + ": h2d x[0:1MiB]\n";
  const auto run = judged(text);
  const std::vector<Slice> all = slices(*run->history, 199);
  EXPECT_LT(all.size(), 2 * kMostOccupants + 2);
  Nanoseconds at = run->history->issued(199);
  for (const Slice& slice : all) {
    EXPECT_EQ(slice.from, at);
    at = slice.to;
  }
  EXPECT_EQ(at, run->trace.spans[199].start);
}

}  // namespace
}  // namespace streamscope::verdict
