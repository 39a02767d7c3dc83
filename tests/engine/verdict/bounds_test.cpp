// What no schedule could beat.
#include "engine/verdict/bounds.h"

#include <fmt/format.h>

#include "tests/engine/verdict/judged.h"

namespace streamscope::verdict {
namespace {

constexpr Nanoseconds us = 1000;

Nanoseconds bound(const std::string& text, BoundKind kind) {
  const auto run = judged(text);
  for (const Bound& each : bounds(*run->history, isolated_durations(*run->history))) {
    if (each.kind == kind) return each.time;
  }
  ADD_FAILURE() << "no such bound";
  return kAbsent;
}

TEST(Bounds, OfTheOrderIsTheLongestWay) {
  const Nanoseconds time =
      bound("stream A\nstream B nonblocking\nA: spin 500us\nA: spin 300us\nB: spin 400us\n", BoundKind::order);
  EXPECT_GE(time, 800 * us);
  EXPECT_LT(time, 900 * us);
}

// Another time the barrier of the legacy default stream comes elsewhere among the other thread's launches.
TEST(Bounds, OfTheOrderKnowNothingOfWhichThreadComesFirst) {
  const Nanoseconds time = bound(
      "stream A\nthread t {\nA: spin 500us\nA: spin 500us\n}\nhost: work 40us\ndefault: spin 300us blocks=1\nhost: "
      "join t\n",
      BoundKind::order);
  EXPECT_GE(time, 1000 * us);
  EXPECT_LT(time, 1100 * us);
}

TEST(Bounds, OfTheOrderHaveTheWorkBeforeAThreadAheadOfIt) {
  const Nanoseconds time =
      bound("stream A\nA: spin 500us\nthread t {\nA: spin 300us\n}\nhost: join t\n", BoundKind::order);
  EXPECT_GE(time, 800 * us);
}

// Kernels that nearly fill the device: side by side they take less than one after the other.
TEST(Bounds, OfKernelsAreNotKnownWhereTheirBlocksTakeLessThanThey) {
  const auto run = judged(
      "buffer x 64MiB\nstreams S 4 nonblocking\nrepeat 32 as i {\n  S{i%4}: h2d x[{i*2}MiB:2MiB]\n"
      "  S{i%4}: axpb x[{i*2}MiB:2MiB] fma=12000 blocks=1024\n  S{i%4}: d2h x[{i*2}MiB:2MiB]\n}\n");
  const auto alone = judged("buffer x 2MiB\nstream A\nA: axpb x fma=12000 blocks=1024\n");
  std::vector<Isolated> isolated = isolated_durations(*run->history);
  for (OperationIndex i = 0; i < isolated.size(); ++i) {
    const trace::Span& one = alone->trace.spans[0];
    if (run->history->span(i).kind == OperationKind::kernel) isolated[i] = {one.end - one.start, 0, true};
  }
  for (const Bound& bound : bounds(*run->history, isolated)) {
    EXPECT_LE(bound.time - bound.uncertainty, trace::makespan(run->trace.spans)) << name(bound);
  }
}

// Such kernels fill the device by their arithmetic, long before they fill it by their threads.
TEST(Bounds, OfKernelsAreNoLessThanTheirArithmeticAtThePeak) {
  const auto run =
      judged("buffer x 64MiB\nstreams S 4\nrepeat 4 as i {\n  S{i}: tiles x[{i*16}MiB:16MiB] fma=2000\n}\n");
  double seconds = 0;
  for (const trace::KernelFacts& kernel : run->trace.kernels) seconds += kernel.flops / kernel.peak_flops;
  ASSERT_GT(seconds, 0);
  const auto all = bounds(*run->history, isolated_durations(*run->history));
  const auto kernels = std::ranges::find(all, "engine:compute", [](const Bound& one) { return name(one); });
  ASSERT_NE(kernels, all.end());
  EXPECT_GE(static_cast<double>(kernels->work), 0.999e9 * seconds);
  EXPECT_LE(kernels->time, trace::makespan(run->trace.spans));
}

TEST(Bounds, AnotherToolsKernelTakesAloneWhatIsNotKnown) {
  const auto run = judged("stream A\nstream B\nA: spin 100us\nA: spin 300us\nB: spin 200us\n");
  for (trace::Span& span : run->trace.spans) span.line = 0;
  run->trace.provenance.kind = trace::Provenance::Kind::measured;
  run->trace.provenance.instrument = "pytorch";
  const History history(run->trace, nullptr);
  const std::vector<Isolated> alone = isolated_durations(history);
  for (const OperationIndex i : {0u, 1u, 2u}) {
    EXPECT_EQ(alone[i].duration, run->trace.spans[i].end - run->trace.spans[i].start);
    EXPECT_EQ(alone[i].uncertainty, alone[i].duration);
  }
}

// What binds there is the host.
TEST(Bounds, OfTheBusAreNotOfCopiesThatTheHostStages) {
  const auto names = [](std::string_view memory) {
    std::vector<std::string> all;
    const auto run =
        judged(fmt::format("buffer x 16MiB host={}\nbuffer y 16MiB host={}\nstream A\nstream B\n"
                           "A: h2d x\nB: d2h y\n",
                           memory, memory));
    for (const Bound& bound : bounds(*run->history, isolated_durations(*run->history))) all.push_back(name(bound));
    return all;
  };
  EXPECT_THAT(names("pinned"), ::testing::Contains("bus"));
  EXPECT_THAT(names("pageable"), ::testing::Not(::testing::Contains("bus")));
}

// A copy that goes through the host's memory takes a part of it from the copies of any other device.
TEST(Bounds, TakeNoCopyForAloneBesideOneThatIsStaged) {
  model::Profile profile = model::h200();
  profile.devices = 3;
  for (const bool staged : {true, false}) {
    const auto run = judged(fmt::format("buffer x 64MiB device=0,1\nbuffer y 64MiB device=2\nstream A nonblocking\n"
                                        "stream C device=2 nonblocking\n{}A: peer x@1 x@0\nC: h2d y\n",
                                        staged ? "" : "host: peer 0 1 on\n"),
                            profile);
    const std::vector<Isolated> isolated = isolated_durations(*run->history);
    for (OperationIndex i = 0; i < isolated.size(); ++i) {
      const OperationKind kind = run->history->span(i).kind;
      if (kind == OperationKind::peer || kind == OperationKind::h2d) {
        EXPECT_NE(isolated[i].alone, staged) << i;
      }
    }
  }
}

// They are part of the commands, and pass the copy engine by.
TEST(Bounds, OfTheCopyEngineHaveNoCopiesThatTravelWithTheCommands) {
  const auto run =
      judged("buffer x 512KiB\nbuffer y 1KiB\nstream A\nstream B\nrepeat 2 {\n  A: h2d x\n  B: h2d y[0:80]\n}\n");
  for (const Bound& bound : bounds(*run->history, isolated_durations(*run->history)))
    EXPECT_LE(bound.time, trace::makespan(run->trace.spans)) << name(bound);
}

// A bar that is all doubt may be drawn as short as nothing; that is no fastest rate.
TEST(Bounds, TakeNoDurationFromABarThatIsAllDoubt) {
  auto run = judged("buffer x 64MiB\nstream A nonblocking\nrepeat 4 as i {\n  A: h2d x[{i*16}MiB:16MiB]\n}\n");
  const Nanoseconds right = isolated_durations(*run->history)[0].duration;
  trace::Span& off = run->trace.spans[1];
  off.start = off.end - 10;
  off.start_uncertainty = static_cast<std::uint32_t>(right);
  const History history(run->trace, &run->program);
  EXPECT_EQ(isolated_durations(history)[0].duration, right);
  const std::vector<trace::IsolatedTime> alone{{.of = trace::class_of(run->trace.spans[0]),
                                                .duration = right,
                                                .shortest = 0,
                                                .spread = right / 200,
                                                .count = 80}};
  EXPECT_GT(isolated_durations(history, alone)[0].duration, right * 9 / 10);
}

// The call moves pages while it lasts: alone a prefetch may take longer than in the run.
TEST(Bounds, OfTheOrderRestOnNoPrefetchOfAGpu) {
  auto run = judged(
      "buffer x 64MiB host=managed\nstream A nonblocking\nhost: touch x\nA: prefetch x to=device\nA: axpb x fma=10\n");
  const auto prefetch = std::ranges::find(run->trace.spans, OperationKind::prefetch, &trace::Span::kind);
  ASSERT_NE(prefetch, run->trace.spans.end());
  const Nanoseconds took = prefetch->end - prefetch->start;
  prefetch->start_uncertainty = static_cast<std::uint32_t>(5 * took);
  const std::vector<trace::IsolatedTime> alone{
      {.of = trace::class_of(*prefetch), .duration = 6 * took, .shortest = 6 * took, .spread = took / 200, .count = 5}};
  run->trace.provenance.kind = trace::Provenance::Kind::measured;
  const History history(run->trace, &run->program);
  for (const Bound& bound : bounds(history, isolated_durations(history, alone))) {
    if (bound.kind == BoundKind::host) continue;
    EXPECT_LE(bound.time - bound.uncertainty, trace::makespan(run->trace.spans)) << name(bound);
  }
}

}  // namespace
}  // namespace streamscope::verdict
