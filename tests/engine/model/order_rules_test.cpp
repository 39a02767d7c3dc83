// What the model says beyond CUDA's rules, which tests/conformance holds it to: why an operation waited, and times to
// the nanosecond where a profile's numbers and a small device can be followed by hand.
#include "tests/engine/model/simulated.h"

namespace streamscope::model {
namespace {

void expect_reason(const trace::Span& span, trace::WaitReason reason, OperationIndex on) {
  EXPECT_EQ(span.reason, reason) << span.operation;
  EXPECT_EQ(span.waits_for, on) << span.operation;
}

TEST(Reasons, NameTheLastCauseToFallAway) {
  const auto order = simulate("stream A\nstream B\nA: spin 500us\nA: spin 500us\ndefault: spin 500us\nB: spin 500us\n");
  expect_reason(order[0], trace::WaitReason::none, kNoOperation);
  expect_reason(order[1], trace::WaitReason::stream, 0);
  expect_reason(order[2], trace::WaitReason::legacy, 1);
  expect_reason(order[3], trace::WaitReason::legacy, 2);
  const auto event = simulate("stream A\nstream B\nA: spin 500us\nA: record e\nB: wait e\nhost: sync e\n");
  expect_reason(event[2], trace::WaitReason::event, 1);
  expect_reason(event[3], trace::WaitReason::host, 1);
  const auto engine = simulate("buffer x 32MiB\nstreams S 2 nonblocking\nS0: h2d x[0:16MiB]\nS1: h2d x[16MiB:16MiB]\n");
  expect_reason(engine[1], trace::WaitReason::engine, 0);
  EXPECT_LT(engine[1].ready, engine[1].start);
  const auto freed = simulate("stream A nonblocking\nhost: malloc t 1MiB\nA: spin 3ms\nhost: free t\n");
  expect_reason(freed[2], trace::WaitReason::host, 1);
  const auto brief = simulate("streams S 2 nonblocking\nS0: spin 3ms\nS1: spin 1ms\nhost: sync S1\n");
  expect_reason(brief[2], trace::WaitReason::host, 1);
  const auto joined = simulate("stream A\nthread T {\n  A: spin 3ms\n  host: sync A\n}\nhost: join T\n");
  expect_reason(joined[3], trace::WaitReason::host, 2);
}

// The multiprocessors have room for all, and each launch takes its time behind the one before.
TEST(Reasons, ALaunchsLatencyIsNoBusyEngine) {
  Profile profile = h200();
  profile.compute.launch_gap = 20 * us;
  const auto apart = simulate("streams S 3 nonblocking\nS0: spin 5ms\nS1: spin 5ms\nS2: spin 5ms\n", profile);
  EXPECT_GE(apart[2].start, apart[1].start + 20 * us);
  for (const std::size_t i : {0, 1, 2}) expect_reason(apart[i], trace::WaitReason::none, kNoOperation);
  const auto full = simulate(
      "streams S 3 nonblocking\nS0: spin 5ms blocks=132 threads=1024 smem=200000\nS1: spin 5ms blocks=132 threads=1024 "
      "smem=200000\nS2: spin 5ms\n",
      profile);
  expect_reason(full[1], trace::WaitReason::engine, 0);
  expect_reason(full[2], trace::WaitReason::engine, 1);
}

TEST(Rule4, IsAPropertyOfTheProfile) {
  Profile profile = h200();
  profile.host.malloc_waits = true;
  profile.host.free_waits = false;
  const auto run =
      simulate("stream A nonblocking\nhost: malloc s 1MiB\nA: spin 3ms\nhost: free s\nhost: malloc t 1MiB\n", profile);
  EXPECT_LT(run[2].host_end, run[1].end);
  EXPECT_GE(run[3].host_end, run[1].end);
}

TEST(Rule18, CudaFreeOfThePoolsMemoryWaitsForNothing) {
  const auto run = simulate(
      "streams S 2 nonblocking\nhost: malloc u 1MiB\nS0: malloc t 1MiB\nhost: sync S0\nS1: spin 3ms\nhost: free t\n"
      "S0: free u\nS0: spin 1us\n");
  EXPECT_LT(run[4].host_end, run[3].end);
  EXPECT_EQ(run[4].reason, trace::WaitReason::none);
  EXPECT_LT(run[5].host_end, run[3].end);
  EXPECT_LT(run[6].end, run[3].end);
}

TEST(Rule18, MemoryThatIsStillToBeFreedIsHadWhereThereIsNoOther) {
  const std::string_view text =
      "streams S 3 nonblocking\nS0: malloc t 64MiB\nS0: spin 3ms\nS0: free t\nS1: malloc u 64MiB\nS1: spin 10us\n"
      "S1: free u\nS0: malloc v 64MiB\nS0: spin 10us\nS0: free v\n";
  const auto ample = simulate(text);
  EXPECT_LT(ample[4].end, ample[1].end);
  Profile small = h200();
  small.device.memory = 100 << 20;
  const auto scarce = simulate(text, small);
  EXPECT_GE(scarce[4].start, scarce[2].end);
  expect_reason(scarce[3], trace::WaitReason::event, 2);
  EXPECT_LT(scarce[3].host_end, scarce[1].end) << "the host goes on";
  EXPECT_GE(scarce[7].start, scarce[5].end);
}

TEST(Rule6, ARecordTakesStreamTime) {
  const auto run = simulate("stream A\nA: record e\nA: record f\n");
  EXPECT_EQ(run[1].end - run[0].end, h200().streams.record);
}

TEST(Rule8, PageableCopiesHoldTheHost) {
  const auto big = simulate("buffer x 16MiB host=pageable\nstream A\nA: h2d x\n");
  const Profile profile = h200();
  EXPECT_GE(held(big[0]), profile.copies.h2d_pageable.at(16 << 20));
  const auto small = simulate("buffer x 64KiB host=pageable\nstream A\nA: h2d x\n");
  EXPECT_EQ(held(small[0]), profile.host.copy_h2d.at(64 << 10) + profile.copies.h2d_pageable.at(64 << 10));
  const auto back = simulate("buffer x 64KiB host=pageable\nstream A\nA: d2h x\n");
  EXPECT_GE(back[0].host_end, back[0].end);
}

TEST(Rule8, StagingDoesNotWaitForTheStreamWhileItsRoomLasts) {
  const auto run = simulate(
      "buffer x 16MiB host=pageable\nstream A\nA: spin 3ms\nrepeat 5 as i {\n  A: h2d x[{i*256}KiB:256KiB]\n}\n");
  EXPECT_LT(run[4].host_end, run[0].end);  // four times 256 KiB fill the 1 MiB of the profile
  EXPECT_GT(run[5].host_end, run[0].end);  // the fifth waits for the first to leave
  for (int i = 1; i <= 5; ++i) EXPECT_GE(run[i].start, run[0].end) << i;
}

TEST(Rule11, BothDirectionsAtOnceSlowEachOther) {
  const auto alone = simulate("buffer x 16MiB\nstream A\nA: h2d x\n");
  const auto both = simulate("buffer x 16MiB\nbuffer y 16MiB\nstream A\nstream B\nA: h2d x\nB: d2h y\n");
  // The rate of each while both are busy; a little of either goes on alone.
  const double slower = 1e6 / h200().copies.both_directions;
  for (const int i : {0, 1}) {
    EXPECT_NEAR(static_cast<double>(took(both[i])) / static_cast<double>(took(alone[0])), slower, 0.02) << i;
  }
}

// One multiprocessor that holds two blocks of 1024 threads: small enough to follow by hand.
Profile one_multiprocessor() {
  Profile profile = h200();
  profile.compute.multiprocessors = 1;
  profile.compute.block_overhead = 0;
  profile.compute.block_rate = 1'000'000'000'000'000;  // a nanosecond for any batch
  return profile;
}

TEST(Rule13, TheNextKernelGetsBlocksOnlyWhenTheHeadHasHandedOutItsOwn) {
  // A fills the multiprocessor one and a half times; B's small block would fit beside A's last, and does; C is behind
  // B.
  const auto run = simulate(
      "streams S 3 nonblocking\nS0: spin 100us blocks=3 threads=1024\nS1: spin 100us blocks=2 threads=1024\n"
      "S2: spin 10us blocks=1 threads=512\n",
      one_multiprocessor());
  EXPECT_EQ(took(run[0]), 200 * us + 2);
  EXPECT_EQ(run[1].start, run[0].start + 100 * us + 1);  // beside A's third block
  EXPECT_EQ(took(run[1]), 200 * us + 2);                 // its second block waits for room
  EXPECT_EQ(run[2].start, run[0].end);                   // a small block all the same: B's second goes first
  EXPECT_EQ(run[1].reason, trace::WaitReason::engine);
  EXPECT_EQ(run[2].reason, trace::WaitReason::engine);
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
  EXPECT_EQ(run[2].start,
            run[0].start + 100 * us + 1);  // ahead of L1's own second half, but not before its first ended
  EXPECT_EQ(run[0].end, run[2].end + 100 * us + 1);
  EXPECT_EQ(run[1].start, run[0].end);
}

TEST(Rule15, PriorityIsClampedToTheRangeOfTheDevice) {
  const auto run = simulate(
      "stream L nonblocking\nstream M nonblocking priority=-5\nstream H nonblocking priority=-9\n"
      "L: spin 100us blocks=2 threads=1024\nM: spin 100us blocks=2 threads=1024\nH: spin 100us blocks=2 threads=1024\n",
      one_multiprocessor());
  EXPECT_LT(run[1].start, run[2].start);  // -9 counts as -5, so the earlier goes first
}

// The urgent kernel waits until the other one is over, and holds up none of its blocks meanwhile.
TEST(Rule15, AnUrgentKernelWithoutAPlaceHoldsUpNoBlocksOfThoseThatRun) {
  Profile one = one_multiprocessor();
  one.compute.kernels = 1;
  const auto run = simulate(
      "stream L nonblocking\nstream H nonblocking priority=-1\n"
      "L: spin 100us blocks=6 threads=1024\nH: spin 10us\n",
      one);
  EXPECT_GE(took(run[0]), 300 * us);
  EXPECT_GE(run[1].start, run[0].end);
}

TEST(Rule16, AStreamsQueueIsFinite) {
  const auto run = simulate("stream A\nA: spin 10ms\nrepeat 1100 as i {\n  A: spin 1us\n}\n");
  EXPECT_LT(run[1021].host_end, run[0].end);
  EXPECT_GE(run[1022].host_end, run[0].end);
  EXPECT_EQ(run[1022].host_begin, run[1021].host_end);
}

TEST(Rule17, HostFunctionsTakeTurnsOnOneThread) {
  const auto run = simulate("stream A\nstream B\nA: hostfn 50us\nB: hostfn 50us\n");
  EXPECT_EQ(took(run[0]), 50 * us);
  EXPECT_FALSE(overlap(run[0], run[1]));
}

// Another thread submits while the main one waits: in the same stream and, for a wait for the device, in any.
TEST(HostWaits, AreForWhatWasSubmittedBefore) {
  const auto meanwhile = [](const std::string& wait) {
    return simulate(
        "buffer x 64KiB host=pageable\nstream A\nstream N nonblocking\nhost: malloc t 1MiB\nA: spin 3ms\n"
        "thread T {\n  host: work 1ms\n  A: spin 9ms\n  N: spin 9ms\n}\nhost: " +
        wait + "\nhost: join T\n");
  };
  for (const char* wait : {"sync A", "sync default", "sync device", "free t", "memcpy h2d x"}) {
    const auto run = meanwhile(wait);
    EXPECT_LT(run[4].host_end, run[6].host_begin + 3'000 * us) << "the thread submits during the wait";
    EXPECT_GE(run[6].host_end, run[1].end) << wait;
    EXPECT_LT(run[6].host_end, run[1].end + 200 * us) << wait;
  }
  // A poll asks again each time.
  const auto poll = meanwhile("poll A every=10us");
  EXPECT_GE(poll[6].host_end, poll[4].end);
}

TEST(HostCalls, OfMoreBytesThanWereTimedTakeNoLonger) {
  Profile profile = h200();
  for (TimeBySize* table : {&profile.host.copy_h2d, &profile.host.copy_d2h, &profile.host.memset}) {
    table->points = {{4 << 10, 1'000}, {1 << 20, 2'000}};
  }
  const auto run = simulate(
      "buffer x 32GiB\nbuffer y 1MiB\nstream A\nA: h2d x\nA: d2h x\nA: memset x 0\nA: h2d y\nA: d2h y\nA: memset y 0\n",
      profile);
  for (const std::size_t i : {0, 1, 2}) EXPECT_EQ(held(run[i]), held(run[i + 3])) << i;
}

TEST(HostWaits, PollsCostAQueryEach) {
  const auto run = simulate("stream A\nA: spin 5ms\nhost: poll A every=100us\nhost: sync device\n");
  EXPECT_NEAR(run[1].polls, 5'000 / 100.8, 3);
  EXPECT_EQ(run.wall, run[2].host_end);
}

}  // namespace
}  // namespace streamscope::model
