// Which of several causes that go together is named first.
#include <gtest/gtest.h>

#include "tests/engine/remedy/simulated_run.h"

namespace streamscope::remedy {
namespace {

using verdict::Cause;

Cause first_cause(std::string_view text, std::string_view device = "model:h200") {
  const auto run = simulated_run(text, device);
  const Verdict verdict = verdict_on(*run);
  return verdict.entries.empty() ? Cause::unexplained : verdict.entries.front().cause;
}

// On a slow host the path is its calls alone: there are so many because each copies so little.
TEST(FirstCause, OfManySmallCopiesIsTheirSizeOnAnyHost) {
  for (const char* const pace : {"0.6", "1", "2.5", "4"}) {
    EXPECT_EQ(first_cause("buffer x 20MiB\nstreams A 2 nonblocking\nrepeat 640 as i {\n"
                          "  A{i%2}: h2d x[{i*32}KiB:32KiB]\n}\nhost: sync device\n",
                          std::string("model:h200,host.pace=") + pace),
              Cause::chunks_too_small)
        << pace;
  }
}

TEST(FirstCause, OfManySmallKernelsIsTheHost) {
  EXPECT_EQ(first_cause("stream A nonblocking\nrepeat 700 {\n  A: spin 1us blocks=4\n}\nhost: sync A\n"),
            Cause::host_late);
}

// The host works, too, but its calls are held by the queue in the first place.
TEST(FirstCause, OfAHostThatAFullQueueHeldIsTheQueue) {
  EXPECT_EQ(first_cause("buffer table 512MiB\nbuffer rep 32MiB\nstream load nonblocking\nstream look nonblocking\n"
                        "stream report nonblocking\nload: h2d table\nload: record loaded\nlook: wait loaded\n"
                        "repeat 1300 {\n  look: axpb table[0:256KiB] fma=20 blocks=64\n}\nhost: work 6ms\n"
                        "report: h2d rep\nreport: axpb rep fma=9000\nreport: d2h rep\nhost: sync device\n"),
            Cause::launch_queue_full);
}

// Other orders go round it, and without it the probes would race with the zones.
TEST(FirstCause, OfWorkBetweenBarriersIsTheBarrier) {
  EXPECT_EQ(first_cause("buffer field 160MiB\nbuffer probe 4MiB\nstreams z 5\nrepeat 4 as t {\n  repeat 5 as k {\n"
                        "    z{k}: spin 350us blocks=26 threads=512\n    z{k}: axpb field[{k*32}MiB:32MiB] fma=40\n"
                        "    default: reduce probe[{(t*5+k)*1056}:1056] from field[{k*32}MiB:4KiB]\n  }\n}\n"
                        "default: d2h probe[0:21120]\nhost: sync device\n"),
            Cause::legacy_barrier);
}

TEST(FirstCause, OfTurnsThatComeFromTheLastToTheFirstIsTheOrder) {
  EXPECT_EQ(first_cause("buffer w 256MiB\nbuffer act 32MiB\nstream load nonblocking\nstream net nonblocking\n"
                        "net: memset act 0\nrepeat 8 as l {\n  load: h2d w[{(7-l)*32}MiB:32MiB]\n"
                        "  load: record layer{7-l}\n}\nrepeat 8 as l {\n  net: wait layer{l}\n"
                        "  net: axpb act from w[{l*32}MiB:32MiB] fma=1700\n  net: axpb act fma=300\n}\n"
                        "net: d2h act[0:1MiB]\nhost: sync device\n"),
            Cause::issue_order);
}

TEST(FirstCause, OfWaitsThatAllMeanTheLastRecordIsTheEvent) {
  EXPECT_EQ(first_cause("buffer film 240MiB\nevent arrived notiming\nstream in nonblocking\nstreams F 3 nonblocking\n"
                        "repeat 12 as c {\n  in: h2d film[{c*20}MiB:20MiB]\n  in: record arrived\n}\nrepeat 12 as c {\n"
                        "  F{c%3}: wait arrived\n  F{c%3}: axpb film[{c*20}MiB:20MiB] fma=1700\n"
                        "  F{c%3}: d2h film[{c*20}MiB:20MiB]\n}\nhost: sync device\n"),
            Cause::event_late);
}

// To register takes the host's time and waits for nothing.
TEST(FirstCause, OfMemoryRegisteredPieceByPieceIsTheHost) {
  EXPECT_EQ(first_cause("repeat 10 as i {\n  buffer strip{i} 8MiB host=pageable\n}\nbuffer head 64KiB\n"
                        "streams M 2 nonblocking\nM0: h2d head\nrepeat 10 as i {\n  host: register strip{i}\n"
                        "  M{i%2}: h2d strip{i}\n  M{i%2}: axpb strip{i} fma=2000\n  M{i%2}: d2h strip{i}\n}\n"
                        "host: sync device\n"),
            Cause::host_late);
}

TEST(FirstCause, OfIndependentChainsCapturedAsOneIsTheOneStream) {
  EXPECT_EQ(first_cause("buffer reg 144MiB\nstreams R 3 nonblocking\ngraph Day on R0 {\n  repeat 6 as i {\n"
                        "    R0: h2d reg[{i*24}MiB:24MiB]\n    R0: axpb reg[{i*24}MiB:24MiB] fma=2000\n"
                        "    R0: d2h reg[{i*24}MiB:24MiB]\n  }\n}\nR0: launch Day\nhost: sync device\n"),
            Cause::one_stream);
}

// A copy at the beginning finds the kernels in no other stream.
TEST(FirstCause, OfKernelsThatNeedEachOtherIsTheBound) {
  EXPECT_EQ(first_cause("buffer u 64MiB\nbuffer c 64KiB\nstream A nonblocking\ngraph Sweep on A {\n  repeat 10 {\n"
                        "    A: axpb u fma=1200\n  }\n}\nA: h2d c\nrepeat 6 {\n  A: launch Sweep\n}\n"
                        "host: sync device\n"),
            Cause::at_the_bound);
}

// A little is gained by another order; what costs is that no two operations go side by side.
TEST(FirstCause, OfOneStreamIsNotWhatGainsAHundredth) {
  EXPECT_EQ(first_cause("buffer v 192MiB\nbuffer sub 64KiB\nstreams S 3 nonblocking\nrepeat 16 as f {\n"
                        "  S{f*3%3}: h2d v[{f*12}MiB:12MiB]\n  S{f*3%3}: axpb v[{f*12}MiB:12MiB] fma=900\n"
                        "  S{f*3%3}: spin 90us blocks=16\n  S{f*3%3}: d2h v[{f*12}MiB:6MiB]\n"
                        "  S1: h2d sub[{f*4}KiB:4KiB]\n}\nhost: sync device\n"),
            Cause::one_stream);
}

}  // namespace
}  // namespace streamscope::remedy
