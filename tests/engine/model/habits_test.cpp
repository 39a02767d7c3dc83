// What no rule of CUDA's says and an H200 was seen to do: where blocks go, which copy is next, how engines hand over.
#include "tests/engine/model/simulated.h"

namespace streamscope {
namespace {

constexpr Nanoseconds us = 1'000;

TEST(Carveout, OnlyAnEmptyMultiprocessorSetsMoreSharedMemoryAsideAndKeepsIt) {
  Profile one = h200();
  one.compute.multiprocessors = 1;
  // Blocks of 32 threads want 32 KiB set aside, 1 KiB each; those of 1024 threads 8 KiB.
  const std::string programs = "streams S 2 nonblocking\n";
  const auto small_last =
      simulate(programs + "S0: spin 100us blocks=1 threads=1024\nS1: spin 100us blocks=1 threads=32\n", one);
  EXPECT_GE(small_last[1].start, small_last[0].end);
  const auto small_first =
      simulate(programs + "S0: spin 100us blocks=1 threads=32\nS1: spin 100us blocks=1 threads=1024\n", one);
  EXPECT_TRUE(overlap(small_first[0], small_first[1]));
  const auto kept = simulate(programs +
                                 "S0: spin 5us blocks=1 threads=32\nS0: spin 100us blocks=1 threads=1024\n"
                                 "S1: spin 20us blocks=1 threads=1024\nS1: spin 100us blocks=1 threads=32\n",
                             one);
  EXPECT_TRUE(overlap(kept[1], kept[3]));
}

TEST(Blocks, WithoutDataEndAtOnceAndLeaveTheirRoom) {
  // 64 of 1056 blocks have data; together they fill the device.
  const auto run = simulate(
      "buffer x 2MiB\nstreams S 2 nonblocking\nS0: axpb x[0:256KiB] fma=4096 blocks=1056 threads=256\n"
      "S1: axpb x[1MiB:256KiB] fma=4096 blocks=1056 threads=256\n");
  EXPECT_TRUE(overlap(run[0], run[1]));
}

TEST(Blocks, OfALargerGridCrowdBeyondTheFirst) {
  const auto kernel = [](int kib, int blocks) {
    return took(simulate("buffer x 2MiB\nstream A\nA: axpb x[0:" + std::to_string(kib) +
                         "KiB] fma=4096 threads=256 blocks=" + std::to_string(blocks) + "\n")[0]);
  };
  // 4 KiB a block: 80 of them, and 100.
  EXPECT_LT(kernel(400, 132), 1.1 * static_cast<double>(kernel(320, 132)));
  EXPECT_GT(kernel(400, 264), 1.3 * static_cast<double>(kernel(320, 264)));
}

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
    const auto run = copies_of(streams, CopyQueue::stream);
    EXPECT_LE(run[24 - all].end, run[all - 1].start) << streams;
    const auto in_turn = copies_of(streams, CopyQueue::eligible);
    EXPECT_GT(in_turn[24 - all].end, in_turn[all - 1].start) << streams;
  }
  const auto six = copies_of(6, CopyQueue::stream);
  EXPECT_GE(six[18].start, six[17].end);
}

TEST(Handoff, AfterShortWorkIsSooner) {
  const Profile profile = h200();
  const auto run = simulate(
      "buffer x 4MiB\nstream A\nA: spin 500us\nA: h2d x[0:4KiB]\nA: spin 1us\nA: h2d x[0:4MiB]\nA: spin 1us\n");
  ASSERT_LT(took(run[1]), profile.streams.short_work);
  EXPECT_EQ(run[2].start - run[1].start, profile.streams.short_handoff);
  ASSERT_GT(took(run[3]), profile.streams.short_work);
  EXPECT_EQ(run[4].start - run[3].end, profile.streams.kernel_after_copy);
}

TEST(TinyCopies, ToTheDeviceTravelWithTheCommands) {
  const Profile profile = h200();
  const auto run = simulate(
      "buffer x 4KiB\nstream A\nA: spin 500us\nA: h2d x[0:1KiB]\nA: spin 100us\nA: d2h x[0:1KiB]\n");
  EXPECT_EQ(run[1].start - run[0].end, profile.streams.kernel_after_kernel);
  EXPECT_GT(run[3].start - run[2].end, profile.streams.kernel_after_kernel);
  const auto two = simulate("buffer x 4KiB\nstream A\nA: spin 500us\nA: h2d x[0:1KiB]\nA: h2d x[1KiB:1KiB]\n");
  EXPECT_EQ(two[2].start - two[1].end, profile.streams.copy_after_copy);
  const auto pageable = simulate(
      "buffer x 1MiB host=pageable\nstream A\nA: spin 3ms\nA: h2d x[0:64KiB]\nA: spin 100us\n"
      "A: h2d x[0:65KiB]\nA: spin 100us\n");
  EXPECT_EQ(pageable[2].start - pageable[1].end, profile.streams.kernel_after_kernel);
  EXPECT_EQ(pageable[4].start - pageable[3].end, profile.streams.kernel_after_copy);
  Profile by_host = h200();
  by_host.copies.by_host = 28 << 10;
  const auto held_for = [](const Profile& by, const char* copy) {
    return held(simulate("buffer x 64KiB\nstream A\nA: " + std::string(copy) + "\n", by)[0]);
  };
  EXPECT_EQ(held_for(by_host, "h2d x[0:16KiB]") - held_for(profile, "h2d x[0:16KiB]"),
            profile.copies.h2d_pageable.at(16 << 10));
  EXPECT_EQ(held_for(by_host, "h2d x[0:32KiB]"), held_for(profile, "h2d x[0:32KiB]"));
  EXPECT_EQ(held_for(by_host, "d2h x[0:16KiB]"), held_for(profile, "d2h x[0:16KiB]"));
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

TEST(Graphs, KernelsOfBranchesDoNotQueueBehindEachOther) {
  const auto run = simulate(
      "stream A nonblocking\nstream B nonblocking\ngraph G on A {\n  A: record f\n  B: wait f\n  A: spin 100us\n  "
      "A: spin 100us\n  B: spin 100us\n  B: record j\n  A: wait j\n}\nA: launch G\n");
  const auto kernels = [&] {
    std::vector<const Span*> all;
    for (const Span& span : run.spans) {
      if (kind(run.program.operations[span.operation].work) == OperationKind::kernel) all.push_back(&span);
    }
    return all;
  }();
  ASSERT_EQ(kernels.size(), 3u);
  EXPECT_TRUE(overlap(*kernels[0], *kernels[2]));
}

}  // namespace
}  // namespace streamscope
