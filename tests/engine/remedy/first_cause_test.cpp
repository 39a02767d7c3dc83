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
