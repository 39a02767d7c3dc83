// What the window does, without a window: commands and the session's events applied to the state.
#include "app/window/state/state.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "app/window/effects/files.h"
#include "tests/support/state_desk.h"

namespace streamscope::window {
namespace {

using testing::a_run;
using testing::Desk;
using ::testing::HasSubstr;

TEST(State, TheFirstRunStartsByItselfAndOnlyOnce) {
  Desk desk;
  EXPECT_EQ(desk.started, 0);
  desk.up();
  EXPECT_EQ(desk.started, 1);
  EXPECT_EQ(desk.last.purpose, RunFor::figures);
  desk.finish();
  ASSERT_TRUE(desk.state.shown);
  EXPECT_EQ(desk.state.shown->number, 1u);
  EXPECT_THAT(desk.state.shown->label, HasSubstr("4 streams · 16 MiB"));
  desk.apply(command::RestartEngine{});
  desk.up();
  EXPECT_EQ(desk.started, 1);
}

TEST(State, AChangeOfAControlBuildsTheTextAndRunsItAtOnce) {
  Desk desk;
  desk.up();
  desk.finish();
  experiment::Experiment changed = desk.state.experiment;
  changed.streams = 7;
  desk.apply(command::SetExperiment{changed});
  EXPECT_EQ(desk.started, 2);
  EXPECT_EQ(desk.last.purpose, RunFor::picture);
  EXPECT_THAT(desk.programs.back(), HasSubstr("streams S 7"));
  EXPECT_EQ(desk.state.program, experiment::build(changed));
}

TEST(State, AChangeDoesNotRunByItselfWhereRunsAreLong) {
  Desk desk;
  desk.up();
  desk.finish();
  desk.state.quick_took = kQuickEnough;
  experiment::Experiment changed = desk.state.experiment;
  changed.streams = 7;
  desk.apply(command::SetExperiment{changed});
  EXPECT_EQ(desk.started, 1);
  EXPECT_EQ(desk.state.program, experiment::build(changed));
}

TEST(State, SettingsThatCannotBeBuiltSayWhyAndKeepTheText) {
  Desk desk;
  desk.up();
  desk.finish();
  const std::string before = desk.state.program;
  experiment::Experiment broken = desk.state.experiment;
  broken.chunk = 3;
  desk.apply(command::SetExperiment{broken});
  EXPECT_FALSE(desk.state.experiment_error.empty());
  EXPECT_EQ(desk.state.program, before);
  EXPECT_EQ(desk.started, 1);
  desk.apply(command::RunNow{});
  EXPECT_EQ(desk.started, 1);
  EXPECT_TRUE(desk.state.said_error);
}

TEST(State, ATypedTextRunsOnlyWhenItIsFoundGood) {
  Desk desk;
  desk.up();
  desk.finish();
  desk.apply(command::EditProgram{"stream A\nnonsense\n"});
  desk.apply(command::RunNow{});
  EXPECT_EQ(desk.started, 1) << "not before it is checked";
  desk.checked();
  EXPECT_EQ(desk.started, 1);
  EXPECT_TRUE(has_error(desk.state.diagnostics));
  EXPECT_THAT(desk.state.said, HasSubstr("line 2"));
  desk.apply(command::EditProgram{"stream A\n"});
  desk.apply(command::RunNow{});
  desk.checked();
  EXPECT_EQ(desk.started, 2);
  EXPECT_EQ(desk.programs.back(), "stream A\n");
  EXPECT_EQ(label(desk.state), "typed program");
}

TEST(State, TheCheckOfAnOlderTextIsNotTakenForTheNewOne) {
  Desk desk;
  desk.up();
  desk.apply(command::EditProgram{"nonsense\n"});
  const auto old = *desk.pending_check;
  desk.apply(command::EditProgram{"stream A\n"});
  desk.apply(old);
  EXPECT_TRUE(desk.state.diagnostics.empty());
}

TEST(State, TypedTextThatAResetPutAwayComesBack) {
  Desk desk;
  const std::string built = desk.state.program;
  desk.apply(command::EditProgram{"stream Mine\n"});
  EXPECT_TRUE(desk.state.edited);
  desk.apply(command::ResetProgram{});
  EXPECT_FALSE(desk.state.edited);
  EXPECT_EQ(desk.state.program, built);
  desk.apply(command::RestoreTyped{});
  EXPECT_EQ(desk.state.program, "stream Mine\n");
  EXPECT_TRUE(desk.state.edited);
}

TEST(State, AFileWithItsOwnProgramReplacesTheControlsUntilOneGoesBack) {
  Desk desk;
  desk.up();
  desk.finish();
  OpenedFile own{.name = "trap", .content = {}};
  own.content.program = "stream A\n";
  desk.apply(command::FileOpened{own});
  desk.checked();
  EXPECT_TRUE(desk.state.own_program);
  EXPECT_EQ(desk.programs.back(), "stream A\n");
  EXPECT_EQ(label(desk.state), "trap");
  desk.apply(command::BackToPipeline{});
  EXPECT_FALSE(desk.state.own_program);
  EXPECT_EQ(desk.state.program, experiment::build(desk.state.experiment));
}

TEST(State, LiveAsksForTheNextRunAfterThePeriodAndStopEndsIt) {
  Desk desk;
  desk.up();
  desk.finish();
  desk.apply(command::ToggleLive{});
  EXPECT_EQ(desk.started, 2);
  EXPECT_EQ(desk.last.purpose, RunFor::picture);
  EXPECT_FALSE(known(desk.state.live_due)) << "not while one goes on";
  desk.finish();
  EXPECT_EQ(desk.state.live_due, desk.state.last_start + kLivePeriod);
  desk.apply(command::LiveDue{});
  EXPECT_EQ(desk.started, 3);
  desk.apply(command::Stop{});
  EXPECT_TRUE(desk.stopped);
  EXPECT_FALSE(desk.state.live);
  desk.finish();
  EXPECT_FALSE(known(desk.state.live_due));
}

TEST(State, LiveWaitsWhileTheTextHasErrorsAndGoesOnWithoutThem) {
  Desk desk;
  desk.up();
  desk.finish();
  desk.apply(command::ToggleLive{});
  desk.apply(command::EditProgram{"nonsense\n"});
  desk.checked();
  desk.finish();
  desk.apply(command::LiveDue{});
  EXPECT_EQ(desk.started, 2);
  EXPECT_TRUE(desk.state.live);
  desk.apply(command::EditProgram{"stream A\n"});
  desk.checked();
  EXPECT_EQ(desk.started, 3);
  EXPECT_EQ(desk.programs.back(), "stream A\n");
}

TEST(State, ALostEngineKeepsTheRunsAndIsReplacedOnDemand) {
  Desk desk;
  desk.up();
  desk.finish();
  desk.apply(command::RunNow{});
  desk.event(
      session::session_event::EngineLost{"The engine was killed by signal 9 (Killed).", "last words", desk.last_id});
  EXPECT_EQ(desk.state.engine, EngineStatus::lost);
  EXPECT_EQ(desk.state.in_progress, 0u);
  EXPECT_EQ(desk.state.runs.size(), 1u);
  EXPECT_TRUE(desk.state.shown);
  EXPECT_FALSE(desk.restarted) << "only when a person asks";
  const int before = desk.started;
  desk.apply(command::RunNow{});
  EXPECT_EQ(desk.started, before);
  EXPECT_TRUE(desk.state.said_error);
  desk.apply(command::RestartEngine{});
  EXPECT_TRUE(desk.restarted);
  desk.up();
  desk.apply(command::RunNow{});
  EXPECT_EQ(desk.started, before + 1);
}

TEST(State, AFaultOnTheDeviceEndsLiveAndIsStillToldWhenTheSessionHasBegunANewEngine) {
  Desk desk;
  desk.up();
  desk.apply(command::ToggleLive{});
  desk.event(
      session::session_event::RunFailed{desk.last_id, {ErrorKind::device_failed, "cudaErrorIllegalAddress in line 3"}});
  EXPECT_FALSE(desk.state.live);
  session::session_event::EngineLost lost;
  lost.why = "The engine ended.";
  lost.restarting = true;
  desk.event(lost);
  EXPECT_EQ(desk.state.engine, EngineStatus::starting) << "no banner: there will be an engine at once";
  const int before = desk.started;
  desk.up();
  EXPECT_EQ(desk.started, before) << "what failed is not run again by itself";
  EXPECT_EQ(desk.state.said, "cudaErrorIllegalAddress in line 3");
  EXPECT_FALSE(desk.restarted) << "the session did";
}

TEST(State, ARunAskedForWhileTheEngineDiedDoesNotEndLive) {
  Desk desk;
  desk.up();
  desk.finish();
  desk.apply(command::ToggleLive{});
  session::session_event::EngineLost lost;
  lost.why = "The engine was killed by signal 9 (Killed).";
  desk.event(lost);
  const std::string said = desk.state.said;
  desk.event(session::session_event::RunFailed{desk.last_id, {ErrorKind::no_device, "There is no engine."}});
  EXPECT_TRUE(desk.state.live);
  EXPECT_EQ(desk.state.said, said);
  desk.apply(command::RestartEngine{});
  const int before = desk.started;
  desk.up();
  EXPECT_EQ(desk.started, before + 1);
}

TEST(State, AStoppedRunIsNoError) {
  Desk desk;
  desk.up();
  desk.event(session::session_event::RunFailed{desk.last_id, {ErrorKind::cancelled, "stopped"}});
  EXPECT_FALSE(desk.state.said_error);
  EXPECT_FALSE(desk.restarted);
}

TEST(State, TheViewAPersonChoseStaysFromRunToRun) {
  Desk desk;
  desk.up();
  desk.finish();
  desk.apply(command::SetView{timeline::View{.origin = 5, .scale = 77}});
  desk.apply(command::Select{2});
  desk.apply(command::RunNow{});
  desk.finish();
  ASSERT_TRUE(desk.state.view);
  EXPECT_EQ(desk.state.view->scale, 77);
  EXPECT_EQ(desk.state.selected, 2u);
}

TEST(State, ASelectionThatTheNewProgramHasNotIsLetGo) {
  Desk desk;
  desk.up();
  desk.finish(3);
  desk.apply(command::Select{2});
  desk.apply(command::EditProgram{"stream A\n"});
  desk.apply(command::RunNow{});
  desk.checked();
  desk.finish(1);
  EXPECT_EQ(desk.state.selected, kNoOperation);
}

TEST(State, TheOldestRunsGoWhenMemoryIsShortAndTheWindowSaysSo) {
  Desk desk;
  desk.up();
  const auto large = testing::a_run("p", kSpansKept / 3);
  for (int i = 0; i < 4; ++i) {
    desk.apply(command::RunNow{});
    desk.event(session::session_event::RunDone{desk.last_id, large});
  }
  EXPECT_EQ(desk.state.runs.size(), 3u);
  EXPECT_EQ(desk.state.runs.front()->number, 2u);
  EXPECT_THAT(desk.state.said, HasSubstr("3 runs are kept"));
}

TEST(Files, TheShippedOnesAreListedTheDefaultFirst) {
  const std::vector<Listed> files = shipped_files();
  ASSERT_GE(files.size(), 7u);
  EXPECT_EQ(files.front().name, "four-streams");
  for (const Listed& each : files) EXPECT_TRUE(open_file(each.path)) << each.path;
}

TEST(Files, AFileThatIsNotThereIsAnError) { EXPECT_FALSE(open_file("/nowhere/at/all.toml")); }

}  // namespace
}  // namespace streamscope::window
