// What no rule of CUDA's says and an H200 was seen to do: which copy is next, how engines hand over, what
// memory of the host costs.
#include "engine/device/model/hardware/handoff.h"
#include "engine/device/model/profile/profile_numbers.h"
#include "tests/engine/model/simulated.h"

namespace streamscope::model {
namespace {

Simulated copies_of(int streams, CopyQueue queue) {
  Profile profile = h200();
  profile.copies.queue = queue;
  const std::string count = std::to_string(streams);
  return simulate("buffer x 32MiB\nstreams S " + count + " nonblocking\nrepeat 24 as i {\n  S{i%" + count +
                      "}: h2d x[{i}MiB:1MiB]\n}\n",
                  profile);
}

TEST(CopyEngine, GoesOnWithOneStreamWhereTheChannelsAreSharedAlike) {
  for (const int streams : {2, 4, 8}) {
    // The first stream's last copy comes before the last stream's first.
    const auto all = static_cast<std::size_t>(streams);
    const auto run = copies_of(streams, CopyQueue::channel);
    EXPECT_LE(run[24 - all].end, run[all - 1].start) << streams;
    const auto in_turn = copies_of(streams, CopyQueue::eligible);
    EXPECT_GT(in_turn[24 - all].end, in_turn[all - 1].start) << streams;
  }
  const auto six = copies_of(6, CopyQueue::channel);
  EXPECT_GE(six[18].start, six[17].end);
}

TEST(Handoff, IsTheLaterTheLongerAnEngineHasWaited) {
  Profile profile = h200();
  profile.streams.short_handoff = 1 * us;
  profile.streams.kernel_after_copy = 4 * us;
  profile.streams.short_wait = 9 * us;
  profile.streams.long_wait = 50 * us;
  profile.streams.copy_after_kernel = 4 * us;
  // Each engine's second turn comes soon after its first, and the copy engine's third long after its second.
  const auto run = simulate(
      "buffer x 4MiB\nstream A\nA: spin 500us\nA: h2d x[0:4KiB]\nA: spin 500ns\nA: h2d x[0:4KiB]\nA: spin 100us\n"
      "A: h2d x[0:4KiB]\n",
      profile);
  EXPECT_EQ(run[3].start - run[2].end, 1 * us);
  EXPECT_EQ(run[5].start - run[4].end, 4 * us);
  EXPECT_EQ(handoff(profile.streams, Engine::h2d, Engine::compute, 9 * us), 1 * us);
  EXPECT_EQ(handoff(profile.streams, Engine::h2d, Engine::compute, 10 * us), 2'500);
  EXPECT_EQ(handoff(profile.streams, Engine::h2d, Engine::compute, 51 * us), 4 * us);
  EXPECT_EQ(handoff(profile.streams, Engine::compute, Engine::compute, 1 * us), profile.streams.kernel_after_kernel);
}

// The second stream's copies are ready before the first one's second is, and still come after all of the first's.
TEST(Handoff, BehindAWaitForNothingACopyEngineStaysWithItsStream) {
  Profile profile = h200();
  profile.copies.queue = CopyQueue::channel;
  const auto run = simulate(
      "buffer x 64MiB\nevent e\nstreams S 2 nonblocking\nrepeat 4 as i {\nS{i%2}: wait e\nS{i%2}: h2d "
      "x[{i*16}MiB:16MiB]\n}\n",
      profile);
  // wait, copy of S0, of S1, of S0, of S1
  EXPECT_EQ(run[5].start, run[1].end);
  EXPECT_EQ(run[3].start, run[5].end);
}

TEST(Handoff, ThroughAnEventCostsAQuestion) {
  const Profile profile = h200();
  for (const char* const work : {"h2d x[0:4MiB]", "spin 100us"}) {
    const auto run = simulate("buffer x 16MiB\nevent e notiming\nstreams S 2 nonblocking\nS0: " + std::string(work) +
                              "\nS0: record e\nS1: wait e\nS1: " + work + "\n");
    EXPECT_EQ(run[3].start - run[0].end, profile.streams.event + profile.streams.wait + profile.streams.short_handoff)
        << work;
  }
}

TEST(Records, OfCopiesTakeTheirEngine) {
  Profile profile = h200();
  profile.copies.queue = CopyQueue::channel;
  const std::string rest = "streams S 2 nonblocking\nS0: h2d x[0:4MiB]\nS0: record e\nS1: h2d x[4MiB:4MiB]\n";
  const auto run = simulate("buffer x 16MiB\n" + rest, profile);
  EXPECT_GE(run[2].start, run[1].end);
  EXPECT_EQ(took(run[1]), profile.streams.record);
  const auto untimed = simulate("buffer x 16MiB\nevent e notiming\n" + rest, profile);
  EXPECT_EQ(untimed[2].start, untimed[0].end);
}

TEST(Copies, WhoseStreamGoesOnElsewhereHoldTheirEngineForItsRelease) {
  const std::string head = "buffer x 8MiB\nstreams S 2 nonblocking\nS0: h2d x[0:1MiB]\n";
  const std::string other = "S1: h2d x[4MiB:1MiB]\n";
  const auto alone = simulate(head + other), released = simulate(head + "S0: spin 1us\n" + other);
  EXPECT_EQ(alone[1].start, alone[0].end);
  EXPECT_EQ(released[2].start, released[0].end + h200().streams.record / 2);
  // What is behind it in its stream comes no later.
  EXPECT_EQ(released[1].start, simulate(head + "S0: spin 1us\n")[1].start);
}

TEST(TinyCopies, ToTheDeviceTravelWithTheCommands) {
  const Profile profile = h200();
  const auto run =
      simulate("buffer x 4KiB\nstream A\nA: spin 500us\nA: h2d x[0:1KiB]\nA: spin 100us\nA: d2h x[0:1KiB]\n");
  EXPECT_EQ(run[1].start - run[0].end, profile.streams.inlined);
  EXPECT_EQ(run[2].start - run[1].end, profile.streams.inlined);
  EXPECT_EQ(run[3].start - run[2].end, profile.streams.copy_after_kernel);
  const auto two = simulate("buffer x 4KiB\nstream A\nA: spin 500us\nA: h2d x[0:1KiB]\nA: h2d x[1KiB:1KiB]\n");
  EXPECT_EQ(two[2].start - two[1].end, profile.streams.copy_after_copy);
  const auto then_an_engine = simulate(
      "buffer x 1MiB\nstream A\nA: spin 500us\nA: h2d x[0:1KiB]\nA: d2h x[0:64KiB]\nA: h2d x[0:1KiB]\n"
      "A: h2d x[0:64KiB]\n");
  EXPECT_EQ(then_an_engine[2].start - then_an_engine[1].end, profile.streams.inlined) << "nothing to poll for";
  EXPECT_GT(then_an_engine[3].start - then_an_engine[2].end, profile.streams.inlined);
  EXPECT_EQ(then_an_engine[4].start - then_an_engine[3].end, profile.streams.inlined);
  const auto pageable = simulate(
      "buffer x 1MiB host=pageable\nstream A\nA: spin 3ms\nA: h2d x[0:64KiB]\nA: spin 100us\n"
      "A: h2d x[0:65KiB]\nA: spin 100us\n");
  EXPECT_EQ(pageable[2].start - pageable[1].end, profile.streams.inlined);
  EXPECT_GT(pageable[4].start - pageable[3].end, profile.streams.inlined);
}

TEST(TinyCopies, OfPinnedMemoryAreWrittenByTheHostWhereTheirStreamIsIdle) {
  Profile profile = h200();
  const auto held_for = [&](const std::string& text, std::uint64_t by_host) {
    profile.copies.by_host = by_host;
    const auto run = simulate("buffer x 64KiB\nstream A\n" + text, profile);
    return held(run[text.find("spin") == std::string::npos ? 0 : 1]);
  };
  const Nanoseconds writing = profile.copies.h2d_pageable.at(16 << 10);
  EXPECT_EQ(held_for("A: h2d x[0:16KiB]\n", 24 << 10) - held_for("A: h2d x[0:16KiB]\n", 0), writing);
  for (const char* text : {"A: h2d x[0:32KiB]\n", "A: d2h x[0:16KiB]\n", "A: spin 500us\nA: h2d x[0:16KiB]\n"}) {
    EXPECT_EQ(held_for(text, 24 << 10), held_for(text, 0)) << text;
  }
}

TEST(Channels, AStreamWithoutOneTakesThatUsedLongestAgo) {
  // Nine streams of a long and a short kernel, and eight channels: the ninth stream's kernels queue behind the first's,
  // the first's next ones behind the second's.
  const auto run =
      simulate("streams S 9 nonblocking\nrepeat 2 {\nrepeat 9 as i {\n  S{i}: spin 185us\n  S{i}: spin 3us\n}\n}\n");
  const Nanoseconds gap = h200().compute.launch_gap;
  EXPECT_EQ(run[16].start - run[1].start, gap);   // S8 when the short kernel of S0 has begun
  EXPECT_EQ(run[18].start - run[3].start, gap);   // S0 again when that of S1 has
  EXPECT_EQ(run[32].start - run[17].start, gap);  // S7 again when that of S8 has
  const auto eight =
      simulate("streams S 8 nonblocking\nrepeat 2 {\nrepeat 8 as i {\n  S{i}: spin 185us\n  S{i}: spin 3us\n}\n}\n");
  EXPECT_LT(eight[16].start, run[18].start);
}

TEST(Channels, ACopyThatWaitsForItsStreamHoldsUpThoseBehindIt) {
  Profile profile = h200();
  profile.copies.queue = CopyQueue::channel;
  const auto second_stream = [&](std::uint32_t channels) {
    profile.copies.channels = channels;
    return simulate("buffer x 8MiB\nstreams S 2 nonblocking\nS0: spin 900us\nS0: h2d x[0:1MiB]\nS1: h2d x[1MiB:1MiB]\n",
                    profile)[2];
  };
  EXPECT_GT(second_stream(1).start, 900 * us);
  EXPECT_LT(second_stream(2).start, 100 * us);
}

// It takes the engine of the copy before it for that time, but nothing of the bus.
TEST(Channels, ARecordSlowsNoCopyOfTheOtherDirection) {
  Profile profile = h200();
  profile.copies.queue = CopyQueue::channel;
  profile.streams.record = 100 * us;
  const auto run = simulate(
      "buffer x 64KiB\nbuffer y 64\nstreams S 2 nonblocking\nS0: h2d x\nS0: record e\nhost: work 20us\nS1: d2h y\n",
      profile);
  ASSERT_GT(run[3].start, run[1].start);
  ASSERT_LT(run[3].end, run[1].end);
  const auto alone = simulate("buffer y 64\nstream A\nA: d2h y\n", profile);
  EXPECT_EQ(took(run[3]), took(alone[0]));
  EXPECT_EQ(took(run[1]), profile.streams.record);
}

TEST(HostFunctions, WaitForTheirThreadToWakeWhereItHasSlept) {
  Profile profile = h200();
  profile.streams.host_function_patience = 20 * us;
  const auto gap = [&](int microseconds) {
    const auto run = simulate("stream A\nA: spin " + std::to_string(microseconds) + "us\nA: hostfn 1us\n", profile);
    return run[1].start - run[0].end;
  };
  EXPECT_EQ(gap(1), profile.streams.host_function_after_work);
  EXPECT_GT(gap(50), profile.streams.host_function_asleep);
  // It has had nothing to do since the call that issued the function, which comes some 20 us before this kernel's end.
  EXPECT_GT(gap(22), profile.streams.host_function_asleep);
  EXPECT_GT(gap(200), gap(50));
  EXPECT_EQ(gap(2000), gap(4000));
}

// Measured on an H100: eight kernels over 16 MiB each take 3.47 ms in four streams, where the bus takes 3.33.
TEST(MappedMemory, IsReachedAsFastByKernelsSideBySide) {
  const auto with = [](const std::string& streams) {
    const auto run =
        simulate("buffer x 128MiB host=mapped\nstreams S " + streams + " nonblocking\nrepeat 8 as i {\n  S{i%" +
                 streams + "}: axpb x[{i*16}MiB:16MiB] fma=2100\n}\n");
    return trace::makespan(run.spans);
  };
  EXPECT_LT(with("4"), with("1") * 11 / 10);
}

TEST(Memsets, StarveBesideArithmetic) {
  const auto memset_beside = [](int fma) {
    return took(simulate("buffer x 16MiB\nbuffer y 1MiB\nstreams S 2 nonblocking\nS0: axpb x fma=" +
                         std::to_string(fma) + "\nS1: memset y 1\n")[1]);
  };
  EXPECT_GT(memset_beside(4096), 50 * memset_beside(1));
}

TEST(MappedMemory, IsSetAndCopiedOverTheBus) {
  const auto run = simulate(
      "buffer m 64MiB host=mapped\nbuffer x 64MiB\nstream A\nA: memset m 0\nA: d2d x m\nA: d2d m x\nA: h2d x\nA: d2h "
      "x\n"
      "A: memset x 0\n");
  EXPECT_EQ(took(run[0]), took(run[4]));
  EXPECT_EQ(took(run[1]), took(run[3]));
  EXPECT_EQ(took(run[2]), took(run[4]));
  EXPECT_LT(took(run[5]), took(run[4]) / 10);
}

TEST(MappedMemory, SharesTheBusWithCopies) {
  const std::string buffers =
      "buffer m 64MiB host=mapped\nbuffer x 64MiB\nstream A nonblocking\nstream B nonblocking\n";
  const auto alone = simulate(buffers + "A: axpb m fma=1\nhost: sync A\nB: h2d x\nhost: sync B\nA: memset m 0\n");
  const Nanoseconds kernel = took(alone[0]), copy = took(alone[2]), memset = took(alone[4]);
  // An H200's copy took 2349 us beside such a kernel, 1.9 times as long as alone.
  const auto beside = simulate(buffers + "A: axpb m fma=1\nB: h2d x\n");
  EXPECT_GT(took(beside[1]), 17 * copy / 10);
  EXPECT_GT(took(beside[0]), 15 * kernel / 10);
  EXPECT_LE(std::max(beside[0].end, beside[1].end) - beside[0].start, kernel + copy + 20 * us);
  const auto set = simulate(buffers + "A: memset m 0\nB: d2h x\n");
  EXPECT_GT(took(set[0]), 18 * memset / 10);
  EXPECT_GT(took(set[1]), 18 * memset / 10);
  const auto other_way = simulate(buffers + "A: memset m 0\nB: h2d x\n");
  EXPECT_LT(took(other_way[1]), 15 * copy / 10);
}

TEST(MappedMemory, LeavesTheRateOfTheDevicesOwnToOthers) {
  const std::string buffers =
      "buffer m 64MiB host=mapped\nbuffer x 256MiB\nstream A nonblocking\nstream B nonblocking\n";
  const auto alone = simulate(buffers + "B: axpb x fma=1 blocks=66 threads=1024\n");
  const auto beside =
      simulate(buffers + "A: axpb m fma=1 blocks=66 threads=1024\nB: axpb x fma=1 blocks=66 threads=1024\n");
  EXPECT_LT(took(beside[1]), 11 * took(alone[0]) / 10);
}

TEST(ManagedMemory, OfAKernelMovesWhenItsBlocksBegin) {
  const std::string programs =
      "buffer m 4224KiB host=managed\nbuffer n 4224KiB host=managed\nstreams S 2 nonblocking\n";
  const std::string kernel = " fma=1 blocks=264 threads=1024\n";
  const auto alone = simulate(programs + "S1: axpb n" + kernel);
  const auto behind = simulate(programs + "S0: axpb m" + kernel + "S1: axpb n" + kernel);
  ASSERT_GE(behind[1].start, behind[0].end) << "it waits for room";
  EXPECT_EQ(took(behind[1]), took(alone[0])) << "and then for its own pages, not again for those of the other";
}

TEST(ManagedMemory, OfTwoKernelsMovesOneAfterTheOther) {
  const auto run = simulate(
      "buffer m 512MiB host=managed\nbuffer n 64MiB host=managed\nstreams S 2 nonblocking\n"
      "S0: axpb m fma=1\nS1: axpb n fma=1\n");
  const auto first = simulate("buffer m 512MiB host=managed\nstream A\nA: axpb m fma=1\n");
  const auto second = simulate("buffer n 64MiB host=managed\nstream A\nA: axpb n fma=1\n");
  ASSERT_TRUE(overlap(run[0], run[1]));
  const auto ms = [](Nanoseconds time) { return static_cast<double>(time) / 1e6; };
  EXPECT_NEAR(ms(took(run[0])), ms(took(first[0])), 0.05 * ms(took(first[0]))) << "it has the bus for itself";
  EXPECT_NEAR(ms(run[1].end), ms(run[0].end + took(second[0])), 0.05 * ms(run[1].end));
}

TEST(Caches, HoldAShareOfWhatIsTooLargeForThem) {
  const Profile profile = h200();
  const auto took_for = [&](std::uint64_t mib) {
    const std::string size = std::to_string(mib) + "MiB";
    const auto run = simulate("buffer x " + size + "\nstream A\nA: axpb x fma=1\n");
    return static_cast<double>(took(run[0])) / static_cast<double>(mib);
  };
  const std::uint64_t fits = profile.compute.cache_bytes >> 20;
  EXPECT_LT(took_for(fits), 0.95 * took_for(2 * fits));
  EXPECT_LT(took_for(2 * fits), 0.97 * took_for(8 * fits));
}

TEST(PageableCopies, OfMoreDataThanCachesHoldGoAtThePaceOfTheWhole) {
  Profile profile = h200();
  profile.copies.h2d_pageable.points = {{1 << 20, 100 * us}, {16 << 20, 1'600 * us}, {64 << 20, 12'800 * us}};
  const auto held_by = [&](int buffer_mib) {
    return held(simulate("buffer x " + std::to_string(buffer_mib) + "MiB host=pageable\nstream A\nrepeat " +
                             std::to_string(buffer_mib / 16) + " as i {\n  A: h2d x[{i*16}MiB:16MiB]\n}\n",
                         profile)[0]);
  };
  EXPECT_NEAR(static_cast<double>(held_by(64)) / static_cast<double>(held_by(16)), 2, 0.05);
}

TEST(PageableCopies, ToMemoryThatACopyToTheDeviceHasReadTakeLonger) {
  Profile profile = h200();
  profile.copies.pageable_turn = 2'000'000;
  const auto back = [&](const std::string& first) {
    const auto run = simulate("buffer x 16MiB host=pageable\nstream A\n" + first + "A: d2h x[0:1MiB]\n", profile);
    return took(run[first.empty() ? 0 : 1]);
  };
  const Nanoseconds alone = back("");
  EXPECT_EQ(back("A: h2d x[0:1MiB]\n") - alone, profile.copies.d2h_pageable.at(1 << 20));
  EXPECT_EQ(back("A: h2d x[512KiB:1MiB]\n") - alone, profile.copies.d2h_pageable.at(512 << 10));
  EXPECT_EQ(back("A: h2d x[8MiB:1MiB]\n"), alone);
  profile.copies.host_cache = 64 << 10;
  EXPECT_LT(back("A: h2d x[0:1MiB]\n"), alone + 10 * us);
}

TEST(Graphs, KernelsOfBranchesDoNotQueueBehindEachOther) {
  const auto run = simulate(
      "stream A nonblocking\nstream B nonblocking\ngraph G on A {\n  A: record f\n  B: wait f\n  A: spin 100us\n  "
      "A: spin 100us\n  B: spin 100us\n  B: record j\n  A: wait j\n}\nA: launch G\n");
  const auto kernels = [&] {
    std::vector<const trace::Span*> all;
    for (const trace::Span& span : run.spans) {
      if (program::kind(run.program.operations[span.operation].work) == OperationKind::kernel) all.push_back(&span);
    }
    return all;
  }();
  ASSERT_EQ(kernels.size(), 3u);
  EXPECT_TRUE(overlap(*kernels[0], *kernels[2]));
}

TEST(Calls, OfASlowHostTakeLongerAndNothingOnTheDevice) {
  const std::string text =
      "buffer x 8MiB\nstream A nonblocking\nevent E\nA: h2d x[0:4MiB]\nA: axpb x[0:4MiB] fma=64\nA: record E\n"
      "A: d2h x[0:4MiB]\nhost: work 30us\nhost: sync A\n";
  Profile slow = h200();
  ASSERT_TRUE(change(slow, kHostPace, "2"));
  const auto own = simulate(text), twice = simulate(text, slow);
  for (const std::size_t call : {0, 1, 2, 3}) {
    EXPECT_NEAR(static_cast<double>(twice[call].host_end - twice[call].host_begin),
                2.0 * static_cast<double>(own[call].host_end - own[call].host_begin), 2)
        << call;
  }
  for (const std::size_t work : {0, 1, 3}) EXPECT_EQ(took(twice[work]), took(own[work])) << work;
  EXPECT_EQ(twice[4].host_end - twice[4].host_begin, own[4].host_end - own[4].host_begin);
}

TEST(Calls, OfASlowHostWakeAndAskLater) {
  Profile slow = h200();
  ASSERT_TRUE(change(slow, kHostPace, "2"));
  const Nanoseconds wake = h200().host.wake, ask = h200().host.query;
  for (const std::string sync : {"host: sync device\n", "host: sync A\n", "host: sync E\n"}) {
    const std::string text = "stream A nonblocking\nevent E\nA: spin 900us\nA: record E\n" + sync;
    const auto own = simulate(text), twice = simulate(text, slow);
    const auto after = [](const auto& run) { return run[2].host_end - run[1].end; };
    EXPECT_GE(after(own), wake);
    EXPECT_GE(after(twice), 2 * wake) << sync;
  }
  const std::string text = "stream A nonblocking\nA: spin 900us\nhost: query A\n";
  EXPECT_EQ(held(simulate(text)[1]), ask);
  EXPECT_EQ(held(simulate(text, slow)[1]), 2 * ask);
}

TEST(Calls, IntoAStreamNotUsedJustBeforeTakeLonger) {
  const Nanoseconds launch = h200().host.launch;
  const auto first_and_last = [](int streams) {
    const std::string count = std::to_string(streams);
    const auto run = simulate("streams S " + count + " nonblocking\nrepeat " + count + " as i {\nS{i}: spin 1us\n}\n");
    return std::pair{held(run.spans.front()), held(run[static_cast<std::size_t>(streams) - 1])};
  };
  // All of 16 streams were used in the pass before; of 17 each was used longer ago than 16 others.
  EXPECT_EQ(first_and_last(16), (std::pair{launch, launch}));
  EXPECT_GT(first_and_last(17).first, launch);
  EXPECT_GT(first_and_last(17).second, launch);
  const auto twice = simulate("streams S 17 nonblocking\nrepeat 17 as i {\nS{i}: spin 1us\nS{i}: spin 1us\n}\n");
  EXPECT_GT(held(twice[2]), launch);
  EXPECT_EQ(held(twice[3]), launch);
}

TEST(PageableCopies, OnASlowHostTakeLongerByHalfAsMuchAsCalls) {
  const std::string text =
      "buffer x 16MiB host=pageable\nstream A\nA: h2d x[0:16MiB]\nA: d2h x[0:16MiB]\nA: h2d x[0:512KiB]\n";
  Profile slow = h200();
  ASSERT_TRUE(change(slow, kHostPace, "1.4"));
  const auto own = simulate(text), slower = simulate(text, slow);
  for (const std::size_t copy : {0, 1, 2}) {
    EXPECT_NEAR(static_cast<double>(held(slower[copy])), 1.2 * static_cast<double>(held(own[copy])),
                0.02 * static_cast<double>(held(own[copy])))
        << copy;
  }
}

}  // namespace
}  // namespace streamscope::model
