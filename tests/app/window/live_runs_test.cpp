// When live mode asks for its next run: once the views have the newest one, of an engine that is there.
#include "app/window/state/live.h"
#include "tests/support/state_loop.h"

namespace streamscope::window {
namespace {

class LiveMode : public ::testing::Test {
 protected:
  LiveMode() {
    loop.up();
    loop.finish();
    loop.update(command::ToggleLive{});
  }
  // The run under way, which is still to be prepared for the views.
  FinishedRun come_back() {
    const Effects effects =
        update(loop.state, session::SessionEvent(session::session_event::RunDone{loop.last_id, testing::a_run("", 3)}));
    return effects.prepare.front();
  }
  testing::StateLoop loop;
};

TEST_F(LiveMode, AsksForTheNextRunAfterThePeriodAndStopEndsIt) {
  EXPECT_EQ(loop.started, 2);
  EXPECT_EQ(loop.last.purpose, RunFor::picture);
  EXPECT_FALSE(known(loop.state.running.live_due)) << "not while one goes on";
  loop.finish();
  EXPECT_EQ(loop.state.running.live_due, loop.state.running.last_start + kLivePeriod);
  loop.update(command::LiveDue{});
  EXPECT_EQ(loop.started, 3);
  loop.update(command::Stop{});
  EXPECT_TRUE(loop.stopped);
  EXPECT_FALSE(loop.state.running.live);
  loop.finish();
  EXPECT_FALSE(known(loop.state.running.live_due));
}

// Else a run that takes longer than the period follows the one before at once, and no frame comes between them.
TEST_F(LiveMode, AsksForTheNextRunWhenTheViewsHaveTheOneBefore) {
  EXPECT_EQ(loop.state.running.preparing, 0u);
  const FinishedRun back = come_back();
  EXPECT_EQ(loop.state.running.preparing, back.number);
  EXPECT_FALSE(known(loop.state.running.live_due));
  loop.update(command::RunPrepared{prepare(back)});
  EXPECT_EQ(loop.state.running.preparing, 0u);
  EXPECT_EQ(loop.state.running.live_due, loop.state.running.last_start + kLivePeriod);
}

TEST_F(LiveMode, WaitsForTheViewsOfTheNewestRunAlone) {
  // A control is changed while the first run is prepared.
  const FinishedRun first = come_back();
  experiment::Experiment changed = loop.state.editing.experiment;
  changed.streams = 8;
  loop.update(command::SetExperiment{changed});
  ASSERT_EQ(loop.started, 3);
  EXPECT_EQ(loop.state.running.preparing, 0u);
  loop.update(command::RunPrepared{prepare(first)});
  EXPECT_FALSE(known(loop.state.running.live_due)) << "another goes on";
  const FinishedRun second = come_back();
  EXPECT_FALSE(known(loop.state.running.live_due));
  loop.update(command::RunPrepared{prepare(second)});
  EXPECT_TRUE(known(loop.state.running.live_due));
}

TEST_F(LiveMode, WaitsForANewEngineWhereTheOldOneLeftARun) {
  const FinishedRun done = come_back();
  session::session_event::EngineLost lost;
  lost.restarting = true;
  loop.event(lost);
  loop.update(command::RunPrepared{prepare(done)});
  EXPECT_FALSE(known(loop.state.running.live_due));
  const int before = loop.started;
  loop.up();
  EXPECT_EQ(loop.started, before + 1);
  EXPECT_TRUE(loop.state.running.live);
}

TEST_F(LiveMode, EndsWhereARunHasNoRoom) {
  const FinishedRun done = come_back();
  loop.update(command::RunNotPrepared{done.number, "no memory"});
  EXPECT_FALSE(loop.state.running.live);
  EXPECT_EQ(loop.state.running.preparing, 0u);
  EXPECT_TRUE(loop.state.status.error);
}

TEST_F(LiveMode, WaitsWhileTheTextHasErrorsAndGoesOnWithoutThem) {
  loop.update(command::EditProgram{"nonsense\n"});
  loop.checked();
  loop.finish();
  loop.update(command::LiveDue{});
  EXPECT_EQ(loop.started, 2);
  EXPECT_TRUE(loop.state.running.live);
  loop.update(command::EditProgram{"stream A\n"});
  loop.checked();
  EXPECT_EQ(loop.started, 3);
  EXPECT_EQ(loop.programs.back(), "stream A\n");
}

}  // namespace
}  // namespace streamscope::window
