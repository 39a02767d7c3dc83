#include "engine/device/measure.h"

#include <gmock/gmock.h>

#include "engine/device/samples.h"
#include "engine/program/text.h"
#include "tests/engine/device/fake_device.h"

namespace streamscope {
namespace {

using ::testing::AllOf;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using Log = std::vector<std::string>;

struct Measuring : ::testing::Test {
  Result<streamscope::Run> measure() {
    FakeDevice device(script);
    auto run = streamscope::measure(device, program, options, control, [this](const Step& step) {
      progress.emplace_back(step.done, step.total);
      steps.push_back(step);
    });
    long_kernels = device.long_kernels;
    return run;
  }

  Script script;
  Program program;
  MeasureOptions options;
  RunControl control;
  std::vector<std::pair<int, int>> progress;
  std::vector<Step> steps;
  bool long_kernels = false;
};

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
  options.instrument = Instrument::bare;
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
  EXPECT_EQ(makespan(run->trace.spans), 20);
  EXPECT_EQ(run->trace.provenance.uncertainty, 14);
  EXPECT_EQ(run->trace.provenance.device, "a fake");
  EXPECT_EQ(run->wall->median, 12);
  EXPECT_DOUBLE_EQ(run->observer_effect->median, 1.2);
  EXPECT_EQ(run->runs, 4);
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
  EXPECT_EQ(run->notes.back(), "a note of the verification") << "the last note tells where";
}

TEST_F(Measuring, AModelHasNoBareRunsAndNoObserverEffect) {
  options.runs = 2;
  script.kind = Provenance::Kind::model;
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
  EXPECT_EQ(makespan(run->trace.spans), 1100);
  EXPECT_EQ(run->trace.provenance.uncertainty, 5160) << "all of it is of that pass";
  EXPECT_THAT(run->notes, ElementsAre("a note of the device"));
}

// Passes that get longer and longer: the median's own is gone by the time that it is known, and the note says so.
TEST_F(Measuring, OfManyPassesTheTraceIsElseOfTheNearestAndThatIsNoted) {
  options.runs = 400;
  script.makespans = {5};
  for (int i = 0; i < 200; ++i) script.makespans.push_back(i % 2 == 0 ? 1'000 - i : 1'000'000 + i);
  for (int i = 0; i < 200; ++i) script.makespans.push_back(2'000'000 + i);
  const auto run = measure();
  ASSERT_TRUE(run);
  const Nanoseconds off = makespan(run->trace.spans) - run->makespan->median;
  if (off == 0) {
    EXPECT_THAT(run->notes, ElementsAre("a note of the device"));
  } else {
    EXPECT_THAT(run->notes, ElementsAre(HasSubstr("nearest the median of 400 runs"), "a note of the device"));
  }
}

TEST_F(Measuring, WhatCannotBeVerifiedIsNotCalledVerified) {
  script.verified = std::nullopt;
  options.observer_effect = false;
  const auto run = measure();
  ASSERT_TRUE(run);
  EXPECT_FALSE(run->verified.has_value());
  EXPECT_THAT(run->notes, ElementsAre("a note of the device"));
}

TEST_F(Measuring, VerificationSwitchedOffIsNoted) {
  options.verify = false;
  options.observer_effect = false;
  const auto run = measure();
  ASSERT_TRUE(run);
  EXPECT_FALSE(run->verified.has_value());
  EXPECT_THAT(script.log, ::testing::Not(::testing::Contains("verify")));
  EXPECT_THAT(run->notes, ElementsAre("a note of the device", HasSubstr("not checked")));
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

TEST_F(Measuring, SpansGoOutOfTheFirstTimedPassOnly) {
  options.runs = 3;
  script.makespans = {1, 2, 3, 4};
  std::vector<Nanoseconds> seen;
  control.on_spans = [&](std::span<const Span> spans) { seen.push_back(makespan({spans.begin(), spans.end()})); };
  ASSERT_TRUE(measure());
  EXPECT_THAT(seen, ElementsAre(2));
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
  std::stop_source source;
  control.stop = source.get_token();
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
  EXPECT_THAT(run->notes, ElementsAre("a note of the device", HasSubstr("Stopped after 3 of 5 runs")));
}

TEST_F(Measuring, AStopBeforeTheFirstTimedPassIsDoneIsAnError) {
  std::stop_source source;
  control.stop = source.get_token();
  script.on_step = [&](const std::string& what) {
    if (what == "full") source.request_stop();  // in the warm-up
  };
  const auto run = measure();
  ASSERT_FALSE(run);
  EXPECT_EQ(run.error().kind, ErrorKind::cancelled);
  EXPECT_EQ(script.log, (Log{"load", "full", "unload"}));
}

TEST_F(Measuring, AStopBeforeTheStartLoadsNothing) {
  std::stop_source source;
  source.request_stop();
  control.stop = source.get_token();
  const auto run = measure();
  ASSERT_FALSE(run);
  EXPECT_EQ(run.error().kind, ErrorKind::cancelled);
  EXPECT_THAT(script.log, IsEmpty());
}

TEST_F(Measuring, WhatCannotBeDoneIsRefusedBeforeAnyPass) {
  options.gate = true;
  script.cannot = Error{ErrorKind::bad_input, "no gate here"};
  const auto run = measure();
  ASSERT_FALSE(run);
  EXPECT_EQ(run.error().message, "no gate here");
  EXPECT_EQ(script.log, (Log{"load", "unload"}));
}

TEST_F(Measuring, TheGateIsForBareRunsToo) {
  options.runs = 2;
  options.gate = true;
  const auto run = measure();
  ASSERT_TRUE(run);
  ASSERT_EQ(script.requests.size(), 5u);
  for (const PassRequest& request : script.requests) EXPECT_TRUE(request.gate);
  EXPECT_TRUE(run->trace.provenance.gated);
}

TEST_F(Measuring, PairsAreComparedEachWithItsOwn) {
  options.runs = 4;
  script.full_walls = {1, 110, 220, 330, 450};
  script.bare_walls = {100, 200, 300, 400};
  const auto run = measure();
  ASSERT_TRUE(run);
  ASSERT_TRUE(run->observer_effect);
  EXPECT_DOUBLE_EQ(run->observer_effect->median, 1.1);
  EXPECT_EQ(run->observer_effect->pairs, 4);
}

TEST_F(Measuring, TooFewPairsGiveNoFigureAndTheNoteSaysHowManyAreNeeded) {
  options.runs = 2;
  const auto run = measure();
  ASSERT_TRUE(run);
  EXPECT_FALSE(run->observer_effect);
  EXPECT_THAT(run->notes, ElementsAre(AllOf(HasSubstr("2 pairs"), HasSubstr("3 are needed"), HasSubstr("--repeat 5")),
                                      "a note of the device"));
}

TEST_F(Measuring, StopsAsSoonAsTheNoiseIsSmallEnough) {
  options.runs = 100;
  options.observer_effect = false;
  options.max_noise = 0.01;
  // Quartiles of the first five: 100 and 110; of the first six and seven the same; of nine 100 and 101.
  script.full_walls = {1, 100, 110, 100, 110, 100, 101, 100, 101, 100};
  const auto run = measure();
  ASSERT_TRUE(run);
  EXPECT_LT(run->runs, 100);
  EXPECT_GE(run->runs, 6);
  EXPECT_LE(static_cast<double>(run->wall->spread), 0.01 * static_cast<double>(run->wall->median) + 1);
  EXPECT_THAT(run->notes,
              ElementsAre(AllOf(HasSubstr("Done after"), HasSubstr("is within 1 %")), "a note of the device"));
}

TEST_F(Measuring, NeverStopsOnFewerSamplesThanAskedForOrThanASpreadNeeds) {
  options.runs = 100;
  options.observer_effect = false;
  options.max_noise = 0.5;
  options.min_samples = 1;
  ASSERT_EQ(measure()->runs, 5);
  options.min_samples = 12;
  ASSERT_EQ(measure()->runs, 12);
}

TEST_F(Measuring, NoiseThatStaysIsTold) {
  options.runs = 8;
  options.observer_effect = false;
  options.max_noise = 0.01;
  script.full_walls = {1, 100, 200, 100, 200, 100, 200, 100, 200};
  const auto run = measure();
  ASSERT_TRUE(run);
  EXPECT_EQ(run->runs, 8);
  EXPECT_THAT(run->notes,
              ElementsAre(AllOf(HasSubstr("After all 8 runs"), HasSubstr("still over 1 %")), "a note of the device"));
}

TEST_F(Measuring, TimeThatIsUpEndsItAfterAWholePair) {
  options.runs = 100;
  options.timeout = 0;
  const auto run = measure();
  ASSERT_TRUE(run);
  EXPECT_EQ(script.log, (Log{"load", "full", "full", "bare", "verify", "unload"}));
  EXPECT_EQ(run->runs, 1);
  EXPECT_THAT(run->notes, ::testing::Contains(HasSubstr("Time was up after 1 of 100 runs")));
}

TEST_F(Measuring, TimeThatIsNotUpEndsNothing) {
  options.runs = 3;
  options.timeout = 3'600'000'000'000;
  EXPECT_EQ(measure()->runs, 3);
}

TEST_F(Measuring, StepsTellTheNoiseOnceItIsKnown) {
  options.runs = 6;
  options.observer_effect = false;
  script.full_walls = {1, 100, 100, 100, 104, 104, 104};
  ASSERT_TRUE(measure());
  ASSERT_EQ(steps.size(), 7u);
  EXPECT_EQ(steps[0].runs, 0);
  EXPECT_FALSE(steps[4].noise);
  EXPECT_EQ(steps[6].runs, 6);
  ASSERT_TRUE(steps[6].noise);
  EXPECT_DOUBLE_EQ(*steps[6].noise, 0.02);
}

struct MeasuringSampled : Measuring {
  MeasuringSampled() {
    auto read = read_program("buffer x 1MiB\nstream A\nA: h2d x\nA: spin 1us\n", "test");
    EXPECT_TRUE(read);
    program = std::move(read->program);
    options.instrument = Instrument::sampled;
    Observed copy, kernel, sync;
    copy.host_begin = 0, copy.host_end = 1'000, copy.end = 20'000, copy.source = Source::event;
    kernel.host_begin = 1'000, kernel.host_end = 2'000, kernel.start = 22'000, kernel.end = 30'000;
    kernel.source = Source::stamp;
    sync.host_begin = 2'000, sync.host_end = 31'000;
    script.observed = {copy, kernel, sync};
  }
};

TEST_F(MeasuringSampled, EachPassHasAShareAndTheSpansAreMerged) {
  options.runs = 8;
  options.share = 4;
  const auto run = measure();
  ASSERT_TRUE(run);
  std::vector<int> turns(4);
  std::size_t bare = 0;
  for (std::size_t i = 1; i < script.requests.size(); ++i) {  // after the warm-up
    const PassRequest& request = script.requests[i];
    bare += request.instrument == Instrument::bare ? 1 : 0;
    if (request.instrument != Instrument::sampled) continue;
    EXPECT_EQ(request.share.of, 4u);
    ++turns.at(request.share.phase);
  }
  EXPECT_THAT(turns, ElementsAre(2, 2, 2, 2));
  EXPECT_EQ(bare, 8u);
  EXPECT_EQ(run->runs, 8);
  ASSERT_EQ(run->trace.spans.size(), 3u);
  EXPECT_EQ(run->trace.spans[0].end, 20'000);
  EXPECT_EQ(run->trace.spans[1].samples, 8u);
  EXPECT_EQ(run->trace.provenance.instrument, "sampled");
  EXPECT_EQ(run->trace.provenance.share, 4u);
  EXPECT_EQ(run->trace.provenance.uncertainty, 100);
  ASSERT_TRUE(run->makespan);
  EXPECT_EQ(run->makespan->median, makespan(run->trace.spans));
  EXPECT_EQ(run->makespan->spread, 0);
  EXPECT_TRUE(run->observer_effect);
  EXPECT_THAT(run->notes,
              ElementsAre(AllOf(HasSubstr("merged from 8 runs"), HasSubstr("1/4")), "a note of the device"));
}

TEST_F(MeasuringSampled, WithFewRunsTheShareGrowsSoThatAllIsSeen) {
  options.runs = 3;
  options.share = 16;
  const auto run = measure();
  ASSERT_TRUE(run);
  EXPECT_EQ(script.requests.at(1).share.of, 3u);
  EXPECT_THAT(run->notes, ::testing::Contains(AllOf(HasSubstr("1/16 was asked for"), HasSubstr("1/3 lets 3 runs"))));
}

TEST_F(MeasuringSampled, TheStopRuleWaitsUntilAllIsSeen) {
  options.runs = 100;
  options.share = 16;
  options.max_noise = 0.5;
  EXPECT_EQ(measure()->runs, 16);
}

TEST_F(MeasuringSampled, WhatTimeDidNotAllowToSeeIsTold) {
  options.runs = 100;
  options.share = 16;
  options.timeout = 0;
  script.observed[0].end = kAbsent;
  script.observed[0].source = Source::none;
  const auto run = measure();
  ASSERT_TRUE(run);
  EXPECT_THAT(run->notes,
              ::testing::Contains(AllOf(HasSubstr("Never seen: 1 of 3 operations"), HasSubstr("only 1 of 16 shares"))));
}

TEST_F(MeasuringSampled, NoShareAtAllIsRefused) {
  options.share = 0;
  const auto run = measure();
  ASSERT_FALSE(run);
  EXPECT_EQ(run.error().kind, ErrorKind::bad_input);
  EXPECT_THAT(script.log, IsEmpty());
}

TEST(Frame, NamesStreamsAndThreadsComeFromTheProgram) {
  Program program;
  program.streams = {{"default"}, {"per-thread"}, {"A", true, -3}};
  program.buffers = {{"x", 1024}};
  const Range all{BufferId{0}, 0, 1024};
  program.operations = {{op::Copy{Direction::h2d, all}, StreamId{2}, {}, 3},
                        {op::BlockingCopy{Direction::d2h, all}, {}, {}, 4},
                        {op::Copy{Direction::h2d, all}, StreamId{1}, {}, 5},
                        {op::SyncDevice{}, {}, {}, 0}};
  Provenance provenance;
  provenance.device = "here";
  const Trace frame = frame_of(program, provenance);
  EXPECT_EQ(frame.provenance.device, "here");
  EXPECT_EQ(frame.threads, std::vector<std::string>{"main"});
  ASSERT_EQ(frame.streams.size(), 3u);
  EXPECT_TRUE(frame.streams[2].nonblocking);
  EXPECT_EQ(frame.streams[2].priority, -3);
  EXPECT_TRUE(frame.spans.empty());

  const std::vector<Span> spans = blank_spans(program, frame);
  ASSERT_EQ(spans.size(), 4u);
  for (std::size_t i = 0; i < spans.size(); ++i) {
    EXPECT_EQ(spans[i].operation, i);
    EXPECT_EQ(spans[i].line, program.operations[i].line);
    EXPECT_EQ(frame.names[spans[i].name], label(program.operations[i].work));
    EXPECT_FALSE(known(spans[i].start));
  }
  EXPECT_EQ(spans[0].stream, 2u);
  EXPECT_EQ(spans[1].stream, kLegacyStream.value);  // a blocking copy works in the legacy default stream
  EXPECT_EQ(spans[3].stream, Span::kNoStream);
  EXPECT_EQ(spans[0].name, spans[2].name);
  EXPECT_EQ(spans[0].engine, Engine::h2d);
  EXPECT_EQ(spans[1].engine, Engine::d2h);
  EXPECT_EQ(spans[0].bytes, 1024u);
}

}  // namespace
}  // namespace streamscope
