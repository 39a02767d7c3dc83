// How a GPU is watched, and what the window makes known of the watching's cost.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "app/window/state/observer_meter.h"
#include "app/window/state/run_requests.h"
#include "tests/support/state_loop.h"

namespace streamscope::window {
namespace {

using ::testing::HasSubstr;
using testing::StateLoop;

Measuring sampled() { return {.instrument = device::Instrument::sampled, .share = 8, .gate = true}; }

TEST(Measure, TheSwitchGoesIntoTheNextRunAndRunsAtOnce) {
  StateLoop loop;
  loop.up_with_gpu();
  loop.finish_measured();
  loop.update(command::SetMeasuring{sampled()});
  EXPECT_EQ(loop.started, 2);
  const measure::MeasureOptions& options = loop.request_sent.options;
  EXPECT_EQ(options.instrument, device::Instrument::sampled);
  EXPECT_EQ(options.share, 8u);
  EXPECT_TRUE(options.gate);
  EXPECT_EQ(options.runs, 8) << "so many sampled runs see each operation once";
  loop.update(command::SetMeasuring{sampled()});
  EXPECT_EQ(loop.started, 2) << "nothing changed";
}

TEST(Measure, WhatWouldTakeLongWithSoManyRunsDoesNotRunByItself) {
  StateLoop loop;
  loop.up_with_gpu();
  loop.finish_measured();
  loop.state.settings.quick_took = kQuickEnough / 4;
  loop.update(command::SetMeasuring{sampled()});  // eight runs
  EXPECT_EQ(loop.started, 1);
  loop.update(command::SetMeasuring{{}});
  EXPECT_EQ(loop.started, 2);
}

TEST(Measure, AModelIsAskedForNoneOfIt) {
  StateLoop loop;
  loop.up_with_gpu();
  loop.finish_measured();
  loop.update(command::SetMeasuring{sampled()});
  loop.finish_measured();
  loop.update(command::SetDevice{"model:h200"});
  EXPECT_EQ(loop.request_sent.options.instrument, device::Instrument::full);
  EXPECT_FALSE(loop.request_sent.options.gate);
  const int before = loop.started;
  loop.update(command::SetMeasuring{{.instrument = device::Instrument::cupti}});
  EXPECT_EQ(loop.started, before);
  loop.update(command::SetDevice{"cuda:0"});
  EXPECT_EQ(loop.request_sent.options.instrument, device::Instrument::cupti) << "the choice is kept for the GPU";
}

TEST(Measure, RunMakesEnoughRunsForFiguresOnAGpuAndOneOnAModel) {
  StateLoop loop;
  loop.up_with_gpu();
  EXPECT_EQ(loop.request_sent.options.runs, 5);
  EXPECT_TRUE(loop.request_sent.options.observer_effect);
  loop.finish_measured();
  loop.update(command::SetDevice{"model:h200"});
  loop.update(command::RunNow{});
  EXPECT_EQ(loop.request_sent.options.runs, 1);
  loop.update(command::SetRepeat{9});
  loop.update(command::RunNow{});
  EXPECT_EQ(loop.request_sent.options.runs, 9);
  loop.update(command::SetRepeat{0});
  EXPECT_EQ(runs_of_figures(loop.state.settings), 1);
}

// What operations take alone in a run that overlaps is no serial time: 2.65x was seen where Run found 1.95x.
TEST(Measure, AfterAChangeAModelSimulatesTheSerialTimeAsRunDoes) {
  StateLoop loop;
  loop.up_with_gpu();
  loop.finish_measured();
  loop.update(command::SetDevice{"model:h200"});
  EXPECT_EQ(loop.last.purpose, RunFor::picture);
  EXPECT_TRUE(loop.request_sent.options.serial);
  loop.finish();
  loop.update(command::SetDevice{"cuda:0"});
  EXPECT_EQ(loop.last.purpose, RunFor::picture);
  EXPECT_FALSE(loop.request_sent.options.serial) << "on a GPU the picture does not wait for it";
}

TEST(Measure, ARefusalStandsWhereErrorsStandAndNothingIsLost) {
  StateLoop loop;
  loop.up_with_gpu();
  loop.finish_measured();
  const auto before = loop.state.runs.shown;
  loop.update(command::SetMeasuring{{.gate = true}});
  loop.event(session::session_event::RunFailed{loop.last_id, {ErrorKind::bad_input, "the gate cannot hold this", {}}});
  EXPECT_EQ(loop.state.status.text, "the gate cannot hold this");
  EXPECT_TRUE(loop.state.status.error);
  EXPECT_EQ(loop.state.runs.shown, before);
  EXPECT_TRUE(loop.state.settings.measuring.gate) << "what was set stays set";
  EXPECT_FALSE(loop.state.editing.refused);
}

TEST(Observer, LiveModeLearnsTheEffectInThreeRunsAndThenCarriesABareOneInEight) {
  StateLoop loop;
  loop.up_with_gpu();
  loop.finish_measured();
  experiment::Experiment changed = loop.state.editing.experiment;
  changed.streams = 7;
  loop.update(command::SetExperiment{changed});
  loop.finish_measured();
  loop.update(command::ToggleLive{});
  std::string bare;
  for (int i = 0; i < 24; ++i) {
    bare += loop.request_sent.options.observer_effect ? '1' : '0';
    EXPECT_EQ(loop.request_sent.options.runs, 1);
    loop.finish_measured();
    loop.update(command::LiveDue{});
  }
  EXPECT_EQ(bare, "111000000010000000100000");
  const Meter known = meter(loop.state);
  ASSERT_TRUE(known.effect);
  EXPECT_NEAR(known.effect->median, 1.1, 1e-6);
  EXPECT_EQ(known.effect->pairs, 5);
}

TEST(Observer, OnlyTheNewestPairsCount) {
  StateLoop loop;
  loop.up_with_gpu();
  loop.finish_measured();
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
  StateLoop loop;
  loop.up_with_gpu();
  loop.finish_measured();
  experiment::Experiment changed = loop.state.editing.experiment;
  changed.streams = 7;
  loop.update(command::SetExperiment{changed});
  EXPECT_FALSE(loop.request_sent.options.observer_effect) << "its picture is to come soon";
  loop.finish_measured();
  EXPECT_FALSE(meter(loop.state).effect);
  ASSERT_TRUE(known(loop.state.running.pairs_due));
  const auto shown = loop.state.runs.shown;
  loop.update(command::PairsDue{});
  EXPECT_EQ(loop.last.purpose, RunFor::pairs);
  EXPECT_EQ(loop.request_sent.options.runs, kRunsForPairs);
  loop.finish_measured(1.25);
  EXPECT_EQ(loop.state.runs.shown, shown);
  EXPECT_EQ(loop.state.runs.all.size(), 2u);
  ASSERT_TRUE(meter(loop.state).effect);
  EXPECT_NEAR(meter(loop.state).effect->median, 1.25, 1e-6);
  EXPECT_FALSE(known(loop.state.running.pairs_due));
}

TEST(Observer, PairsOfSampledRunsAreOfTheSameShare) {
  StateLoop loop;
  loop.up_with_gpu();
  loop.finish_measured();
  loop.update(command::SetMeasuring{{.instrument = device::Instrument::sampled, .share = 32}});
  EXPECT_EQ(loop.request_sent.options.runs, 32);
  EXPECT_EQ(request(loop.state, RunFor::pairs).options.runs, 32) << "of fewer runs each would see more than 1 in 32";
  EXPECT_EQ(request(loop.state, RunFor::figures).options.runs, 160);
}

TEST(Observer, ARunForPairsMakesWayForAPersons) {
  StateLoop loop;
  loop.up_with_gpu();
  loop.finish_measured();
  experiment::Experiment changed = loop.state.editing.experiment;
  changed.streams = 7;
  loop.update(command::SetExperiment{changed});
  loop.finish_measured();
  loop.update(command::PairsDue{});
  const std::uint64_t pairs = loop.last_id;
  changed.streams = 8;
  loop.update(command::SetExperiment{changed});
  EXPECT_TRUE(loop.stopped);
  EXPECT_EQ(loop.last.purpose, RunFor::picture);
  loop.state.status.text.clear();
  loop.event(session::session_event::RunFailed{pairs, {ErrorKind::cancelled, "stopped", {}}});
  EXPECT_EQ(loop.state.status.text, "") << "nobody asked for that run";
  loop.finish_measured();
  EXPECT_EQ(loop.state.runs.shown->run->program, loop.state.editing.program);
}

TEST(Observer, NoPairsAreMadeOfAProgramThatIsNoLongerInView) {
  StateLoop loop;
  loop.up_with_gpu();
  loop.finish_measured();
  experiment::Experiment changed = loop.state.editing.experiment;
  changed.streams = 7;
  loop.update(command::SetExperiment{changed});
  loop.finish_measured();
  loop.update(command::EditProgram{"stream A\n"});
  loop.checked();
  const int before = loop.started;
  loop.update(command::PairsDue{});
  EXPECT_EQ(loop.started, before);
}

TEST(ObserverMeter, SaysWhyNothingIsKnown) {
  StateLoop loop;
  EXPECT_THAT(meter(loop.state).meaning, HasSubstr("no run yet"));
  loop.up();
  loop.finish();
  EXPECT_EQ(meter(loop.state).figure, "not known");
  EXPECT_EQ(meter(loop.state).level, Meter::Level::unknown);
  EXPECT_THAT(meter(loop.state).meaning, HasSubstr("model is not disturbed"));

  StateLoop gpu;
  gpu.up_with_gpu();
  gpu.update(command::SetRepeat{1});
  gpu.update(command::RunNow{});
  gpu.finish_measured();
  EXPECT_THAT(meter(gpu.state).meaning, HasSubstr("1 of 3"));
}

TEST(ObserverMeter, MarksWhatIsNotable) {
  for (const auto& [ratio, level, figure] : {std::tuple{1.013, Meter::Level::small, "1.013"},
                                             {1.1, Meter::Level::notable, "1.100"},
                                             {1.3, Meter::Level::large, "1.300"}}) {
    StateLoop loop;
    loop.up_with_gpu();
    loop.finish_measured(ratio);
    EXPECT_EQ(meter(loop.state).level, level);
    EXPECT_THAT(meter(loop.state).figure, HasSubstr(std::string(figure) + " ×"));
  }
}

}  // namespace
}  // namespace streamscope::window
