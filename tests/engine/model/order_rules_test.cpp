// The numbered rules of CUDA's order and scheduling, each as a short program and the relation that must hold.
#include "tests/engine/model/simulated.h"

namespace streamscope {
namespace {

constexpr Nanoseconds us = 1'000;

TEST(Rule1, WorkInOneStreamRunsInIssueOrder) {
  const auto run =
      simulate("buffer x 1MiB\nstream A\nA: h2d x\nA: spin 100us\nA: d2h x\nA: memset x 0\nA: d2d x[0:4] x[8:4]\n");
  for (int i = 1; i < 5; ++i) {
    EXPECT_GE(run[i].start, run[i - 1].end) << i;
    EXPECT_EQ(run[i].reason, WaitReason::stream) << i;
    EXPECT_EQ(run[i].waits_for, static_cast<OperationIndex>(i - 1)) << i;
  }
  EXPECT_EQ(run[0].reason, WaitReason::none);
}

TEST(Rule1, StreamsRunBesideEachOther) {
  const auto run = simulate("stream A\nstream B\nA: spin 1ms\nB: spin 1ms\n");
  EXPECT_TRUE(overlap(run[0], run[1]));
  EXPECT_EQ(run[1].reason, WaitReason::none);
}

TEST(Rule2, TheLegacyDefaultStreamSerialisesBlockingStreams) {
  const auto run = simulate("stream A\nstream B\nA: spin 500us\ndefault: spin 500us\nB: spin 500us\n");
  EXPECT_GE(run[1].start, run[0].end);
  EXPECT_GE(run[2].start, run[1].end);
  EXPECT_EQ(run[1].reason, WaitReason::legacy);
  EXPECT_EQ(run[1].waits_for, 0u);
  EXPECT_EQ(run[2].reason, WaitReason::legacy);
  EXPECT_EQ(run[2].waits_for, 1u);
}

TEST(Rule2, NonBlockingStreamsAreExemptInBothDirections) {
  const auto run =
      simulate("stream A nonblocking\nstream B nonblocking\nA: spin 500us\ndefault: spin 500us\nB: spin 500us\n");
  EXPECT_TRUE(overlap(run[0], run[1]));
  EXPECT_TRUE(overlap(run[1], run[2]));
}

TEST(Rule2, AWaitInTheLegacyStreamIsABarrierToo) {
  const auto run =
      simulate("stream A\nstream B\nstream C nonblocking\nA: spin 500us\nC: record e\ndefault: wait e\nB: spin 10us\n");
  EXPECT_GE(run[2].start, run[0].end);
  EXPECT_GE(run[3].start, run[0].end);
}

TEST(Rule3, ThePerThreadStreamIsAnOrdinaryBlockingStream) {
  const auto run =
      simulate("stream A\nA: spin 500us\nper-thread: spin 500us\ndefault: spin 10us\nper-thread: spin 10us\n");
  EXPECT_TRUE(overlap(run[0], run[1]));
  EXPECT_GE(run[2].start, std::max(run[0].end, run[1].end));
  EXPECT_GE(run[3].start, run[2].end);
}

TEST(Rule4, FreeingMemoryWaitsForTheWholeDeviceAndAllocatingDoesNot) {
  const auto run = simulate("stream A nonblocking\nA: spin 3ms\nhost: malloc t 1MiB\nhost: free t\n");
  EXPECT_LT(run[1].host_end, run[0].end);
  EXPECT_LT(held(run[1]), 5 * us);
  EXPECT_GE(run[2].host_end, run[0].end);
  EXPECT_EQ(run[2].waits_for, 0u);
}

TEST(Rule4, IsAPropertyOfTheProfile) {
  Profile profile = h200();
  profile.malloc_waits = true;
  profile.free_waits = false;
  const auto run =
      simulate("stream A nonblocking\nhost: malloc s 1MiB\nA: spin 3ms\nhost: free s\nhost: malloc t 1MiB\n", profile);
  EXPECT_LT(run[2].host_end, run[1].end);
  EXPECT_GE(run[3].host_end, run[1].end);
}

TEST(Rule5, AWaitHoldsUntilWhatItsRecordRecorded) {
  const auto run = simulate("stream A\nstream B\nA: spin 500us\nA: record e\nB: wait e\nB: spin 10us\n");
  EXPECT_GE(run[2].start, run[1].end);
  EXPECT_GE(run[3].start, run[0].end);
  EXPECT_EQ(run[2].reason, WaitReason::event);
  EXPECT_EQ(run[2].waits_for, 1u);
}

TEST(Rule5, AWaitIssuedBeforeKeepsItsRecordWhenTheEventIsRecordedAgain) {
  const auto run =
      simulate("stream A\nstream B\nA: spin 100us\nA: record e\nB: wait e\nA: spin 5ms\nA: record e\nB: spin 10us\n");
  EXPECT_GE(run[5].start, run[1].end);
  EXPECT_LT(run[5].end, run[3].end);
}

TEST(Rule5, AWaitOnAnEventNeverRecordedDoesNothing) {
  const auto run = simulate("stream A\nstream B\nevent e\nA: spin 5ms\nB: wait e\nB: spin 10us\nhost: poll e\n");
  EXPECT_LT(run[2].end, run[0].end);
  EXPECT_EQ(run[3].polls, 1u);
}

TEST(Rule6, ARecordTakesStreamTime) {
  const auto run = simulate("stream A\nA: record e\nA: record f\n");
  EXPECT_EQ(run[1].end - run[0].end, 1'250);
}

TEST(Rule7, PinnedCopiesReturnAtOnceWhateverTheirSize) {
  const auto run = simulate("buffer x 256MiB\nbuffer y 4KiB\nstream A\nA: h2d x\nA: d2h x\nA: h2d y\n");
  for (int i = 0; i < 3; ++i) EXPECT_LE(held(run[i]), 2 * us) << i;
  EXPECT_GT(took(run[0]), 4'000 * us);
}

TEST(Rule8, PageableCopiesHoldTheHost) {
  const auto big = simulate("buffer x 16MiB host=pageable\nstream A\nA: h2d x\n");
  EXPECT_NEAR(static_cast<double>(held(big[0])), 951e3, 10e3);
  const auto small = simulate("buffer x 64KiB host=pageable\nstream A\nA: h2d x\n");
  EXPECT_NEAR(static_cast<double>(held(small[0])), 13e3, 1e3);
  const auto back = simulate("buffer x 64KiB host=pageable\nstream A\nA: d2h x\n");
  EXPECT_GE(back[0].host_end, back[0].end);
}

TEST(Rule8, StagingDoesNotWaitForTheStreamWhileItsRoomLasts) {
  const auto run =
      simulate("buffer x 16MiB host=pageable\nstream A\nA: spin 3ms\nrepeat 5 as i {\n  A: h2d x[{i}MiB:1MiB]\n}\n");
  EXPECT_NEAR(static_cast<double>(held(run[1])), 57e3, 1e3);
  EXPECT_LT(run[4].host_end, run[0].end);  // four times 1 MiB fill the 4 MiB of the profile
  EXPECT_GT(run[5].host_end, run[0].end);  // the fifth waits for the first to leave
  for (int i = 1; i <= 5; ++i) EXPECT_GE(run[i].start, run[0].end) << i;
}

TEST(Rule10, BlockingCopies) {
  const auto run = simulate(
      "buffer x 16MiB\nbuffer p 1MiB host=pageable\nstream A\nhost: memcpy h2d x\nhost: memcpy d2h x\nA: spin 3ms\n"
      "host: memcpy h2d p\nhost: memcpy d2h p\n");
  EXPECT_EQ(run[0].host_end, run[0].end + h200().host.wake);
  EXPECT_EQ(run[1].host_end, run[1].end + h200().host.wake);
  EXPECT_LT(run[3].host_end, run[2].end);  // staged; the copy itself still waits for A
  EXPECT_GE(run[3].start, run[2].end);
  EXPECT_GE(run[4].host_end, run[4].end);
  EXPECT_EQ(run[3].stream, kLegacyStream.value);
}

TEST(Rule10, ASynchronisationOfTheDefaultStreamWaitsForWhatACopyLeftPending) {
  const auto run = simulate(
      "buffer p 1MiB host=pageable\nstream A\nstream N nonblocking\nN: spin 9ms\nA: spin 3ms\nhost: memcpy h2d p\n"
      "host: sync default\n");
  EXPECT_LT(run[2].host_end, run[2].end);
  EXPECT_GE(run[3].host_end, run[2].end);
  EXPECT_LT(run[3].host_end, run[0].end);
}

TEST(Rule11, OneEngineADirectionAndDirectionsAreIndependent) {
  const auto run = simulate(
      "buffer x 64MiB\nstreams S 2 nonblocking\nS0: h2d x[0:16MiB]\nS1: h2d x[16MiB:16MiB]\nS0: d2h x[0:16MiB]\n");
  EXPECT_EQ(run[1].start, run[0].end);
  EXPECT_EQ(run[1].reason, WaitReason::engine);
  EXPECT_EQ(run[1].waits_for, 0u);
  EXPECT_LT(run[1].ready, run[1].start);
  EXPECT_TRUE(overlap(run[1], run[2]));
}

TEST(Rule11, BothDirectionsAtOnceSlowEachOther) {
  const auto alone = simulate("buffer x 16MiB\nstream A\nA: h2d x\n");
  const auto both = simulate("buffer x 16MiB\nbuffer y 16MiB\nstream A\nstream B\nA: h2d x\nB: d2h y\n");
  EXPECT_NEAR(static_cast<double>(took(alone[0])), 306e3, 1e3);
  EXPECT_NEAR(static_cast<double>(took(both[0])), 334e3, 2e3);
  EXPECT_NEAR(static_cast<double>(took(both[1])), 334e3, 2e3);
}

TEST(Rule11, CopiesGoInTheOrderInWhichTheyBecomeReady) {
  const auto run = simulate(
      "buffer x 64MiB\nstreams S 3 nonblocking\nS0: h2d x[0:16MiB]\nS1: spin 100us\nS1: h2d x[16MiB:16MiB]\n"
      "S2: h2d x[32MiB:16MiB]\n");
  EXPECT_LT(run[3].start, run[2].start);  // issued last, ready first
}

constexpr std::string_view kDepthFirst =
    "buffer x 32MiB\nstreams S 2 nonblocking\n"
    "S0: h2d x[0:16MiB]\nS0: spin 300us\nS0: d2h x[0:16MiB]\n"
    "S1: h2d x[16MiB:16MiB]\nS1: spin 300us\nS1: d2h x[16MiB:16MiB]\n";
constexpr std::string_view kBreadthFirst =
    "buffer x 32MiB\nstreams S 2 nonblocking\n"
    "S0: h2d x[0:16MiB]\nS1: h2d x[16MiB:16MiB]\nS0: spin 300us\nS1: spin 300us\n"
    "S0: d2h x[0:16MiB]\nS1: d2h x[16MiB:16MiB]\n";

TEST(Rule11, WithOneEngineDepthFirstQueuesBehindTheCopyBackAndBreadthFirstOverlaps) {
  Profile profile = h200();
  profile.copies.engines = 1;
  profile.copies.queue = CopyQueue::issue;
  const auto depth = simulate(kDepthFirst, profile);
  const auto breadth = simulate(kBreadthFirst, profile);
  EXPECT_GE(depth[3].start, depth[2].end);
  EXPECT_EQ(depth[3].reason, WaitReason::engine);
  EXPECT_EQ(depth[3].waits_for, 2u);
  EXPECT_LT(breadth[1].start, breadth[2].end);
  EXPECT_LT(makespan(breadth.spans), makespan(depth.spans));
}

TEST(Rule12, MemsetDoesNotHoldTheHost) {
  const auto run = simulate("buffer x 1GiB\nstream A\nA: memset x 0\n");
  EXPECT_LT(held(run[0]), took(run[0]));
  EXPECT_EQ(run[0].reason, WaitReason::none);
}

// One multiprocessor that holds two blocks of 1024 threads: small enough to follow by hand.
Profile one_multiprocessor() {
  Profile profile = h200();
  profile.compute.multiprocessors = 1;
  profile.compute.block_overhead = 0;
  return profile;
}

TEST(Rule13, TheNextKernelGetsBlocksOnlyWhenTheHeadHasHandedOutItsOwn) {
  // A fills the multiprocessor one and a half times; B's small block would fit beside A's last, and does; C is behind
  // B.
  const auto run = simulate(
      "streams S 3 nonblocking\nS0: spin 100us blocks=3 threads=1024\nS1: spin 100us blocks=2 threads=1024\n"
      "S2: spin 10us blocks=1 threads=32\n",
      one_multiprocessor());
  EXPECT_EQ(took(run[0]), 200 * us);
  EXPECT_EQ(run[1].start, run[0].start + 100 * us);  // beside A's third block
  EXPECT_EQ(took(run[1]), 200 * us);                 // its second block waits for room
  EXPECT_EQ(run[2].start, run[0].end);               // a small block all the same: B's second goes first
  EXPECT_EQ(run[1].reason, WaitReason::engine);
  EXPECT_EQ(run[2].reason, WaitReason::engine);
}

TEST(Rule13, SmallKernelsShareTheDevice) {
  const auto run = simulate("streams S 4 nonblocking\nrepeat 4 as i {\n  S{i}: spin 1ms blocks=30\n}\n");
  for (int i = 1; i < 4; ++i) EXPECT_TRUE(overlap(run[0], run[i])) << i;
}

TEST(Rule14, BlocksFitByThreadsBlocksAndSharedMemory) {
  const auto waves = [](std::string_view grid) {
    const auto run = simulate("stream A\nA: spin 100us " + std::string(grid) + "\n", one_multiprocessor());
    return took(run[0]) / (100 * us);
  };
  EXPECT_EQ(waves("blocks=2 threads=1024"), 1);
  EXPECT_EQ(waves("blocks=3 threads=1024"), 2);
  EXPECT_EQ(waves("blocks=3 threads=993"), 2);  // whole warps: 1024
  EXPECT_EQ(waves("blocks=32 threads=32"), 1);
  EXPECT_EQ(waves("blocks=33 threads=32"), 2);
  EXPECT_EQ(waves("blocks=2 threads=32 smem=115712"), 1);  // 113 KiB, and 1 KiB reserved: two in 228 KiB
  EXPECT_EQ(waves("blocks=3 threads=32 smem=115712"), 2);
}

TEST(Rule15, PriorityDecidesWhichPendingBlocksGoFirstAndPreemptsNothing) {
  const auto run = simulate(
      "stream L1 nonblocking\nstream L2 nonblocking\nstream H nonblocking priority=-5\n"
      "L1: spin 100us blocks=4 threads=1024\nL2: spin 100us blocks=2 threads=1024\nH: spin 100us blocks=2 "
      "threads=1024\n",
      one_multiprocessor());
  EXPECT_EQ(run[2].start, run[0].start + 100 * us);  // ahead of L1's own second half, but not before its first ended
  EXPECT_EQ(run[0].end, run[2].end + 100 * us);
  EXPECT_EQ(run[1].start, run[0].end);
}

TEST(Rule15, PriorityIsClampedToTheRangeOfTheDevice) {
  const auto run = simulate(
      "stream L nonblocking\nstream M nonblocking priority=-5\nstream H nonblocking priority=-9\n"
      "L: spin 100us blocks=2 threads=1024\nM: spin 100us blocks=2 threads=1024\nH: spin 100us blocks=2 threads=1024\n",
      one_multiprocessor());
  EXPECT_LT(run[1].start, run[2].start);  // -9 counts as -5, so the earlier goes first
}

TEST(Rule16, AStreamsQueueIsFinite) {
  const auto run = simulate("stream A\nA: spin 10ms\nrepeat 1100 as i {\n  A: spin 1us\n}\n");
  EXPECT_LT(run[1021].host_end, run[0].end);
  EXPECT_GE(run[1022].host_end, run[0].end);
  EXPECT_EQ(run[1022].host_begin, run[1021].host_end);
}

TEST(Rule17, AHostFunctionRunsInItsPlaceInTheStream) {
  const auto run = simulate("buffer x 1MiB\nstream A\nstream B\nA: h2d x\nA: hostfn 50us\nA: d2h x\nB: hostfn 50us\n");
  EXPECT_GE(run[1].start, run[0].end);
  EXPECT_GE(run[2].start, run[1].end);
  EXPECT_EQ(took(run[1]), 56 * us);
  EXPECT_FALSE(overlap(run[1], run[3]));  // one callback thread
}

TEST(HostWaits, ReturnAfterWhatTheyWaitForAndNotBefore) {
  const auto run = simulate(
      "stream A\nstream B\nA: spin 100us\nA: record e\nB: spin 5ms\nhost: sync e\nhost: sync A\nhost: poll A "
      "every=10us\n"
      "host: poll B every=100us\nhost: sync device\n");
  EXPECT_GE(run[3].host_end, run[1].end);
  EXPECT_LT(run[4].host_end, run[2].end);
  EXPECT_EQ(run[3].reason, WaitReason::host);
  EXPECT_EQ(run[3].waits_for, 1u);
  EXPECT_EQ(run[5].polls, 1u);
  EXPECT_GE(run[6].host_end, run[2].end);
  EXPECT_NEAR(run[6].polls, 5'000 / 100.8, 3);
  EXPECT_EQ(run.wall, run[7].host_end);
}

TEST(HostWaits, WorkAfterThemIsIssuedAfterThem) {
  const auto run =
      simulate("stream A\nstream B\nA: spin 1ms\nhost: sync A\nB: spin 1ms\nhost: work 200us\nhost: sync device\n");
  EXPECT_GE(run[2].start, run[0].end);
  EXPECT_EQ(held(run[3]), 200 * us);
  EXPECT_TRUE(overlap(run[2], run[3]));
}

}  // namespace
}  // namespace streamscope
