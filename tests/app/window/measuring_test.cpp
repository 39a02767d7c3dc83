// How a GPU is watched, and what the window makes known of the watching's cost.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "app/window/state/observer_meter.h"
#include "app/window/state/run_requests.h"
#include "tests/support/state_desk.h"

namespace streamscope::window {
namespace {

using testing::Desk;
using ::testing::HasSubstr;

Measuring sampled() { return {.instrument = device::Instrument::sampled, .share = 8, .gate = true}; }

TEST(Measure, TheSwitchGoesIntoTheNextRunAndRunsAtOnce) {
  Desk desk;
  desk.up_with_gpu();
  desk.finish_measured();
  desk.apply(command::SetMeasuring{sampled()});
  EXPECT_EQ(desk.started, 2);
  const measure::MeasureOptions& options = desk.request_sent.options;
  EXPECT_EQ(options.instrument, device::Instrument::sampled);
  EXPECT_EQ(options.share, 8u);
  EXPECT_TRUE(options.gate);
  EXPECT_EQ(options.runs, 8) << "so many sampled runs see each operation once";
  desk.apply(command::SetMeasuring{sampled()});
  EXPECT_EQ(desk.started, 2) << "nothing changed";
}

TEST(Measure, WhatWouldTakeLongWithSoManyRunsDoesNotRunByItself) {
  Desk desk;
  desk.up_with_gpu();
  desk.finish_measured();
  desk.state.quick_took = kQuickEnough / 4;
  desk.apply(command::SetMeasuring{sampled()});  // eight runs
  EXPECT_EQ(desk.started, 1);
  desk.apply(command::SetMeasuring{{}});
  EXPECT_EQ(desk.started, 2);
}

TEST(Measure, AModelIsAskedForNoneOfIt) {
  Desk desk;
  desk.up_with_gpu();
  desk.finish_measured();
  desk.apply(command::SetMeasuring{sampled()});
  desk.finish_measured();
  desk.apply(command::SetDevice{"model:h200"});
  EXPECT_EQ(desk.request_sent.options.instrument, device::Instrument::full);
  EXPECT_FALSE(desk.request_sent.options.gate);
  const int before = desk.started;
  desk.apply(command::SetMeasuring{{.instrument = device::Instrument::cupti}});
  EXPECT_EQ(desk.started, before);
  desk.apply(command::SetDevice{"cuda:0"});
  EXPECT_EQ(desk.request_sent.options.instrument, device::Instrument::cupti) << "the choice is kept for the GPU";
}

TEST(Measure, RunMakesEnoughRunsForFiguresOnAGpuAndOneOnAModel) {
  Desk desk;
  desk.up_with_gpu();
  EXPECT_EQ(desk.request_sent.options.runs, 5);
  EXPECT_TRUE(desk.request_sent.options.observer_effect);
  desk.finish_measured();
  desk.apply(command::SetDevice{"model:h200"});
  desk.apply(command::RunNow{});
  EXPECT_EQ(desk.request_sent.options.runs, 1);
  desk.apply(command::SetRepeat{9});
  desk.apply(command::RunNow{});
  EXPECT_EQ(desk.request_sent.options.runs, 9);
  desk.apply(command::SetRepeat{0});
  EXPECT_EQ(runs_of_figures(desk.state), 1);
}

TEST(Measure, ARefusalStandsWhereErrorsStandAndNothingIsLost) {
  Desk desk;
  desk.up_with_gpu();
  desk.finish_measured();
  const auto before = desk.state.shown;
  desk.apply(command::SetMeasuring{{.gate = true}});
  desk.event(session::session_event::RunFailed{desk.last_id, {ErrorKind::bad_input, "the gate cannot hold this", {}}});
  EXPECT_EQ(desk.state.said, "the gate cannot hold this");
  EXPECT_TRUE(desk.state.said_error);
  EXPECT_EQ(desk.state.shown, before);
  EXPECT_TRUE(desk.state.measuring.gate) << "what was set stays set";
  EXPECT_FALSE(desk.state.refused);
}

TEST(LongKernels, AreAskedAboutAndRunOnceAllTheSame) {
  Desk desk;
  desk.up_with_gpu();
  const std::string why =
      "line 2: spin takes 1.5 s: a kernel of more than 1 s freezes a display; make it shorter, or allow it with "
      "--long-kernels\nline 4: axpb takes about 3.25 s: …";
  EXPECT_FALSE(desk.request_sent.options.long_kernels);
  desk.event(session::session_event::RunFailed{desk.last_id, {ErrorKind::bad_input, why, {}}});
  ASSERT_TRUE(desk.state.refused);
  EXPECT_DOUBLE_EQ(desk.state.refused->seconds, 3.25);
  desk.apply(command::RunLongKernels{});
  EXPECT_EQ(desk.started, 2);
  EXPECT_TRUE(desk.request_sent.options.long_kernels);
  EXPECT_EQ(desk.request_sent.options.runs, 1);
  EXPECT_FALSE(desk.request_sent.options.observer_effect);
  EXPECT_FALSE(desk.state.refused);
  desk.finish_measured();
  desk.apply(command::RunNow{});
  EXPECT_FALSE(desk.request_sent.options.long_kernels) << "once only";
}

TEST(LongKernels, TheQuestionGoesWithTheProgramOrByItself) {
  for (const bool edited : {true, false}) {
    Desk desk;
    desk.up_with_gpu();
    desk.event(
        session::session_event::RunFailed{desk.last_id, {ErrorKind::bad_input, "allow it with --long-kernels", {}}});
    ASSERT_TRUE(desk.state.refused);
    EXPECT_EQ(desk.state.refused->seconds, 0);
    if (edited)
      desk.apply(command::EditProgram{"stream A\n"});
    else
      desk.apply(command::LeaveLongKernels{});
    EXPECT_FALSE(desk.state.refused);
    desk.apply(command::RunLongKernels{});
    EXPECT_EQ(desk.started, 1);
  }
}

TEST(Observer, LiveModeLearnsTheEffectInThreeRunsAndThenCarriesABareOneInEight) {
  Desk desk;
  desk.up_with_gpu();
  desk.finish_measured();
  experiment::Experiment changed = desk.state.experiment;
  changed.streams = 7;
  desk.apply(command::SetExperiment{changed});
  desk.finish_measured();
  desk.apply(command::ToggleLive{});
  std::string bare;
  for (int i = 0; i < 24; ++i) {
    bare += desk.request_sent.options.observer_effect ? '1' : '0';
    EXPECT_EQ(desk.request_sent.options.runs, 1);
    desk.finish_measured();
    desk.apply(command::LiveDue{});
  }
  EXPECT_EQ(bare, "111000000010000000100000");
  const Meter known = meter(desk.state);
  ASSERT_TRUE(known.effect);
  EXPECT_NEAR(known.effect->median, 1.1, 1e-6);
  EXPECT_EQ(known.effect->pairs, 5);
}

TEST(Observer, OnlyTheNewestPairsCount) {
  Desk desk;
  desk.up_with_gpu();
  desk.finish_measured();
  Pairs pairs;
  trace::Run run;  // Test::Run hides the short name
  run.runs = 1;
  run.bare_wall = trace::Statistic{100, 100, 100};
  for (int i = 0; i < 100; ++i) {
    const Nanoseconds wall = i < 50 ? 200 : 110;
    run.wall = trace::Statistic{wall, wall, wall};
    note(pairs, 1, run);
  }
  EXPECT_EQ(effect(pairs, 1)->pairs, static_cast<int>(kPairsKept));
  EXPECT_DOUBLE_EQ(effect(pairs, 1)->high, 1.1);
  EXPECT_FALSE(effect(pairs, 2));
}

TEST(Observer, PairsOfAnotherSettingAreNotMixedIn) {
  remote::message::StartRun request;
  request.program = "a";
  const Subject first = subject_of(request);
  remote::message::StartRun other = request;
  other.program = "b";
  EXPECT_NE(subject_of(other), first);
  other = request;
  other.options.gate = true;
  EXPECT_NE(subject_of(other), first);
  other = request;
  other.options.share = 4;
  EXPECT_EQ(subject_of(other), first) << "the share is nothing to a full instrument";
  other.options.instrument = device::Instrument::sampled;
  const Subject sampled = subject_of(other);
  other.options.share = 8;
  EXPECT_NE(subject_of(other), sampled);
  other = request;
  other.options.runs = 9;
  EXPECT_EQ(subject_of(other), first);

  Pairs pairs;
  trace::Run run;  // Test::Run hides the short name
  run.runs = 1;
  run.wall = run.bare_wall = trace::Statistic{100, 100, 100};
  note(pairs, 1, run);
  note(pairs, 2, run);
  EXPECT_EQ(pairs.bare.size(), 1u);
}

TEST(Observer, AfterAChangeThePairsComeInARunThatIsNotShown) {
  Desk desk;
  desk.up_with_gpu();
  desk.finish_measured();
  experiment::Experiment changed = desk.state.experiment;
  changed.streams = 7;
  desk.apply(command::SetExperiment{changed});
  EXPECT_FALSE(desk.request_sent.options.observer_effect) << "its picture is to come soon";
  desk.finish_measured();
  EXPECT_FALSE(meter(desk.state).effect);
  ASSERT_TRUE(known(desk.state.pairs_due));
  const auto shown = desk.state.shown;
  desk.apply(command::PairsDue{});
  EXPECT_EQ(desk.last.purpose, RunFor::pairs);
  EXPECT_EQ(desk.request_sent.options.runs, kRunsForPairs);
  desk.finish_measured(1.25);
  EXPECT_EQ(desk.state.shown, shown);
  EXPECT_EQ(desk.state.runs.size(), 2u);
  ASSERT_TRUE(meter(desk.state).effect);
  EXPECT_NEAR(meter(desk.state).effect->median, 1.25, 1e-6);
  EXPECT_FALSE(known(desk.state.pairs_due));
}

TEST(Observer, PairsOfSampledRunsAreOfTheSameShare) {
  Desk desk;
  desk.up_with_gpu();
  desk.finish_measured();
  desk.apply(command::SetMeasuring{{.instrument = device::Instrument::sampled, .share = 32}});
  EXPECT_EQ(desk.request_sent.options.runs, 32);
  EXPECT_EQ(request(desk.state, RunFor::pairs).options.runs, 32) << "of fewer runs each would see more than 1 in 32";
  EXPECT_EQ(request(desk.state, RunFor::figures).options.runs, 160);
}

TEST(Observer, ARunForPairsMakesWayForAPersons) {
  Desk desk;
  desk.up_with_gpu();
  desk.finish_measured();
  experiment::Experiment changed = desk.state.experiment;
  changed.streams = 7;
  desk.apply(command::SetExperiment{changed});
  desk.finish_measured();
  desk.apply(command::PairsDue{});
  const std::uint64_t pairs = desk.last_id;
  changed.streams = 8;
  desk.apply(command::SetExperiment{changed});
  EXPECT_TRUE(desk.stopped);
  EXPECT_EQ(desk.last.purpose, RunFor::picture);
  desk.state.said.clear();
  desk.event(session::session_event::RunFailed{pairs, {ErrorKind::cancelled, "stopped", {}}});
  EXPECT_EQ(desk.state.said, "") << "nobody asked for that run";
  desk.finish_measured();
  EXPECT_EQ(desk.state.shown->run->program, desk.state.program);
}

TEST(Observer, NoPairsAreMadeOfAProgramThatIsNoLongerInView) {
  Desk desk;
  desk.up_with_gpu();
  desk.finish_measured();
  experiment::Experiment changed = desk.state.experiment;
  changed.streams = 7;
  desk.apply(command::SetExperiment{changed});
  desk.finish_measured();
  desk.apply(command::EditProgram{"stream A\n"});
  desk.checked();
  const int before = desk.started;
  desk.apply(command::PairsDue{});
  EXPECT_EQ(desk.started, before);
}

TEST(ObserverMeter, SaysWhyNothingIsKnown) {
  Desk desk;
  EXPECT_THAT(meter(desk.state).meaning, HasSubstr("no run yet"));
  desk.up();
  desk.finish();
  EXPECT_EQ(meter(desk.state).figure, "not known");
  EXPECT_EQ(meter(desk.state).level, Meter::Level::unknown);
  EXPECT_THAT(meter(desk.state).meaning, HasSubstr("model is not disturbed"));

  Desk gpu;
  gpu.up_with_gpu();
  gpu.apply(command::SetRepeat{1});
  gpu.apply(command::RunNow{});
  gpu.finish_measured();
  EXPECT_THAT(meter(gpu.state).meaning, HasSubstr("1 of 3"));
}

TEST(ObserverMeter, MarksWhatIsNotable) {
  for (const auto& [ratio, level, figure] : {std::tuple{1.013, Meter::Level::small, "1.013"},
                                             {1.1, Meter::Level::notable, "1.100"},
                                             {1.3, Meter::Level::large, "1.300"}}) {
    Desk desk;
    desk.up_with_gpu();
    desk.finish_measured(ratio);
    EXPECT_EQ(meter(desk.state).level, level);
    EXPECT_THAT(meter(desk.state).figure, HasSubstr(std::string(figure) + " ×"));
  }
}

}  // namespace
}  // namespace streamscope::window
