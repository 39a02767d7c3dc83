// What the simulation says that held each operation, on programs that can be followed by hand.
#include <algorithm>

#include "tests/engine/model/simulated.h"

namespace streamscope::model {
namespace {

struct Logged {
  program::Program program;
  LoggedRun run;

  const trace::Span& operator[](std::size_t index) const { return run.pass.spans.at(index); }
  // Those of one operation.
  std::vector<Hold> holds(OperationIndex operation) const {
    std::vector<Hold> out;
    std::copy_if(run.holds.begin(), run.holds.end(), std::back_inserter(out),
                 [&](const Hold& hold) { return hold.operation == operation; });
    return out;
  }
};

Logged logged(std::string_view text, const Profile& profile = h200()) {
  Logged out{tests::program_of(text), {}};
  auto run = run_logged(profile, out.program);
  EXPECT_TRUE(run) << run.error().message;
  if (run) out.run = std::move(*run);
  return out;
}

using ::testing::ElementsAre;
using ::testing::IsEmpty;

TEST(HoldLog, TheOneBeforeItInItsStreamHoldsFromTheSubmissionToItsEnd) {
  const Logged run = logged("buffer x 16MiB\nstream A nonblocking\nA: h2d x\nA: axpb x fma=1\n");
  EXPECT_THAT(run.holds(0), IsEmpty());
  EXPECT_THAT(run.holds(1), ElementsAre(Hold{1, 0, HoldKind::stream, run[1].host_end, run[0].end}));
}

TEST(HoldLog, TheLegacyStreamHoldsEitherWay) {
  const Logged run = logged("stream A\nstream B\nA: spin 500us\ndefault: spin 500us\nB: spin 500us\n");
  EXPECT_THAT(run.holds(1), ElementsAre(Hold{1, 0, HoldKind::legacy, run[1].host_end, run[0].end}));
  EXPECT_THAT(run.holds(2), ElementsAre(Hold{2, 1, HoldKind::legacy, run[2].host_end, run[1].end}));
}

TEST(HoldLog, AnEventHoldsAWaitAndThatWhatIsBehindIt) {
  const Logged run =
      logged("stream A nonblocking\nstream B nonblocking\nA: spin 500us\nA: record e\nB: wait e\nB: spin 10us\n");
  EXPECT_THAT(run.holds(2), ElementsAre(Hold{2, 1, HoldKind::event, run[2].host_end, run[1].end}));
  EXPECT_THAT(run.holds(3), ElementsAre(Hold{3, 2, HoldKind::stream, run[3].host_end, run[2].end}));
}

TEST(HoldLog, NodesOfAGraphHoldThoseBehindThemAndALaunchTheNext) {
  const Logged run = logged(
      "stream A nonblocking\nstream B nonblocking\ngraph G on A {\n  A: spin 100us\n  A: spin 100us\n}\nA: launch "
      "G\nB: "
      "launch G\n");
  // The call returns when its nodes are submitted, all at once.
  EXPECT_THAT(run.holds(2), ElementsAre(Hold{2, 1, HoldKind::graph, run[0].host_end, run[1].end}));
  const std::vector<Hold> second = run.holds(3);
  ASSERT_THAT(second, ::testing::Not(IsEmpty()));
  EXPECT_EQ(second.back(), (Hold{3, 2, HoldKind::graph, run[3].host_end, run[2].end}));
}

TEST(HoldLog, MemoryThatAnotherStreamFreedHoldsTheAllocation) {
  Profile profile = h200();
  profile.device.memory = 64 << 20;
  const Logged run =
      logged("streams S 2 nonblocking\nS0: malloc a 48MiB\nS0: spin 500us\nS0: free a\nS1: malloc b 48MiB\n", profile);
  EXPECT_THAT(run.holds(3), ElementsAre(Hold{3, 2, HoldKind::pool, run[3].host_end, run[2].end}));
}

TEST(HoldLog, WhatIsAheadInASharedChannelHoldsUntilItLeaves) {
  Profile profile = h200();
  profile.streams.connections = 1;
  const Logged run = logged("streams S 2 nonblocking\nS0: spin 500us\nS0: spin 10us\nS1: spin 10us\n", profile);
  EXPECT_THAT(run.holds(2), ElementsAre(Hold{2, 1, HoldKind::queue, run[2].host_end, run[1].start}));
  EXPECT_EQ(run[2].reason, trace::WaitReason::queue);
}

TEST(HoldLog, ACopyHoldsTheNextOnItsEngineFromItsReadiness) {
  const Logged run = logged(
      "buffer x 48MiB\nstreams S 3 nonblocking\nS0: h2d x[0:16MiB]\nS1: h2d x[16MiB:16MiB]\nS2: h2d "
      "x[32MiB:16MiB]\n");
  EXPECT_THAT(run.holds(1), ElementsAre(Hold{1, 0, HoldKind::occupant, run[1].ready, run[0].end}));
  EXPECT_THAT(run.holds(2), ElementsAre(Hold{2, 0, HoldKind::occupant, run[2].ready, run[0].end},
                                        Hold{2, 1, HoldKind::occupant, run[1].start, run[1].end}));
  const Logged apart = logged("buffer x 32MiB\nstreams S 2 nonblocking\nS0: h2d x[0:16MiB]\nS1: d2h x[16MiB:16MiB]\n");
  EXPECT_THAT(apart.run.holds, IsEmpty()) << "the other direction has an engine of its own";
}

TEST(HoldLog, HostFunctionsHoldEachOther) {
  const Logged run = logged("streams S 2 nonblocking\nS0: hostfn 500us\nS1: hostfn 10us\n");
  EXPECT_LT(run[1].ready, run[0].start);
  EXPECT_THAT(run.holds(1), ElementsAre(Hold{1, 0, HoldKind::occupant, run[0].start, run[0].end}));
}

TEST(HoldLog, AKernelHoldsUntilItMakesRoom) {
  const Logged run = logged(
      "streams S 3 nonblocking\nS0: spin 5ms blocks=1\nS1: spin 500us blocks=132 threads=1024 smem=200000\nS2: spin "
      "10us blocks=132 threads=1024 smem=200000\n");
  // The first runs on beside all of them; the second's end is what the third has waited for.
  EXPECT_GT(run[0].end, run[2].end);
  const std::vector<Hold> last = run.holds(2);
  ASSERT_EQ(last.size(), 1u);
  EXPECT_EQ(last[0], (Hold{2, 1, HoldKind::occupant, run[2].ready, run[2].start}));
}

TEST(HoldLog, ALaunchGapIsNobodys) {
  Profile profile = h200();
  profile.compute.launch_gap = 20 * us;
  const Logged run = logged("streams S 3 nonblocking\nS0: spin 5ms\nS1: spin 5ms\nS2: spin 5ms\n", profile);
  EXPECT_GE(run[2].start, run[1].start + 20 * us);
  EXPECT_THAT(run.run.holds, IsEmpty());
}

TEST(HoldLog, TheRunIsTheSameWithoutIt) {
  const char* const text =
      "buffer x 48MiB\nstreams S 3 nonblocking\nrepeat 6 as i {\n  S{i%3}: h2d x[{i*8}MiB:8MiB]\n  S{i%3}: axpb "
      "x[{i*8}MiB:8MiB] fma=64\n  S{i%3}: hostfn 20us\n  S{i%3}: d2h x[{i*8}MiB:8MiB]\n}\n";
  const Logged with = logged(text);
  const Simulated without = simulate(text);
  EXPECT_EQ(with.run.pass.spans, without.spans);
  EXPECT_EQ(with.run.pass.wall, without.wall);
}

}  // namespace
}  // namespace streamscope::model
