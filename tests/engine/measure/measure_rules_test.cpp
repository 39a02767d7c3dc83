// How many passes measure() makes and of which sort: refusals, pairs, the stop rule, shares of sampled runs.
#include "engine/program/read_program.h"
#include "tests/engine/measure/measuring.h"

namespace streamscope::measure {
namespace {

using ::testing::AllOf;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;

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
  for (const device::PassRequest& request : script.requests) EXPECT_TRUE(request.gate);
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
  EXPECT_THAT(trace::texts(run->notes),
              ElementsAre(AllOf(HasSubstr("2 pairs"), HasSubstr("3 are needed"), HasSubstr("--repeat 5")),
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
  EXPECT_THAT(trace::texts(run->notes),
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
  EXPECT_THAT(trace::texts(run->notes),
              ElementsAre(AllOf(HasSubstr("After all 8 runs"), HasSubstr("still over 1 %")), "a note of the device"));
}

TEST_F(Measuring, TimeThatIsUpEndsItAfterAWholePair) {
  options.runs = 100;
  options.timeout = 0;
  const auto run = measure();
  ASSERT_TRUE(run);
  EXPECT_EQ(script.log, (Log{"load", "full", "full", "bare", "verify", "unload"}));
  EXPECT_EQ(run->runs, 1);
  EXPECT_THAT(trace::texts(run->notes), ::testing::Contains(HasSubstr("Time was up after 1 of 100 runs")));
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
    auto read = program::read_program("buffer x 1MiB\nstream A\nA: h2d x\nA: spin 1us\n", "test");
    EXPECT_TRUE(read);
    program = std::move(read->program);
    options.instrument = device::Instrument::sampled;
    device::Observed copy, kernel, sync;
    copy.host_begin = 0, copy.host_end = 1'000, copy.end = 20'000, copy.source = trace::Source::event;
    kernel.host_begin = 1'000, kernel.host_end = 2'000, kernel.start = 22'000, kernel.end = 30'000;
    kernel.source = trace::Source::stamp;
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
    const device::PassRequest& request = script.requests[i];
    bare += request.instrument == device::Instrument::bare ? 1 : 0;
    if (request.instrument != device::Instrument::sampled) continue;
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
  EXPECT_EQ(run->makespan->median, trace::makespan(run->trace.spans));
  EXPECT_EQ(run->makespan->spread, 0);
  EXPECT_TRUE(run->observer_effect);
  EXPECT_THAT(trace::texts(run->notes),
              ElementsAre(AllOf(HasSubstr("merged from 8 runs"), HasSubstr("1/4")), "a note of the device"));
}

TEST_F(MeasuringSampled, WithFewRunsTheShareGrowsSoThatAllIsSeen) {
  options.runs = 3;
  options.share = 16;
  const auto run = measure();
  ASSERT_TRUE(run);
  EXPECT_EQ(script.requests.at(1).share.of, 3u);
  EXPECT_THAT(trace::texts(run->notes),
              ::testing::Contains(AllOf(HasSubstr("1/16 was asked for"), HasSubstr("1/3 lets 3 runs"))));
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
  script.observed[0].source = trace::Source::none;
  const auto run = measure();
  ASSERT_TRUE(run);
  EXPECT_THAT(trace::texts(run->notes),
              ::testing::Contains(AllOf(HasSubstr("Never seen: 1 of 3 operations"), HasSubstr("only 1 of 16 shares"))));
}

TEST_F(MeasuringSampled, NoShareAtAllIsRefused) {
  options.share = 0;
  const auto run = measure();
  ASSERT_FALSE(run);
  EXPECT_EQ(run.error().kind, ErrorKind::bad_input);
  EXPECT_THAT(script.log, IsEmpty());
}

}  // namespace
}  // namespace streamscope::measure
