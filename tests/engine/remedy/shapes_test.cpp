// Faults in shapes that a verdict found hard: in other threads, behind a full queue, in loops and without any. Written
// down before it was asked.
#include <gmock/gmock.h>

#include <algorithm>

#include "tests/engine/remedy/simulated_run.h"

namespace streamscope::remedy {
namespace {

using verdict::Cause;

struct Shape {
  std::string_view name;
  std::vector<Cause> accepted;
  std::string_view text;
};

class Shapes : public ::testing::TestWithParam<Shape> {};

TEST_P(Shapes, AreNamedFirst) {
  const auto run = simulated_run(GetParam().text);
  const Verdict verdict = verdict_on(*run);
  ASSERT_FALSE(verdict.entries.empty());
  const auto& accepted = GetParam().accepted;
  EXPECT_NE(std::ranges::find(accepted, verdict.entries.front().cause), accepted.end())
      << name(verdict.entries.front().cause) << (verdict.entries.size() > 1 ? name(verdict.entries[1].cause) : "");
}

// Staging goes at the host's pace, so that a device with a faster host is one without staging, too.
TEST(Without, AFasterHostSaysNothingOfLateCallsWhereMemoryIsStaged) {
  const auto of = [](const char* text) { return causes_of_the_device(*simulated_run(text)->judgement); };
  const auto pinned = of("buffer x 1MiB\nstream A nonblocking\nA: h2d x\n");
  const auto staged = of("buffer x 1MiB host=pageable\nstream A nonblocking\nA: h2d x\n");
  EXPECT_NE(std::ranges::find(pinned, Cause::host_late), pinned.end());
  EXPECT_EQ(std::ranges::find(staged, Cause::host_late), staged.end());
}

using enum Cause;
INSTANTIATE_TEST_SUITE_P(
    All, Shapes,
    ::testing::Values(
        Shape{"FreeInAnotherThread",
              {implicit_sync},
              "buffer x 96MiB\nstream A nonblocking\nstream B nonblocking\nhost: malloc t 1MiB\n"
              "thread other {\n  A: spin 5ms blocks=16\n  host: sync A\n}\nhost: work 200us\nB: memset t 1\n"
              "B: h2d x[0:32MiB]\nhost: free t\nB: axpb x[0:32MiB] fma=2000\nB: h2d x[32MiB:64MiB]\n"
              "B: axpb x fma=4000\nhost: join other\nhost: sync device\n"},
        Shape{"FreeBesideLongKernels",
              {implicit_sync},
              "buffer y 64MiB\nstreams K 3 nonblocking\nstream C nonblocking\nhost: malloc a 2MiB\n"
              "host: malloc b 2MiB\nK0: spin 1ms blocks=30\nC: h2d y[0:32MiB]\nhost: free a\nK1: spin 1200us "
              "blocks=30\nhost: free b\nK2: spin 1400us blocks=30\nC: h2d y[32MiB:32MiB]\nhost: sync device\n"},
        Shape{"StagingInAnotherThread",
              {driver_lock, pageable_copy},
              "buffer p 32MiB host=pageable\nstream A nonblocking\nstream B nonblocking\nthread feeder {\n"
              "  A: h2d p\n  host: sync A\n}\nhost: work 100us\nrepeat 200 {\n  B: spin 5us blocks=4\n}\n"
              "host: join feeder\nhost: sync device\n"},
        Shape{"QueueFullBehindAHostFunction",
              {launch_queue_full},
              "buffer x 64MiB\nstream log nonblocking\nstream work nonblocking\nlog: hostfn 9ms\n"
              "repeat 1300 {\n  log: spin 1us\n}\nrepeat 4 as i {\n  work: h2d x[{i*16}MiB:16MiB]\n"
              "  work: axpb x[{i*16}MiB:16MiB] fma=4000\n}\nhost: sync device\n"},
        Shape{"QueueFullOfSteps",
              {launch_queue_full},
              "stream A nonblocking\nstream B nonblocking\nrepeat 2000 {\n  A: spin 8us blocks=8\n}\n"
              "repeat 1000 {\n  B: spin 16us blocks=8\n}\nhost: sync device\n"},
        Shape{"ManyLaunchesBehindAShortWait",
              {host_late, chunks_too_small},
              "buffer x 4MiB\nstreams S 3 nonblocking\nS0: h2d x\nhost: sync S0\nrepeat 600 as i {\n  S0: spin 1us\n"
              "  S1: spin 1us\n  S2: spin 1us\n}\nhost: sync device\n"},
        Shape{"WorkBehindAShortWait",
              {host_late},
              "buffer x 64MiB\nstream A nonblocking\nA: h2d x[0:1MiB]\nhost: sync A\nhost: work 4ms\n"
              "A: h2d x[1MiB:63MiB]\nA: axpb x fma=500\nhost: sync device\n"},
        Shape{"TwoHalvesIn",
              {chunks_too_large},
              "buffer x 256MiB\nstream A nonblocking\nstream B nonblocking\nA: h2d x[0:128MiB]\n"
              "A: axpb x[0:128MiB] fma=2000\nA: d2h x[0:128MiB]\nB: h2d x[128MiB:128MiB]\n"
              "B: axpb x[128MiB:128MiB] fma=2000\nB: d2h x[128MiB:128MiB]\nhost: sync device\n"},
        Shape{"ThreeThirdsOut",
              {chunks_too_large},
              "buffer x 192MiB\nstreams S 3 nonblocking\nrepeat 3 as i {\n  S{i}: memset x[{i*64}MiB:64MiB] 1\n"
              "  S{i}: axpb x[{i*64}MiB:64MiB] fma=5000\n  S{i}: d2h x[{i*64}MiB:64MiB]\n}\nhost: sync device\n"},
        Shape{"LongestLast",
              {issue_order},
              "buffer d 256MiB\nstreams J 4 nonblocking\nrepeat 4 as j {\n  J{j}: h2d d[{j*64}MiB:64MiB]\n"
              "  J{j}: spin {300+j*1500}us blocks=12\n}\nhost: sync device\n"},
        Shape{"LongestInTheMiddle",
              {issue_order},
              "buffer d 256MiB\nstream a nonblocking\nstream b nonblocking\nstream c nonblocking\n"
              "a: h2d d[0:96MiB]\na: spin 100us blocks=8\nb: h2d d[96MiB:32MiB]\nb: spin 6ms blocks=8\n"
              "c: h2d d[128MiB:128MiB]\nc: spin 100us blocks=8\nhost: sync device\n"},
        Shape{"RowsOfThreeStreams",
              {chunks_too_small},
              "buffer t 24MiB\nstreams r 3 nonblocking\nrepeat 3 as k {\n  r{k}: memset t[{k*8}MiB:8MiB] 1\n}\n"
              "repeat 512 as i {\n  repeat 3 as k {\n    r{k}: d2h t[{k*8192+i*16}KiB:16KiB]\n  }\n}\n"
              "host: sync device\n"},
        Shape{"EveryOtherRow",
              {chunks_too_small},
              "buffer t 48MiB\nstream s nonblocking\nrepeat 768 as i {\n  s: h2d t[{i*64}KiB:32KiB]\n}\n"
              "s: axpb t fma=32\nhost: sync device\n"},
        Shape{"TwoChainsInOneStream",
              {one_stream},
              "buffer x 128MiB\nbuffer y 128MiB\nstream A nonblocking\nA: h2d x\nA: axpb x fma=3000\nA: d2h x\n"
              "A: h2d y\nA: axpb y fma=3000\nA: d2h y\nhost: sync device\n"},
        Shape{"ThreeBuffersInOneStream",
              {one_stream},
              "buffer a 64MiB\nbuffer b 64MiB\nbuffer c 64MiB\nstream A nonblocking\nA: h2d a\nA: h2d b\nA: h2d c\n"
              "A: axpb a fma=6000\nA: axpb b fma=6000\nA: axpb c fma=6000\nA: d2h a\nA: d2h b\nA: d2h c\n"
              "host: sync device\n"},
        Shape{"OneGraphInALoop",
              {graph_serial},
              "streams C 3 nonblocking\ngraph net on C0 {\n  C0: spin 300us blocks=8\n  C0: spin 200us blocks=8\n}\n"
              "repeat 9 as i {\n  C{i%3}: launch net\n}\nhost: sync device\n"},
        Shape{"OneGraphWithAFork",
              {graph_serial},
              "streams C 2 nonblocking\nstream F nonblocking\ngraph net on C0 {\n  C0: record fork\n  F: wait fork\n"
              "  F: spin 400us blocks=8\n  C0: spin 380us blocks=8\n  F: record join\n  C0: wait join\n"
              "  C0: spin 40us blocks=8\n}\nrepeat 6 as i {\n  C{i%2}: launch net\n}\nhost: sync device\n"},
        Shape{"KernelsFillTheDevice",
              {at_the_bound},
              "buffer x 64MiB\nstreams S 4 nonblocking\nrepeat 16 as i {\n  S{i%4}: h2d x[{i*4}MiB:4MiB]\n"
              "  S{i%4}: axpb x[{i*4}MiB:4MiB] fma=12000 blocks=1024\n  S{i%4}: d2h x[{i*4}MiB:4MiB]\n}\n"
              "host: sync device\n"}),
    [](const auto& each) { return std::string(each.param.name); });

}  // namespace
}  // namespace streamscope::remedy
