// Where blocks of kernels go and how they share the arithmetic, as an H200 was seen to do it.
#include "tests/engine/model/simulated.h"

namespace streamscope::model {
namespace {

TEST(Carveout, OnlyAnEmptyMultiprocessorSetsMoreSharedMemoryAside) {
  Profile one = h200();
  one.compute.multiprocessors = 1;
  // As many blocks of 40 KiB as fit want 228 KiB set aside; for those of 1024 threads it is 8 KiB.
  const std::string programs = "streams S 2 nonblocking\n";
  const auto small_last =
      simulate(programs + "S0: spin 100us blocks=1 threads=1024\nS1: spin 100us blocks=1 smem=40KiB\n", one);
  EXPECT_GE(small_last[1].start, small_last[0].end);
  const auto small_first =
      simulate(programs + "S0: spin 100us blocks=1 smem=40KiB\nS1: spin 100us blocks=1 threads=1024\n", one);
  EXPECT_TRUE(overlap(small_first[0], small_first[1]));
  const auto kept = simulate(programs +
                                 "S0: spin 5us blocks=1 smem=40KiB\nS0: spin 100us blocks=1 threads=1024\n"
                                 "S1: spin 20us blocks=1 threads=1024\nS1: spin 100us blocks=1 smem=40KiB\n",
                             one);
  EXPECT_TRUE(overlap(kept[1], kept[3]));
}

// 132 blocks of a spin for 60 us beside 132 others, all sizes twice over: they took 69 to 74 us, or 129 to 131.
TEST(Carveout, OfBlocksThatAskForNoneDependsOnHowManyFit) {
  struct Pair {
    int first, second;
    bool beside;
  };
  for (const Pair& one : {Pair{1024, 32, false}, Pair{1024, 64, false}, Pair{1024, 128, false}, Pair{1024, 256, true},
                          Pair{1024, 512, true}, Pair{512, 32, false}, Pair{512, 64, false}, Pair{512, 128, true},
                          Pair{512, 1024, true}, Pair{256, 32, true}, Pair{256, 64, true}, Pair{32, 1024, true}}) {
    const auto run = simulate("streams S 2 nonblocking\nS0: spin 60us blocks=132 threads=" + std::to_string(one.first) +
                              "\nS1: spin 60us blocks=132 threads=" + std::to_string(one.second) + "\n");
    EXPECT_EQ(overlap(run[0], run[1]), one.beside) << one.first << " then " << one.second;
  }
}

// After so many waves few shares are left, and batches of one kernel are joined; those without data are counted all the
// same, and whoever waits for them goes on.
TEST(Blocks, WithoutDataAreWaitedForWhereBatchesAreJoined) {
  const auto run = simulate(
      "buffer x 64MiB\nbuffer y 64MiB\nstream S nonblocking\nstream T nonblocking\n"
      "repeat 300 {\n  S: spin 1us blocks=8000000\n}\n"
      "repeat 40 {\n  S: axpb x fma=512 blocks=1000000 threads=256\n  T: axpb y fma=64 blocks=50000 threads=256\n}\n");
  for (const trace::Span& span : run.spans) EXPECT_TRUE(known(span.end)) << span.line;
}

// 319 to 639 blocks that waited behind thousands without data took 187 to 271 us with all before them, and not 3 times
// as long, as on the few multiprocessors where the first of those end.
TEST(Blocks, ThatWaitedBehindBlocksWithoutDataSpread) {
  for (const char* blocks : {"320", "639"}) {
    for (const char* idle : {"8000", "40000"}) {
      const auto run = simulate(std::string("buffer x 128MiB\nstreams S 3\n") +
                                "S0: axpb x[120MiB:512KiB] fma=4096 blocks=213 threads=256\n"
                                "S1: axpb x[64MiB:1443KiB] fma=388 threads=64 blocks=" +
                                idle + "\nS2: axpb x[0MiB:55560KiB] fma=195 threads=64 blocks=" + blocks + "\n");
      EXPECT_LT(run[2].end - run[0].start, 350 * us) << idle << " and " << blocks;
    }
  }
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

TEST(Blocks, AreFullWhereThereIsDataForSome) {
  // Four elements a thread: 16 KiB for a block of 1024 threads. The second block of 24 KiB is half full, the first not.
  const auto kernel = [](int kib) {
    return took(simulate("buffer x 2MiB\nstream A\nA: axpb x[0:" + std::to_string(kib) +
                         "KiB] fma=4096 threads=1024 blocks=132\n")[0]);
  };
  EXPECT_EQ(kernel(24), kernel(32));
  EXPECT_EQ(kernel(24), kernel(16));
  EXPECT_LT(kernel(8), 0.6 * static_cast<double>(kernel(16)));
}

TEST(Blocks, ThatWaitedFillTheFirstMultiprocessorThatIsFree) {
  // Blocks with tiles want more shared memory set aside, so they wait; alone, each has a multiprocessor to itself.
  const std::string late = "tiles x[4MiB:1MiB] fma=1024 tile=8KiB stages=1 threads=64\n";
  const auto alone = simulate("buffer x 8MiB\nstream A\nA: " + late);
  const auto behind = simulate(
      "buffer x 8MiB\nstreams S 2 nonblocking\nS0: axpb x[0:2MiB] fma=4096 blocks=264 threads=512\nS1: " + late);
  EXPECT_GE(behind[1].start, behind[0].start + took(behind[0]) / 2);
  EXPECT_GT(took(behind[1]), 4 * took(alone[0]));
}

TEST(Blocks, ThatWaitedFillTheRoomOfOneBeforeTheyGoToTheNextMultiprocessor) {
  // Four blocks of 256 threads fit where one of 1024 ended; alone, each has a multiprocessor to itself.
  const std::string late = "axpb x[8MiB:528KiB] fma=4096 blocks=132 threads=256\n";
  const auto alone = simulate("buffer x 16MiB\nstream A\nA: " + late);
  const auto behind = simulate(
      "buffer x 16MiB\nstreams S 2 nonblocking\nS0: axpb x[0:4224KiB] fma=4096 blocks=264 threads=1024\nS1: " + late);
  EXPECT_NEAR(static_cast<double>(took(behind[1])), 4.0 * static_cast<double>(took(alone[0])), 10 * us);
}

TEST(Blocks, BehindOneThatWaitedFillTheRoomOfOneToo) {
  // Eight blocks of the spin wait, and the last kernel behind them; then there is room for both.
  const std::string late = "axpb x[8MiB:528KiB] fma=4096 blocks=132 threads=256\n";
  const auto alone = simulate("buffer x 16MiB\nstream A\nA: " + late);
  const auto behind = simulate(
      "buffer x 16MiB\nstreams S 3 nonblocking\nS0: axpb x[0:4224KiB] fma=4096 blocks=132 threads=1024\n"
      "S1: spin 1ms blocks=140 threads=1024\nS2: " +
      late);
  EXPECT_EQ(behind[2].start, behind[0].end);
  EXPECT_NEAR(static_cast<double>(took(behind[2])), 4.0 * static_cast<double>(took(alone[0])), 10 * us);
}

TEST(Blocks, OfALevelledGridEndWhereTheyAreFewerBeforeOthers) {
  // 140 blocks: eight multiprocessors have two. A block of another kernel takes a whole multiprocessor.
  const auto run = simulate(
      "buffer x 8MiB\nstreams S 2 nonblocking\nS0: axpb x[0:2240KiB] fma=4096 blocks=140 threads=1024\n"
      "S1: spin 10us blocks=1 threads=1024 smem=200KiB\n");
  EXPECT_LT(run[1].start, run[0].start + 0.7 * static_cast<double>(took(run[0])));
}

TEST(Arithmetic, IsSharedOnTheMultiprocessorsWhereKernelsMeetAndNowhereElse) {
  const auto kernels = [](int second_blocks) {
    return simulate(
        "buffer x 8MiB\nstreams S 2 nonblocking\nS0: axpb x[0:1056KiB] fma=4096 blocks=66 threads=1024\n"
        "S1: axpb x[4MiB:" +
        std::to_string(second_blocks * 16) + "KiB] fma=4096 blocks=" + std::to_string(second_blocks) +
        " threads=1024\n");
  };
  const auto apart = kernels(66), meeting = kernels(72);
  EXPECT_LT(took(apart[1]), 1.1 * static_cast<double>(took(apart[0])));
  EXPECT_GT(took(meeting[1]), 1.6 * static_cast<double>(took(apart[1])));
  // The first kernel's warps keep the arithmetic to the end of their one step.
  EXPECT_EQ(took(meeting[0]), took(apart[0]));
}

TEST(Arithmetic, OfStepsIsSharedWithThoseWhoCameLater) {
  const std::string kernel = "axpb x[0:16MiB] fma=2048 threads=256\n";
  const auto alone = simulate("buffer x 16MiB\nstream A\nA: " + kernel);
  const auto both = simulate("buffer x 16MiB\nstreams S 2 nonblocking\nS0: " + kernel + "S1: " + kernel);
  const auto once = static_cast<double>(took(alone[0]));
  EXPECT_NEAR(static_cast<double>(took(both[0])), 2 * once, 0.2 * once);
  EXPECT_NEAR(static_cast<double>(took(both[1])), 2 * once, 0.2 * once);
}

TEST(Arithmetic, IsTakenInTurnsOfOneStep) {
  const std::string many_short = "axpb x[0:16MiB] fma=512 blocks=132 threads=256\n";
  const std::string one_long = "axpb x[16MiB:2112KiB] fma=4096 blocks=132 threads=1024\n";
  const auto first = simulate("buffer x 32MiB\nstream A\nA: " + many_short);
  const auto second = simulate("buffer x 32MiB\nstream A\nA: " + one_long);
  const auto both = simulate("buffer x 32MiB\nstreams S 2 nonblocking\nS0: " + many_short + "S1: " + one_long);
  // The long step waits for a short one, and the short ones for all of it.
  EXPECT_LT(took(both[1]), took(second[0]) + took(first[0]) / 10);
  EXPECT_GT(took(both[0]), took(first[0]) + 0.8 * static_cast<double>(took(second[0])));
}

TEST(Blocks, WithoutDataWaitWhereOthersKeepTheArithmeticBusy) {
  // 80 of 528 blocks have data. On their multiprocessors those without keep the room, so that 104 of 132 blocks fit.
  const auto run = simulate(
      "buffer x 8MiB\nstreams S 2 nonblocking\nS0: axpb x[0:1280KiB] fma=4096 blocks=528 threads=1024\n"
      "S1: spin 60us blocks=132 threads=1024\n");
  EXPECT_GT(took(run[1]), 100 * us);
}

TEST(Blocks, AreHandedOutOneAfterTheOtherWhoeverTheyAreOf) {
  Profile slow = h200();
  slow.compute.block_rate = 10'000'000;
  const std::string kernel = "spin 1us blocks=132 threads=1024\n";
  const auto run = simulate("streams S 2 nonblocking\nS0: " + kernel + "S1: " + kernel, slow);
  EXPECT_GT(std::max(run[0].end, run[1].end) - run[0].start, 264 * 100);
}

// Measured on an H100: 239.8 us with three blocks of two warps on each multiprocessor, which has four schedulers, and
// 185.4 us with four.
TEST(Arithmetic, TakesAsLongAsTheSchedulerWithTheMostWarps) {
  const auto with = [](int blocks) {
    return took(simulate(
        "buffer x 8MiB\nstream A\nA: axpb x fma=2381 threads=64 blocks=" + std::to_string(blocks) + "\n", h200())[0]);
  };
  EXPECT_NEAR(static_cast<double>(with(396)) / static_cast<double>(with(528)), 1.3, 0.07);
}

}  // namespace
}  // namespace streamscope::model
