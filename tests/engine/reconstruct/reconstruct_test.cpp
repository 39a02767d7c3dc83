// What a run's few observations say about every operation, counted by hand.
#include "engine/reconstruct/reconstruct.h"

#include <gtest/gtest.h>

#include "tests/engine/reconstruct/observed_run.h"

namespace streamscope::reconstruct {
namespace {

TEST(Reconstruct, AnIdleDeviceStartsWhatIsIssued) {
  SeenRun life("buffer x 1MiB\nstream A\nA: h2d x\nA: spin 1us\n");
  life.call(0, 0, 2'000).event(0, 30'000).call(1, 2'500, 4'500).stamps(1, 31'000, 32'000).call(2, 5'000, 33'000);
  const auto spans = life.spans();
  EXPECT_EQ(times(spans[0]), (Times{2'000, 2'000, 30'000}));
  EXPECT_EQ(spans[0].reason, trace::WaitReason::none);
  EXPECT_EQ(spans[0].source, trace::Source::event);
  EXPECT_EQ(times(spans[1]), (Times{30'000, 31'000, 32'000}));
  EXPECT_EQ(spans[1].reason, trace::WaitReason::stream);
  EXPECT_EQ(spans[1].waits_for, 0u);
  // The synchronisation is the host's.
  EXPECT_EQ(times(spans[2]), (Times{5'000, 5'000, 33'000}));
  EXPECT_EQ(spans[2].source, trace::Source::host);
  EXPECT_EQ(spans[2].reason, trace::WaitReason::host);
  EXPECT_EQ(spans[2].waits_for, 1u);
}

TEST(Reconstruct, CopiesOfOneDirectionTakeTurns) {
  SeenRun life(
      "buffer x 3MiB\nstreams S 3 nonblocking\nS0: h2d x[0:1MiB]\nS1: h2d x[1MiB:1MiB]\nS2: d2h x[2MiB:1MiB]\n");
  life.call(0, 0, 1'000).event(0, 20'000).call(1, 1'000, 2'000).event(1, 40'000);
  life.call(2, 2'000, 3'000).event(2, 25'000).call(3, 3'000, 41'000);
  const auto spans = life.spans();
  EXPECT_EQ(times(spans[1]), (Times{2'000, 20'000, 40'000}));
  EXPECT_EQ(spans[1].reason, trace::WaitReason::engine);
  EXPECT_EQ(spans[1].waits_for, 0u);
  EXPECT_EQ(times(spans[2]), (Times{3'000, 3'000, 25'000}));  // another engine
  EXPECT_EQ(spans[2].reason, trace::WaitReason::none);
}

TEST(Reconstruct, WithOneCopyEngineCopiesOfBothDirectionsDo) {
  SeenRun look("buffer x 2MiB\nstreams S 2 nonblocking\nS0: h2d x[0:1MiB]\nS1: d2h x[1MiB:1MiB]\n");
  look.brief_calls().event(0, 10'000).event(1, 20'000);
  device::Circumstances one;
  one.copy_engines = 1;
  EXPECT_EQ(look.spans()[1].reason, trace::WaitReason::none);
  const auto spans = look.spans(one);
  EXPECT_EQ(spans[1].start, 10'000);
  EXPECT_EQ(spans[1].reason, trace::WaitReason::engine);
  EXPECT_EQ(spans[1].waits_for, 0u);
}

TEST(Reconstruct, AReleaseThatWaitsForTheDeviceSaysForWhat) {
  SeenRun look(
      "stream A nonblocking\nstream B nonblocking\nhost: malloc t 1MiB\nA: spin 1ms\nB: spin 1ms\nhost: free t\nA: "
      "spin 1ms\n");
  look.call(0, 0, 10).call(1, 10, 20).call(2, 20, 30).call(3, 30, 9'000).call(4, 9'100, 9'200);
  look.stamps(1, 100, 8'000).stamps(2, 100, 5'000).stamps(4, 9'300, 10'000);
  const auto spans = look.spans();
  EXPECT_EQ(spans[3].reason, trace::WaitReason::host);
  EXPECT_EQ(spans[3].waits_for, 1u);
  EXPECT_EQ(spans[4].reason, trace::WaitReason::host);
  EXPECT_EQ(spans[4].waits_for, 3u);
  look.call(3, 8'500, 9'000);
  EXPECT_EQ(look.spans()[3].reason, trace::WaitReason::none) << "all was over";
}

TEST(Reconstruct, CopiesOfTwoDevicesDoNot) {
  SeenRun life("buffer x 2MiB\nstreams S 2 nonblocking\nS0: h2d x[0:1MiB]\nS1: h2d x[1MiB:1MiB]\n");
  life.program.streams[3].device = DeviceId{1};
  life.call(0, 0, 1'000).event(0, 20'000).call(1, 1'000, 2'000).event(1, 40'000).call(2, 3'000, 41'000);
  const auto spans = life.spans();
  EXPECT_EQ(times(spans[1]), (Times{2'000, 2'000, 40'000}));
  EXPECT_EQ(spans[1].reason, trace::WaitReason::none);
}

// Who ended first went first, whoever was issued first.
TEST(Reconstruct, AnEngineServesInTheOrderOfTheEnds) {
  SeenRun life("buffer x 2MiB\nstreams S 2 nonblocking\nS0: spin 50us\nS0: h2d x[0:1MiB]\nS1: h2d x[1MiB:1MiB]\n");
  life.call(0, 0, 1'000).stamps(0, 5'000, 55'000).call(1, 1'000, 2'000).event(1, 90'000);
  life.call(2, 2'000, 3'000).event(2, 70'000).call(3, 4'000, 95'000);
  const auto spans = life.spans();
  EXPECT_EQ(times(spans[2]), (Times{3'000, 3'000, 70'000}));
  EXPECT_EQ(times(spans[1]), (Times{55'000, 70'000, 90'000}));
  EXPECT_EQ(spans[1].reason, trace::WaitReason::engine);
  EXPECT_EQ(spans[1].waits_for, 2u);
}

TEST(Reconstruct, RecordsAndWaitsTakeNoTimeAndPassOnTheCause) {
  SeenRun life("streams S 2 nonblocking\nS0: spin 1us\nS0: record e\nS1: wait e\nS1: spin 1us\n");
  life.call(0, 0, 1'000).stamps(0, 4'000, 100'000).call(1, 1'000, 2'000).call(2, 2'000, 3'000);
  life.call(3, 3'000, 4'000).stamps(3, 101'500, 110'000).call(4, 5'000, 111'000);
  const auto spans = life.spans();
  for (const std::size_t i : {1, 2}) {
    EXPECT_EQ(times(spans[i]), (Times{100'000, 100'000, 100'000})) << i;
    EXPECT_EQ(spans[i].source, trace::Source::inferred);
  }
  EXPECT_EQ(spans[3].ready, 100'000);
  EXPECT_EQ(spans[3].reason, trace::WaitReason::event);
  EXPECT_EQ(spans[3].waits_for, 0u);
}

TEST(Reconstruct, AWaitThatDelaysNothingIsNoReason) {
  SeenRun life("streams S 2 nonblocking\nevent e\nS1: wait e\nS1: spin 1us\n");
  life.call(0, 0, 1'000).call(1, 1'000, 2'000).stamps(1, 5'000, 6'000).call(2, 2'000, 7'000);
  const auto spans = life.spans();
  EXPECT_EQ(times(spans[0]), (Times{1'000, 1'000, 1'000}));
  EXPECT_EQ(times(spans[1]), (Times{2'000, 5'000, 6'000}));
  EXPECT_EQ(spans[1].reason, trace::WaitReason::none);
  EXPECT_EQ(spans[1].waits_for, kNoOperation);
}

TEST(Reconstruct, TheLegacyStreamIsNamed) {
  SeenRun life("stream A\nstream B\nA: spin 1us\ndefault: spin 1us\nB: spin 1us\n");
  life.call(0, 0, 1'000).stamps(0, 4'000, 50'000).call(1, 1'000, 2'000).stamps(1, 51'000, 90'000);
  life.call(2, 2'000, 3'000).stamps(2, 91'000, 95'000).call(3, 4'000, 96'000);
  const auto spans = life.spans();
  EXPECT_EQ(spans[1].reason, trace::WaitReason::legacy);
  EXPECT_EQ(spans[1].waits_for, 0u);
  EXPECT_EQ(spans[2].reason, trace::WaitReason::legacy);
  EXPECT_EQ(spans[2].waits_for, 1u);
}

// The kernel began at 30000, so the copy before it had ended: its event fired late.
TEST(Reconstruct, AKernelsStampCorrectsALateEvent) {
  SeenRun life("buffer x 1MiB\nstream A\nA: h2d x\nA: record e\nA: spin 1us\n");
  life.call(0, 0, 2'000).event(0, 31'000, 500).call(1, 2'000, 3'000).call(2, 3'000, 4'500).stamps(2, 30'000, 32'000);
  life.call(3, 5'000, 33'000);
  EXPECT_EQ(life.spans()[0].end, 30'000);
  EXPECT_EQ(life.spans()[1].end, 30'000);
  EXPECT_EQ(times(life.spans()[2]), (Times{30'000, 30'000, 32'000}));
  // Too far off to be lateness: it stays, so that it is seen.
  life.event(0, 36'000, 500);
  EXPECT_EQ(life.spans()[0].end, 36'000);
  EXPECT_EQ(times(life.spans()[2]), (Times{30'000, 30'000, 32'000}));
  // The host may look later than that.
  life.sighting(0, 36'000, 500);
  EXPECT_EQ(life.spans()[0].end, 30'000);
  life.sighting(0, 43'000, 500);
  EXPECT_EQ(life.spans()[0].end, 43'000) << "too far off";
}

TEST(Reconstruct, APageableCopyMayStartWhileItHoldsTheHost) {
  SeenRun life("buffer x 1MiB host=pageable\nstream A\nA: h2d x\n");
  life.call(0, 1'000, 90'000).event(0, 95'000).call(1, 91'000, 96'000);
  EXPECT_EQ(times(life.spans()[0]), (Times{1'000, 1'000, 95'000}));
}

TEST(Reconstruct, APageableCopyOutHasEndedWhenItsCallReturns) {
  for (const char* text :
       {"buffer x 1MiB host=pageable\nstream A\nA: d2h x\n", "buffer x 1MiB host=pageable\nhost: memcpy d2h x\n"}) {
    SeenRun life(text);
    // The event was recorded behind the call.
    life.call(0, 1'000, 90'000).event(0, 99'000, 4'000).call(1, 91'000, 100'000);
    EXPECT_EQ(life.spans()[0].end, 90'000) << text;
    // Too far off to be lateness: it stays, so that it is seen.
    life.event(0, 120'000, 4'000);
    EXPECT_EQ(life.spans()[0].end, 120'000) << text;
  }
}

// A copy so short that its event fired before the call had returned.
TEST(Reconstruct, NothingStartsAfterItsEnd) {
  SeenRun life("buffer x 1MiB\nstream A\nA: h2d x[0:4]\n");
  life.call(0, 1'000, 9'000).event(0, 5'000).call(1, 9'000, 9'500);
  EXPECT_EQ(times(life.spans()[0]), (Times{1'000, 1'000, 5'000}));
}

TEST(Reconstruct, WhatIsIssuedAfterAHostWaitWasHeldByTheHost) {
  SeenRun life("stream A\nA: spin 1us\nhost: sync A\nA: spin 1us\nA: spin 1us\n");
  life.call(0, 0, 1'000).stamps(0, 4'000, 50'000).call(1, 1'000, 52'000).call(2, 52'000, 54'000);
  life.stamps(2, 57'000, 60'000).call(3, 54'500, 55'500).stamps(3, 61'000, 62'000).call(4, 56'000, 63'000);
  const auto spans = life.spans();
  EXPECT_EQ(spans[2].reason, trace::WaitReason::host);
  EXPECT_EQ(spans[2].waits_for, 1u);
  EXPECT_EQ(spans[3].reason, trace::WaitReason::stream);
}

TEST(Reconstruct, AKernelThatWaitsForMultiprocessorsSaysForWhich) {
  SeenRun life("streams S 3 nonblocking\nS0: spin 1us\nS1: spin 1us\nS2: spin 1us\n");
  life.call(0, 0, 1'000).stamps(0, 5'000, 200'000).call(1, 1'000, 2'000).stamps(1, 6'500, 210'000);
  life.call(2, 2'000, 3'000).stamps(2, 200'500, 300'000).call(3, 3'000, 301'000);
  const auto spans = life.spans();
  EXPECT_EQ(spans[1].reason, trace::WaitReason::none);  // side by side; 4.5 us are a launch
  EXPECT_EQ(spans[2].reason, trace::WaitReason::engine);
  EXPECT_EQ(spans[2].waits_for, 1u);
  EXPECT_EQ(times(spans[2]), (Times{3'000, 200'500, 300'000}));
}

TEST(Reconstruct, BlockingCopiesBlockTheHostAndHaveTimesOnTheDevice) {
  SeenRun life("buffer x 1MiB\nstream A\nA: spin 1us\nhost: memcpy d2h x\nA: spin 1us\n");
  life.call(0, 0, 1'000).stamps(0, 4'000, 50'000).call(1, 1'000, 80'000);
  life.seen[1].end = 80'000;
  life.seen[1].source = trace::Source::host;
  life.call(2, 80'000, 82'000).stamps(2, 85'000, 86'000).call(3, 83'000, 87'000);
  const auto spans = life.spans();
  EXPECT_EQ(times(spans[1]), (Times{50'000, 50'000, 80'000}));
  EXPECT_EQ(spans[1].reason, trace::WaitReason::legacy);
  EXPECT_EQ(spans[1].waits_for, 0u);
  EXPECT_EQ(spans[2].reason, trace::WaitReason::host);
  EXPECT_EQ(spans[2].waits_for, 1u);
}

TEST(Reconstruct, WhatWasNotObservedIsAbsent) {
  SeenRun life("buffer x 1MiB\nstream A\nA: h2d x\nA: record e\nA: d2h x\n");
  life.call(0, 0, 1'000).event(0, 30'000).call(1, 1'000, 2'000).call(2, 2'000, 3'000);
  const auto spans = life.spans();
  EXPECT_EQ(times(spans[1]), (Times{30'000, 30'000, 30'000}));
  EXPECT_EQ(spans[2].host_end, 3'000);
  EXPECT_EQ(spans[2].end, kAbsent);
  EXPECT_EQ(spans[3].host_begin, kAbsent);
  EXPECT_EQ(spans[3].end, kAbsent);
}

}  // namespace
}  // namespace streamscope::reconstruct
