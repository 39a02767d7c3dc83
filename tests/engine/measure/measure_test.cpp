// What measure() makes of a device's passes: warm-up, alternation, the median, failures and stops.
#include "engine/base/stop_source.h"
#include "engine/measure/samples.h"
#include "tests/engine/measure/measuring.h"
#include "tests/support/program_of.h"

namespace streamscope::measure {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;

TEST_F(Measuring, WarmsUpOnceThenAlternatesWithTheOrderTurnedEachTimeThenVerifies) {
  options.runs = 3;
  ASSERT_TRUE(measure());
  EXPECT_EQ(script.log, (Log{"load", "full", "full", "bare", "bare", "full", "full", "bare", "verify", "unload"}));
}

TEST_F(Measuring, WithoutTheObserverEffectThereIsNoBareRun) {
  options.runs = 2;
  options.observer_effect = false;
  const auto run = measure();
  ASSERT_TRUE(run);
  EXPECT_EQ(script.log, (Log{"load", "full", "full", "full", "verify", "unload"}));
  EXPECT_FALSE(run->bare_wall.has_value());
  EXPECT_FALSE(run->observer_effect.has_value());
}

TEST_F(Measuring, BareMeansOnlyBare) {
  options.runs = 2;
  options.instrument = device::Instrument::bare;
  script.bare_walls = {900, 30, 20};
  const auto run = measure();
  ASSERT_TRUE(run);
  EXPECT_EQ(script.log, (Log{"load", "bare", "bare", "bare", "verify", "unload"}));
  EXPECT_EQ(run->wall->median, 20);
  EXPECT_EQ(run->bare_wall->median, 20);
  EXPECT_FALSE(run->makespan.has_value());
  EXPECT_FALSE(run->observer_effect.has_value());
  EXPECT_THAT(run->trace.spans, IsEmpty());
  EXPECT_EQ(run->trace.provenance.instrument, "bare");
}

TEST_F(Measuring, EachDeviceSaysHowItWasWatched) {
  options.instrument = device::Instrument::cupti;
  options.gate = true;
  script.other_devices = 1;
  const auto run = measure();
  ASSERT_TRUE(run);
  for (const trace::Provenance& each : {run->trace.provenance, run->trace.other_devices.at(0)}) {
    EXPECT_EQ(each.instrument, "cupti");
    EXPECT_TRUE(each.gated);
  }
}

TEST_F(Measuring, WhatBlocksTellIsWeighedAgainstPassesInWhichTheyDoNot) {
  options.runs = 3;
  options.stages_of = 10;
  program = tests::program_of("buffer x 1MiB\nstream A\nA: tiles x fma=1\n");
  // The warm-up, then with and without stages in turn; of the second pair the one without goes first.
  script.makespans = {7, 110, 100, 100, 105, 220, 200};
  const auto run = measure();
  ASSERT_TRUE(run);
  EXPECT_EQ(script.log, (Log{"load", "full", "full", "full", "bare", "bare", "full", "full", "full", "full", "bare",
                             "verify", "unload"}));
  std::vector<std::uint32_t> asked;
  for (const device::PassRequest& request : script.requests) asked.push_back(request.stages_of);
  EXPECT_THAT(asked, ElementsAre(10, 10, 0, 0, 0, 0, 10, 10, 0, 0)) << "so that a drift favours neither";
  ASSERT_TRUE(run->stage_effect);
  EXPECT_DOUBLE_EQ(run->stage_effect->median, 1.1);
  EXPECT_EQ(run->stage_effect->pairs, 3);
  ASSERT_EQ(run->trace.stages.blocks.size(), 1u);
  EXPECT_EQ(run->trace.stages.blocks[0].end, run->trace.spans[0].end) << "those of the pass whose spans are shown";
  EXPECT_EQ(run->runs, 3);
}

TEST_F(Measuring, WhereNoKernelTellsNothingIsWeighed) {
  options.runs = 3;
  options.stages_of = 1;
  program =
      tests::program_of("buffer x 1MiB\nstream A\nstream B\ngraph G on A {\n  A: tiles x fma=1\n}\nB: launch G\n");
  const auto run = measure();
  ASSERT_TRUE(run);
  EXPECT_EQ(script.log, (Log{"load", "full", "full", "bare", "bare", "full", "full", "bare", "verify", "unload"}));
  EXPECT_FALSE(run->stage_effect);
  EXPECT_THAT(trace::texts(run->notes),
              ::testing::Contains(HasSubstr("1 kernel recorded none of its stages, being in graphs")));
}

TEST_F(Measuring, StagesAreOfFullPassesOnly) {
  options.stages_of = 1;
  options.instrument = device::Instrument::bare;
  const auto run = measure();
  ASSERT_FALSE(run);
  EXPECT_EQ(run.error().kind, ErrorKind::bad_input);
  EXPECT_THAT(run.error().message, HasSubstr("full passes only, and the instrument is bare"));
}

TEST_F(Measuring, AProgramWhoseKernelsTellNothingIsSaidToBeOne) {
  options.stages_of = 1;
  const auto run = measure();
  ASSERT_TRUE(run);
  EXPECT_THAT(trace::texts(run->notes), ::testing::Contains(HasSubstr("tiles and attention can")));
  EXPECT_FALSE(run->stage_effect);
}

TEST_F(Measuring, TheWarmUpIsNotCounted) {
  script.full_walls = {9'999, 50};
  const auto run = measure();
  ASSERT_TRUE(run);
  EXPECT_EQ(run->wall->maximum, 50);
}

TEST_F(Measuring, TheTraceIsThatOfTheMedianMakespan) {
  options.runs = 4;
  script.full_walls = {1, 11, 12, 13, 14};
  script.makespans = {7, 40, 10, 30, 20};  // of the timed ones the lower median is 20: the fourth, whose wall is 14
  script.bare_walls = {10, 10, 10, 10};
  const auto run = measure();
  ASSERT_TRUE(run);
  EXPECT_EQ(run->makespan->median, 20);
  EXPECT_EQ(trace::makespan(run->trace.spans), 20);
  EXPECT_EQ(run->trace.provenance.uncertainty, 14);
  EXPECT_EQ(run->trace.provenance.device, "a fake");
  EXPECT_EQ(run->wall->median, 12);
  EXPECT_DOUBLE_EQ(run->observer_effect->median, 1.2);
  EXPECT_EQ(run->runs, 4);
}

TEST_F(Measuring, TimesThatCannotBeTrueAreCountedAndTheWorstIsNamed) {
  options.runs = 3;
  script.makespans = {-900, -700, -100, -2'000};
  const auto run = measure();
  ASSERT_TRUE(run);
  EXPECT_EQ(run->trace.provenance.contradictions, 1u);
  ASSERT_NE(trace::first_of(run->notes, trace::NoteKind::contradiction), nullptr);
  EXPECT_EQ(trace::first_of(run->notes, trace::NoteKind::contradiction)->text,
            "Times contradict each other 1 time by more than they may be off; at worst operation 0 ends 700 ns "
            "before it starts. Bars are wrong there; other passes of the same program may show which. Runs with "
            "such contradictions: 3 of 3.");
}

TEST_F(Measuring, SoAreOtherPassesThanTheOneShown) {
  options.runs = 3;
  script.makespans = {100, 100, -100, 300};
  const auto run = measure();
  ASSERT_TRUE(run);
  EXPECT_EQ(run->trace.provenance.contradictions, 0u);
  ASSERT_NE(trace::first_of(run->notes, trace::NoteKind::contradiction), nullptr);
  EXPECT_EQ(trace::first_of(run->notes, trace::NoteKind::contradiction)->text,
            "Runs with such contradictions: 1 of 3.");
}

// Two streams, so that one stream is another program.
struct MeasuringSerial : Measuring {
  MeasuringSerial() {
    program.streams.push_back({.name = "A"});
    program.operations.push_back({program::op::HostFunction{1'000}, StreamId{2}, ThreadId{0}, 4});
    options.runs = 2;
    options.observer_effect = false;
    script.makespans = {1, 10, 10, 2, 30, 40};
  }
};

TEST_F(MeasuringSerial, TheSameOperationsRunInOneStreamAfterAllElse) {
  const auto run = measure();
  ASSERT_TRUE(run);
  EXPECT_EQ(script.log,
            (Log{"load", "full", "full", "full", "verify", "unload", "load", "full", "full", "full", "unload"}));
  ASSERT_TRUE(run->serial);
  EXPECT_EQ(run->serial->minimum, 30);
  EXPECT_EQ(run->serial->maximum, 40);
  EXPECT_EQ(run->makespan->maximum, 10) << "they are no runs of it";
  ASSERT_EQ(run->alone.size(), 1u);
  EXPECT_EQ(run->alone[0].count, 2u) << "of the passes but for the warm-up";
  EXPECT_EQ(run->alone[0].shortest, 30);
  EXPECT_EQ(trace::isolated_time_of(run->alone, run->trace.spans[0]), &run->alone[0]);
  EXPECT_EQ(progress.back(), (std::pair{6, 6}));
}

TEST_F(MeasuringSerial, OrNotIfThatIsNotAskedFor) {
  options.serial = false;
  const auto run = measure();
  ASSERT_TRUE(run);
  EXPECT_FALSE(run->serial);
  EXPECT_TRUE(run->alone.empty());
  EXPECT_EQ(progress.back(), (std::pair{3, 3}));
}

TEST_F(MeasuringSerial, AFailureOfThemLeavesTheRunAndIsNoted) {
  script.fail_at = "load";
  script.fail_on = 1;
  const auto run = measure();
  ASSERT_TRUE(run);
  EXPECT_FALSE(run->serial);
  EXPECT_THAT(trace::texts(run->notes), ::testing::Contains(HasSubstr("scripted failure of load")));
}

TEST_F(MeasuringSerial, AProgramInOneStreamIsItsOwn) {
  program.operations.pop_back();
  const auto run = measure();
  ASSERT_TRUE(run);
  ASSERT_TRUE(run->serial);
  EXPECT_EQ(run->serial->median, run->makespan->median);
  ASSERT_EQ(run->alone.size(), 1u);
  EXPECT_EQ(run->alone[0].count, 2u);
  EXPECT_EQ(run->alone[0].shortest, 10);
  EXPECT_EQ(script.log, (Log{"load", "full", "full", "full", "verify", "unload"}));
}

TEST_F(Measuring, OfARunWithoutSpansNothingIsChecked) {
  options.instrument = device::Instrument::bare;
  const auto run = measure();
  ASSERT_TRUE(run);
  EXPECT_EQ(run->trace.provenance.contradictions, std::nullopt);
}

TEST_F(Measuring, WithoutDeviceWorkThereIsNoMakespanAndTheWallTimeChooses) {
  options.runs = 3;
  script.device_work = false;
  script.full_walls = {1, 30, 10, 20};
  const auto run = measure();
  ASSERT_TRUE(run);
  EXPECT_FALSE(run->makespan.has_value());
  EXPECT_EQ(run->trace.provenance.uncertainty, 20);
}

TEST_F(Measuring, WrongDataIsARunThatSaysSo) {
  script.verified = false;
  const auto run = measure();
  ASSERT_TRUE(run);
  EXPECT_EQ(run->verified, std::optional(false));
  const trace::Note* where = trace::first_of(run->notes, trace::NoteKind::wrong_data);
  ASSERT_NE(where, nullptr);
  EXPECT_EQ(where->text, "a note of the verification");
}

TEST_F(Measuring, AModelHasNoBareRunsAndNoObserverEffect) {
  options.runs = 2;
  script.kind = trace::Provenance::Kind::model;
  const auto run = measure();
  ASSERT_TRUE(run);
  EXPECT_EQ(script.log, (Log{"load", "full", "full", "full", "verify", "unload"}));
  EXPECT_FALSE(run->bare_wall.has_value());
  EXPECT_FALSE(run->observer_effect.has_value());
  EXPECT_THAT(progress, ElementsAre(std::pair(1, 3), std::pair(2, 3), std::pair(3, 3)));
}

// More passes than are kept at a time. The median's own comes half way, out of reach of the first and of the last that
// could be kept, and its wall time is not the median wall time: only keeping those nearest the median so far finds it.
TEST_F(Measuring, OfManyPassesTheTraceIsOfTheMedianWhereItIsKept) {
  constexpr int kRuns = 201, kMiddle = 100;
  static_assert(kMiddle > static_cast<int>(kKeptPasses) && kRuns - kMiddle > static_cast<int>(kKeptPasses));
  options.runs = kRuns;
  script.makespans = {5};
  script.full_walls = {5};
  for (int i = 0; i < kRuns; ++i) {
    script.makespans.push_back(1000 + (76 * (kRuns + i - kMiddle) + 100) % kRuns);  // each of 1000..1200 once
    script.full_walls.push_back(5000 + (i + 60) % kRuns);
  }
  ASSERT_EQ(script.makespans[kMiddle + 1], 1100);
  const auto run = measure();
  ASSERT_TRUE(run);
  EXPECT_EQ(run->runs, kRuns);
  EXPECT_EQ(run->makespan->median, 1100);
  EXPECT_EQ(trace::makespan(run->trace.spans), 1100);
  EXPECT_EQ(run->trace.provenance.uncertainty, 5160) << "all of it is of that pass";
  EXPECT_THAT(trace::texts(run->notes), ElementsAre("a note of the device"));
}

// Passes that get longer and longer: the median's own is gone by the time that it is known, and the note says so.
TEST_F(Measuring, OfManyPassesTheTraceIsElseOfTheNearestAndThatIsNoted) {
  options.runs = 400;
  script.makespans = {5};
  for (int i = 0; i < 200; ++i) script.makespans.push_back(i % 2 == 0 ? 1'000 - i : 1'000'000 + i);
  for (int i = 0; i < 200; ++i) script.makespans.push_back(2'000'000 + i);
  const auto run = measure();
  ASSERT_TRUE(run);
  const Nanoseconds off = trace::makespan(run->trace.spans) - run->makespan->median;
  if (off == 0) {
    EXPECT_THAT(trace::texts(run->notes), ElementsAre("a note of the device"));
  } else {
    EXPECT_THAT(trace::texts(run->notes),
                ElementsAre(HasSubstr("nearest the median of 400 runs"), "a note of the device"));
  }
}

TEST_F(Measuring, WhatCannotBeVerifiedIsNotCalledVerified) {
  script.verified = std::nullopt;
  options.observer_effect = false;
  const auto run = measure();
  ASSERT_TRUE(run);
  EXPECT_FALSE(run->verified.has_value());
  EXPECT_THAT(trace::texts(run->notes), ElementsAre("a note of the device"));
}

TEST_F(Measuring, VerificationSwitchedOffIsNoted) {
  options.verify = false;
  options.observer_effect = false;
  const auto run = measure();
  ASSERT_TRUE(run);
  EXPECT_FALSE(run->verified.has_value());
  EXPECT_THAT(script.log, ::testing::Not(::testing::Contains("verify")));
  EXPECT_THAT(trace::texts(run->notes), ElementsAre("a note of the device", HasSubstr("not checked")));
}

TEST_F(Measuring, LongKernelsReachTheDevice) {
  options.long_kernels = true;
  ASSERT_TRUE(measure());
  EXPECT_TRUE(long_kernels);
}

TEST_F(Measuring, FewerThanOneRunIsRefusedBeforeAnythingIsLoaded) {
  options.runs = 0;
  const auto run = measure();
  ASSERT_FALSE(run);
  EXPECT_EQ(run.error().kind, ErrorKind::bad_input);
  EXPECT_THAT(script.log, IsEmpty());
}

TEST_F(Measuring, ProgressCountsEveryPassToTheTotal) {
  options.runs = 2;
  ASSERT_TRUE(measure());
  EXPECT_THAT(progress,
              ElementsAre(std::pair(1, 5), std::pair(2, 5), std::pair(3, 5), std::pair(4, 5), std::pair(5, 5)));
}

// Looking on copies stamps from the device, on an engine that a timed pass may be using.
TEST_F(Measuring, SpansGoOutOfTheWarmUpAndNoTimedPassIsLookedAt) {
  options.runs = 3;
  script.makespans = {1, 2, 3, 4};
  std::vector<Nanoseconds> seen;
  control.on_spans = [&](std::span<const trace::Span> spans) {
    seen.push_back(trace::makespan({spans.begin(), spans.end()}));
  };
  ASSERT_TRUE(measure());
  EXPECT_THAT(seen, ElementsAre(1));
}

// Each step fails once; nothing is done after it but the clearing up, and the device's own words come through.
struct Failure {
  std::string at;
  int nth;
  Log log;
};
struct FailingAt : Measuring, ::testing::WithParamInterface<Failure> {};

TEST_P(FailingAt, StopsThereAndClearsUp) {
  options.runs = 2;
  script.fail_at = GetParam().at;
  script.fail_on = GetParam().nth;
  const auto run = measure();
  ASSERT_FALSE(run);
  EXPECT_EQ(run.error().kind, ErrorKind::device_failed);
  EXPECT_EQ(run.error().message, "scripted failure of " + GetParam().at);
  EXPECT_EQ(script.log, GetParam().log);
}

INSTANTIATE_TEST_SUITE_P(
    EachStep, FailingAt,
    ::testing::Values(Failure{"load", 0, {"load"}}, Failure{"full", 0, {"load", "full", "unload"}},
                      Failure{"full", 1, {"load", "full", "full", "unload"}},
                      Failure{"bare", 0, {"load", "full", "full", "bare", "unload"}},
                      Failure{"bare", 1, {"load", "full", "full", "bare", "bare", "unload"}},
                      Failure{"full", 2, {"load", "full", "full", "bare", "bare", "full", "unload"}},
                      Failure{"verify", 0, {"load", "full", "full", "bare", "bare", "full", "verify", "unload"}}));

TEST_F(Measuring, AStopKeepsThePassesThatAreDone) {
  options.runs = 5;
  script.full_walls = {1, 30, 10, 20};
  script.bare_walls = {10, 10, 10};
  StopSource source;
  control.stop = source.flag();
  int bare = 0;
  script.on_step = [&](const std::string& what) {
    if (what == "bare" && ++bare == 3) source.request_stop();
  };
  const auto run = measure();
  ASSERT_TRUE(run);
  EXPECT_EQ(script.log, (Log{"load", "full", "full", "bare", "bare", "full", "full", "bare", "unload"}));
  EXPECT_EQ(run->runs, 3);
  EXPECT_EQ(run->wall->maximum, 30);
  EXPECT_FALSE(run->verified.has_value());
  EXPECT_THAT(trace::texts(run->notes), ElementsAre("a note of the device", HasSubstr("Stopped after 3 of 5 runs")));
}

TEST_F(Measuring, AStopBeforeTheFirstTimedPassIsDoneIsAnError) {
  StopSource source;
  control.stop = source.flag();
  script.on_step = [&](const std::string& what) {
    if (what == "full") source.request_stop();  // in the warm-up
  };
  const auto run = measure();
  ASSERT_FALSE(run);
  EXPECT_EQ(run.error().kind, ErrorKind::cancelled);
  EXPECT_EQ(script.log, (Log{"load", "full", "unload"}));
}

TEST_F(Measuring, AStopBeforeTheStartLoadsNothing) {
  StopSource source;
  source.request_stop();
  control.stop = source.flag();
  const auto run = measure();
  ASSERT_FALSE(run);
  EXPECT_EQ(run.error().kind, ErrorKind::cancelled);
  EXPECT_THAT(script.log, IsEmpty());
}

}  // namespace
}  // namespace streamscope::measure
