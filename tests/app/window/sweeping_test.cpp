// A sweep in the window: which runs it asks for, what comes of them, and what ends it.
#include "app/window/state/sweeping.h"

#include <gmock/gmock.h>

#include "app/window/state/sweep_runs.h"
#include "engine/experiment/experiment_file.h"
#include "tests/support/state_loop.h"

namespace streamscope::window {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;

class SweepOfWindow : public ::testing::Test {
 protected:
  SweepOfWindow() {
    loop.up();
    loop.finish();  // the first run, which is made by itself
  }
  void start(const std::string& key, const std::string& values, const std::string& other = "",
             const std::string& others = "") {
    loop.update(command::SetSweepAxis{0, {key, values}});
    loop.update(command::SetSweepAxis{1, {other, others}});
    loop.update(command::StartSweep{});
    loop.carry_out();
  }
  // The run that is asked for comes back, with that makespan.
  void finish(Nanoseconds makespan) {
    auto run = std::make_shared<trace::Run>(*testing::a_run(loop.request_sent.program));
    run->experiment = loop.request_sent.experiment;
    run->runs = 1;
    run->wall = run->makespan = trace::Statistic{makespan, makespan, makespan};
    loop.event(session::session_event::RunDone{loop.last_id, run});
    loop.carry_out();
  }
  std::uint32_t streams_asked() const {
    return experiment::parse_experiment(loop.request_sent.experiment, "x")->experiment.streams;
  }
  const Sweeping& sweeping() const { return loop.state.sweeping; }
  testing::StateLoop loop;
};

TEST_F(SweepOfWindow, WhatIsWrongIsSaidWithoutTheOptionsOfTheCommandLine) {
  for (const auto& [key, values] : {std::pair("streams", "1, x"), std::pair("chunk", "6MiB"), std::pair("no", "1")}) {
    start(key, values);
    EXPECT_THAT(sweeping().wrong, HasSubstr(key));
    EXPECT_THAT(sweeping().wrong, ::testing::Not(HasSubstr("--axis"))) << key;
  }
}

TEST_F(SweepOfWindow, RunsEachCombinationAndFindsTheBest) {
  start("streams", "1, 2, 8");
  ASSERT_EQ(sweeping().wrong, "");
  std::vector<std::uint32_t> asked;
  for (const Nanoseconds makespan : {300, 100, 200}) {
    ASSERT_TRUE(sweeping().going);
    asked.push_back(streams_asked());
    finish(makespan);
  }
  EXPECT_THAT(asked, ElementsAre(1, 2, 8));
  EXPECT_FALSE(sweeping().going);
  EXPECT_EQ(points_done(sweeping()), 3u);
  EXPECT_EQ(sweep::best_of(sweeping().sweep), 1u);
  EXPECT_EQ(loop.state.runs.all.size(), 1u) << "its runs are shown when they are asked for";
  EXPECT_EQ(loop.state.editing.experiment.streams, 4u) << "the controls stay";
}

TEST_F(SweepOfWindow, TheFirstChoiceOfAnAxisHasAnEffect) {
  const auto with_one_stream = [&](bool one) {
    experiment::Experiment e = loop.state.editing.experiment;
    e.stream_flags = one ? experiment::StreamFlags::legacy_default : experiment::StreamFlags::nonblocking;
    loop.update(command::SetExperiment{e});
  };
  EXPECT_EQ(axes_to_sweep(loop.state)[0].key, "streams");
  with_one_stream(true);
  EXPECT_EQ(axes_to_sweep(loop.state)[0].key, "chunk");
  loop.update(command::StartSweep{});
  loop.carry_out();
  EXPECT_EQ(sweeping().wrong, "");
  ASSERT_EQ(sweeping().sweep.points.size(), 4u);
  for (const sweep::SweepPoint& each : sweeping().sweep.points) EXPECT_EQ(each.why_not, "");
  loop.update(command::StopSweep{});
  loop.update(command::SetSweepAxis{0, {"streams", "1, 2"}});
  EXPECT_EQ(axes_to_sweep(loop.state)[0].key, "streams") << "somebody chose it";
  loop.update(command::SetSweepAxis{0, Sweeping().axes[0]});
  with_one_stream(false);
  EXPECT_EQ(axes_to_sweep(loop.state)[0].key, "streams");
}

TEST_F(SweepOfWindow, APointsRunIsShownWithItsSettings) {
  start("streams", "1, 2");
  finish(300);
  finish(100);
  loop.update(command::ShowSweepPoint{1});
  ASSERT_EQ(loop.state.runs.all.size(), 2u);
  EXPECT_EQ(loop.state.runs.shown->name, "streams=2");
  EXPECT_EQ(loop.state.runs.shown->run, sweeping().runs[1]);
  loop.update(command::ShowRun{0});
  loop.update(command::ShowSweepPoint{1});
  EXPECT_EQ(loop.state.runs.all.size(), 2u) << "it is there already";
  EXPECT_EQ(loop.state.runs.shown->name, "streams=2");
  loop.update(command::UseRunSettings{});
  EXPECT_EQ(loop.state.editing.experiment.streams, 2u);
}

TEST_F(SweepOfWindow, TwoAxesAreCombinedAndWhatCannotBeIsNotRun) {
  start("bytes", "256MiB, 96MiB", "chunk", "64MiB, 32MiB");
  ASSERT_EQ(sweeping().wrong, "");
  for (int i = 0; i < 3; ++i) finish(100 * (i + 1));
  EXPECT_FALSE(sweeping().going);
  ASSERT_EQ(sweeping().sweep.points.size(), 4u);
  EXPECT_TRUE(sweeping().sweep.points[1].result);
  EXPECT_FALSE(sweeping().sweep.points[2].result) << "64 MiB do not divide 96 MiB";
  EXPECT_NE(sweeping().sweep.points[2].why_not, "");
  EXPECT_EQ(sweeping().sweep.points[3].result->makespan->median, 300);
}

TEST_F(SweepOfWindow, WhatIsTypedWrongIsSaid) {
  start("streams", "1, two");
  EXPECT_THAT(sweeping().wrong, HasSubstr("two"));
  start("streams", "");
  EXPECT_NE(sweeping().wrong, "");
  loop.update(command::EditProgram{"stream A\n"});
  start("streams", "1, 2");
  EXPECT_THAT(sweeping().wrong, HasSubstr("program of its own"));
  EXPECT_FALSE(sweeping().going);
}

TEST_F(SweepOfWindow, AChangeOfAControlWaitsAndRunEndsIt) {
  start("streams", "1, 2, 8");
  const int started = loop.started;
  experiment::Experiment set = loop.state.editing.experiment;
  set.streams = 5;
  loop.update(command::SetExperiment{set});
  EXPECT_EQ(loop.started, started) << "the sweep goes on";
  finish(100);
  EXPECT_EQ(streams_asked(), 2u) << "with the settings that it began with";
  loop.update(command::RunNow{});
  EXPECT_FALSE(sweeping().going);
  EXPECT_TRUE(loop.stopped) << "its run is ended";
  EXPECT_EQ(streams_asked(), 5u);
  EXPECT_EQ(points_done(sweeping()), 1u);
}

TEST_F(SweepOfWindow, StopAndALostEngineEndIt) {
  start("streams", "1, 2");
  loop.update(command::Stop{});
  EXPECT_FALSE(sweeping().going);
  loop.event(session::session_event::RunFailed{loop.last_id, Error{ErrorKind::cancelled, "stopped"}});
  start("streams", "1, 2");
  ASSERT_TRUE(sweeping().going);
  loop.event(session::session_event::EngineLost{"killed", "", loop.last_id, false});
  EXPECT_FALSE(sweeping().going);
}

TEST_F(SweepOfWindow, APointThatFailsIsPassedOver) {
  start("streams", "1, 2");
  loop.event(session::session_event::RunFailed{loop.last_id, Error{ErrorKind::bad_input, "line 3: error: too much"}});
  EXPECT_TRUE(sweeping().going);
  EXPECT_THAT(sweeping().sweep.points[0].why_not, HasSubstr("too much"));
  finish(100);
  EXPECT_FALSE(sweeping().going);
  EXPECT_EQ(sweep::best_of(sweeping().sweep), 1u);
}

TEST_F(SweepOfWindow, KeysThatDoNothingAreRunOnce) {
  const int before = loop.started;
  start("streams", "1, 2", "mode", "sync");
  finish(100);
  EXPECT_FALSE(sweeping().going);
  EXPECT_EQ(loop.started, before + 1);
  EXPECT_EQ(sweeping().sweep.points[1].same_as, 0u);
  EXPECT_TRUE(sweeping().sweep.points[1].result);
}

}  // namespace
}  // namespace streamscope::window
