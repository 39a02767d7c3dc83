// What the window does, without a window: commands and the session's events applied to the state.
#include "app/window/state/update.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "app/window/effects/files.h"
#include "app/window/panels/slider_values.h"
#include "app/window/state/playhead.h"
#include "app/window/state/run_requests.h"
#include "engine/experiment/build.h"
#include "engine/experiment/experiment.h"
#include "kernels/registry.h"
#include "tests/support/state_loop.h"

namespace streamscope::window {
namespace {

using testing::a_run;
using ::testing::HasSubstr;
using testing::StateLoop;

TEST(State, TheFirstRunStartsByItselfAndOnlyOnce) {
  StateLoop loop;
  EXPECT_EQ(loop.started, 0);
  loop.up();
  EXPECT_EQ(loop.started, 1);
  EXPECT_EQ(loop.last.purpose, RunFor::figures);
  loop.finish();
  ASSERT_TRUE(loop.state.runs.shown);
  EXPECT_EQ(loop.state.runs.shown->number, 1u);
  EXPECT_THAT(loop.state.runs.shown->label, HasSubstr("4 streams · 16 MiB"));
  loop.update(command::RestartEngine{});
  loop.up();
  EXPECT_EQ(loop.started, 1);
}

TEST(State, AChangeOfAControlBuildsTheTextAndRunsItAtOnce) {
  StateLoop loop;
  loop.up();
  loop.finish();
  experiment::Experiment changed = loop.state.editing.experiment;
  changed.streams = 7;
  loop.update(command::SetExperiment{changed});
  EXPECT_EQ(loop.started, 2);
  EXPECT_EQ(loop.last.purpose, RunFor::picture);
  EXPECT_THAT(loop.programs.back(), HasSubstr("streams S 7"));
  EXPECT_EQ(loop.state.editing.program, experiment::build(changed));
}

TEST(State, OfTwoChangesInOneFrameTheSecondRunsAndTheFirstSaysSinceWhen) {
  StateLoop loop;
  loop.up();
  loop.finish();
  experiment::Experiment changed = loop.state.editing.experiment;
  changed.streams = 7;
  Effects effects = update(loop.state, command::SetExperiment{changed});
  ASSERT_TRUE(effects.run);
  const Nanoseconds asked = effects.run->asked;
  changed.streams = 8;
  effects += update(loop.state, command::SetExperiment{changed});
  effects += update(loop.state, command::RunNow{});
  ASSERT_TRUE(effects.run);
  EXPECT_EQ(effects.run->asked, asked);
  EXPECT_EQ(effects.run->purpose, RunFor::figures);
  EXPECT_TRUE(effects.check);
}

TEST(State, AStopDropsARunThatWasAskedForInTheSameFrame) {
  StateLoop loop;
  loop.up();
  loop.finish();
  Effects effects = update(loop.state, command::RunNow{});
  EXPECT_TRUE(effects.run);
  effects += update(loop.state, command::Stop{});
  EXPECT_FALSE(effects.run);
  EXPECT_FALSE(effects.stop) << "nothing is under way";
  effects += update(loop.state, command::RunNow{});
  EXPECT_TRUE(effects.run);
}

TEST(State, AChangeDoesNotRunByItselfWhereRunsAreLong) {
  StateLoop loop;
  loop.up();
  loop.finish();
  loop.state.settings.quick_took = kQuickEnough;
  experiment::Experiment changed = loop.state.editing.experiment;
  changed.streams = 7;
  loop.update(command::SetExperiment{changed});
  EXPECT_EQ(loop.started, 1);
  EXPECT_EQ(loop.state.editing.program, experiment::build(changed));
}

TEST(State, SettingsThatCannotBeBuiltSayWhyAndKeepTheText) {
  StateLoop loop;
  loop.up();
  loop.finish();
  const std::string before = loop.state.editing.program;
  experiment::Experiment broken = loop.state.editing.experiment;
  broken.chunk = 3;
  loop.update(command::SetExperiment{broken});
  EXPECT_FALSE(loop.state.editing.experiment_error.empty());
  EXPECT_EQ(loop.state.editing.program, before);
  EXPECT_EQ(loop.started, 1);
  loop.update(command::RunNow{});
  EXPECT_EQ(loop.started, 1);
  EXPECT_TRUE(loop.state.status.error);
}

TEST(State, ATypedTextRunsOnlyWhenItIsFoundGood) {
  StateLoop loop;
  loop.up();
  loop.finish();
  loop.update(command::EditProgram{"stream A\nnonsense\n"});
  loop.update(command::RunNow{});
  EXPECT_EQ(loop.started, 1) << "not before it is checked";
  loop.checked();
  EXPECT_EQ(loop.started, 1);
  EXPECT_TRUE(has_error(loop.state.editing.diagnostics));
  EXPECT_THAT(loop.state.status.text, HasSubstr("line 2"));
  loop.update(command::EditProgram{"stream A\n"});
  loop.update(command::RunNow{});
  loop.checked();
  EXPECT_EQ(loop.started, 2);
  EXPECT_EQ(loop.programs.back(), "stream A\n");
  EXPECT_EQ(label(loop.state.editing), "typed program");
}

TEST(State, TheCheckOfAnOlderTextIsNotTakenForTheNewOne) {
  StateLoop loop;
  loop.up();
  loop.update(command::EditProgram{"nonsense\n"});
  const auto old = *loop.pending_check;
  loop.update(command::EditProgram{"stream A\n"});
  loop.update(old);
  EXPECT_TRUE(loop.state.editing.diagnostics.empty());
}

TEST(State, TypedTextThatAResetPutAwayComesBack) {
  StateLoop loop;
  const std::string built = loop.state.editing.program;
  loop.update(command::EditProgram{"stream Mine\n"});
  EXPECT_TRUE(loop.state.editing.edited);
  loop.update(command::ResetProgram{});
  EXPECT_FALSE(loop.state.editing.edited);
  EXPECT_EQ(loop.state.editing.program, built);
  loop.update(command::RestoreTyped{});
  EXPECT_EQ(loop.state.editing.program, "stream Mine\n");
  EXPECT_TRUE(loop.state.editing.edited);
}

TEST(State, AFileWithItsOwnProgramReplacesTheControlsUntilOneGoesBack) {
  StateLoop loop;
  loop.up();
  loop.finish();
  OpenedFile own{.name = "trap", .content = {}};
  own.content.program = "stream A\n";
  loop.update(command::FileOpened{own});
  loop.checked();
  EXPECT_TRUE(loop.state.editing.own_program);
  EXPECT_EQ(loop.programs.back(), "stream A\n");
  EXPECT_EQ(label(loop.state.editing), "trap");
  loop.update(command::BackToPipeline{});
  EXPECT_FALSE(loop.state.editing.own_program);
  EXPECT_EQ(loop.state.editing.program, experiment::build(loop.state.editing.experiment));
}

TEST(State, ALostEngineKeepsTheRunsAndIsReplacedOnDemand) {
  StateLoop loop;
  loop.up();
  loop.finish();
  loop.update(command::RunNow{});
  loop.event(
      session::session_event::EngineLost{"The engine was killed by signal 9 (Killed).", "last words", loop.last_id});
  EXPECT_EQ(loop.state.running.engine, EngineStatus::lost);
  EXPECT_EQ(loop.state.running.in_progress, 0u);
  EXPECT_EQ(loop.state.runs.all.size(), 1u);
  EXPECT_TRUE(loop.state.runs.shown);
  EXPECT_FALSE(loop.restarted) << "only when a person asks";
  const int before = loop.started;
  loop.update(command::RunNow{});
  EXPECT_EQ(loop.started, before);
  EXPECT_TRUE(loop.state.status.error);
  loop.update(command::RestartEngine{});
  EXPECT_TRUE(loop.restarted);
  loop.up();
  loop.update(command::RunNow{});
  EXPECT_EQ(loop.started, before + 1);
}

TEST(State, AFaultOnTheDeviceEndsLiveAndIsStillReportedWhenTheSessionHasBegunANewEngine) {
  StateLoop loop;
  loop.up();
  loop.update(command::ToggleLive{});
  loop.event(
      session::session_event::RunFailed{loop.last_id, {ErrorKind::device_failed, "cudaErrorIllegalAddress in line 3"}});
  EXPECT_FALSE(loop.state.running.live);
  session::session_event::EngineLost lost;
  lost.why = "The engine ended.";
  lost.restarting = true;
  loop.event(lost);
  EXPECT_EQ(loop.state.running.engine, EngineStatus::starting) << "no banner: there will be an engine at once";
  const int before = loop.started;
  loop.up();
  EXPECT_EQ(loop.started, before) << "what failed is not run again by itself";
  EXPECT_EQ(loop.state.status.text, "cudaErrorIllegalAddress in line 3");
  EXPECT_FALSE(loop.restarted) << "the session did";
}

TEST(State, ARunAskedForWhileTheEngineDiedDoesNotEndLive) {
  StateLoop loop;
  loop.up();
  loop.finish();
  loop.update(command::ToggleLive{});
  session::session_event::EngineLost lost;
  lost.why = "The engine was killed by signal 9 (Killed).";
  loop.event(lost);
  const std::string said = loop.state.status.text;
  loop.event(session::session_event::RunFailed{loop.last_id, {ErrorKind::no_device, "There is no engine."}});
  EXPECT_TRUE(loop.state.running.live);
  EXPECT_EQ(loop.state.status.text, said);
  loop.update(command::RestartEngine{});
  const int before = loop.started;
  loop.up();
  EXPECT_EQ(loop.started, before + 1);
}

TEST(State, AStoppedRunIsNoError) {
  StateLoop loop;
  loop.up();
  loop.event(session::session_event::RunFailed{loop.last_id, {ErrorKind::cancelled, "stopped"}});
  EXPECT_FALSE(loop.state.status.error);
  EXPECT_FALSE(loop.restarted);
}

// A slider moved twice while a run goes on: the second change takes the place of the first, which waited.
TEST(State, ARunThatANewerOneReplacesWhileItWaitsChangesNothing) {
  StateLoop loop;
  loop.up();
  loop.finish();
  const auto change = [&](std::uint32_t streams) {
    experiment::Experiment changed = loop.state.editing.experiment;
    changed.streams = streams;
    loop.update(command::SetExperiment{changed});
    return loop.last_id;
  };
  const std::uint64_t first = change(2), second = change(3), third = change(5);
  ASSERT_EQ(third, first + 2);
  loop.event(session::session_event::RunFailed{second, {ErrorKind::cancelled, "A newer run took its place."}});
  EXPECT_EQ(loop.state.status.text, "") << "nobody stopped anything";
  loop.event(session::session_event::RunDone{first, a_run(loop.state.editing.program)});
  ASSERT_TRUE(loop.state.runs.shown);
  EXPECT_THAT(loop.state.runs.shown->label, ::testing::StartsWith("2 streams"))
      << "it is still known what this one was";
  EXPECT_EQ(loop.state.running.in_progress, third);
  loop.finish();
  EXPECT_EQ(loop.state.running.in_progress, 0u);
  EXPECT_THAT(loop.state.runs.shown->label, ::testing::StartsWith("5 streams"));
  EXPECT_TRUE(loop.state.running.started.empty());
}

TEST(State, ARunThatWaitsGoesToTheNewEngineOfASessionThatRestartsIt) {
  StateLoop loop;
  loop.up();
  loop.finish();
  loop.update(command::RunNow{});
  const std::uint64_t failed = loop.last_id;
  loop.update(command::RunNow{});
  loop.event(session::session_event::RunFailed{failed, {ErrorKind::device_failed, "cudaErrorIllegalAddress"}});
  session::session_event::EngineLost lost;
  lost.restarting = true;
  loop.event(lost);
  EXPECT_EQ(loop.state.running.in_progress, loop.last_id);
  loop.up();
  loop.finish();
  EXPECT_EQ(loop.state.running.in_progress, 0u);
  EXPECT_THAT(loop.state.runs.shown->label, ::testing::StartsWith("4 streams"));
}

TEST(State, ARunThatWaitsGoesToTheEngineThatAPersonStarts) {
  StateLoop loop;
  loop.up();
  loop.finish();
  loop.update(command::RunNow{});
  const std::uint64_t at_work = loop.last_id;
  loop.update(command::RunNow{});
  loop.update(command::RestartEngine{});
  loop.event(session::session_event::RunFailed{at_work, {ErrorKind::cancelled, "The engine was replaced."}});
  EXPECT_EQ(loop.state.running.in_progress, loop.last_id);
  loop.up();
  loop.finish();
  EXPECT_EQ(loop.state.running.in_progress, 0u);
  EXPECT_THAT(loop.state.runs.shown->label, ::testing::StartsWith("4 streams"));
}

TEST(State, ANewEngineTakesThePreviewOfTheOldOnesRunAway) {
  StateLoop loop;
  loop.up();
  loop.finish();
  const auto finished = loop.state.runs.shown;
  loop.update(command::RunNow{});
  loop.update(command::RunPrepared{
      prepare({.id = loop.last_id, .number = 0, .started = {}, .run = a_run(loop.state.editing.program)})});
  ASSERT_EQ(loop.state.runs.shown->number, 0u);
  loop.update(command::RestartEngine{});
  EXPECT_EQ(loop.state.runs.shown, finished);
  loop.event(session::session_event::RunFailed{loop.last_id, {ErrorKind::cancelled, "The engine was replaced."}});
  EXPECT_EQ(loop.state.running.in_progress, 0u);
  EXPECT_EQ(loop.state.status.text, "Starting a new engine…") << "nobody stopped anything";
}

TEST(State, TheViewAPersonChoseStaysFromRunToRun) {
  StateLoop loop;
  loop.up();
  loop.finish();
  loop.update(command::SetView{timeline::View{.origin = 5, .scale = 77}});
  loop.update(command::Select{2});
  loop.update(command::RunNow{});
  loop.finish();
  ASSERT_TRUE(loop.state.timeline.view);
  EXPECT_EQ(loop.state.timeline.view->scale, 77);
  EXPECT_EQ(loop.state.timeline.selected, 2u);
}

TEST(State, AViewThatShowsNothingOfANewRunGoesBackToAllOfIt) {
  StateLoop loop;
  loop.up();
  loop.finish(100);
  loop.update(command::SetView{timeline::fit(8'000, 9'000, 1'000)});
  loop.update(command::RunNow{});
  loop.finish(100);
  EXPECT_TRUE(loop.state.timeline.view) << "the run goes on there";
  loop.update(command::RunNow{});
  loop.finish(3);
  EXPECT_FALSE(loop.state.timeline.view) << "this one had ended";
  // The most of it is behind the end.
  const Nanoseconds end = loop.state.runs.shown->tracks.end;
  loop.update(command::SetView{timeline::fit(end - end / 4, end + 3 * end, 480)});
  loop.update(command::RunNow{});
  loop.finish(3);
  EXPECT_FALSE(loop.state.timeline.view);
  // All of the run is in it: it may have been chosen for a longer one that is to be held against this.
  loop.update(command::SetView{timeline::fit(0, 4 * end, 480)});
  loop.update(command::RunNow{});
  loop.finish(3);
  EXPECT_TRUE(loop.state.timeline.view);
}

TEST(State, WhatIsMarkedInTimeEndsWithAShorterRun) {
  StateLoop loop;
  loop.up();
  loop.finish(100);
  const Nanoseconds end = loop.state.runs.shown->tracks.end;
  const auto mark = [&] {
    loop.update(command::Measure{trace::Interval{end - 20, end - 10}});
    loop.update(command::SetRange{trace::Interval{0, end - 10}});
    loop.update(command::MarkInterval{{0, 10}});
    loop.update(command::MarkInterval{{end - 20, end - 10}});
    set_playhead(loop.state, end - 10);
  };
  mark();
  loop.update(command::RunNow{});
  loop.finish(100);
  EXPECT_TRUE(loop.state.timeline.measured);
  EXPECT_EQ(loop.state.timeline.marks.size(), 2u);
  EXPECT_EQ(loop.state.slow_motion.playhead, end - 10);
  loop.update(command::RunNow{});
  loop.finish(3);
  const Nanoseconds now = loop.state.runs.shown->tracks.end;
  ASSERT_LT(now, end - 20);
  EXPECT_FALSE(loop.state.timeline.measured);
  EXPECT_TRUE(loop.state.timeline.range) << "it begins in this run";
  ASSERT_EQ(loop.state.timeline.marks.size(), 1u);
  EXPECT_EQ(loop.state.timeline.marks.front().end, 10);
  EXPECT_EQ(loop.state.slow_motion.playhead, now);
}

TEST(State, ARunIsCalledByWhatIsNotAsUsual) {
  StateLoop loop;
  EXPECT_EQ(label(loop.state.editing), "4 streams · 16 MiB");
  experiment::Experiment other = loop.state.editing.experiment;
  other.host = program::HostMemory::pageable;
  other.kernel = with_kernel(other.kernel, kernels::find("tiles"), {});
  loop.update(command::SetExperiment{other});
  EXPECT_EQ(label(loop.state.editing), "4 streams · 16 MiB · pageable · tiles");
}

TEST(State, ASelectionThatTheNewProgramHasNotIsLetGo) {
  StateLoop loop;
  loop.up();
  loop.finish(3);
  loop.update(command::Select{2});
  loop.update(command::EditProgram{"stream A\n"});
  loop.update(command::RunNow{});
  loop.checked();
  loop.finish(1);
  EXPECT_EQ(loop.state.timeline.selected, kNoOperation);
}

// A run that was asked for while the engine died may fail when the next one is on its way already.
TEST(State, LiveModeGoesOnWithTheNextEngineWhateverWasLostWithTheLast) {
  StateLoop loop;
  loop.up();
  loop.finish();
  loop.update(command::ToggleLive{});
  const std::uint64_t asked = loop.last_id;
  loop.event(session::session_event::EngineLost{"The engine was killed by signal 9 (Killed).", "", 0});
  loop.update(command::RestartEngine{});
  loop.event(
      session::session_event::RunFailed{asked, Error{ErrorKind::device_failed, "There is no engine to run it."}});
  EXPECT_TRUE(loop.state.running.live);
  EXPECT_FALSE(loop.state.status.error);
  loop.update(command::EditProgram{"stream A\n"});
  loop.checked();
  EXPECT_TRUE(loop.state.running.live) << "nor does what is typed meanwhile end it";
  const int before = loop.started;
  loop.up();
  EXPECT_EQ(loop.started, before + 1);
}

TEST(State, TheOldestRunsGoWhenMemoryIsShortAndTheWindowSaysSo) {
  StateLoop loop;
  loop.up();
  const auto large = testing::a_run("p", kSpansKept / 3 - 10'000);
  for (int i = 0; i < 4; ++i) {
    loop.update(command::RunNow{});
    loop.event(session::session_event::RunDone{loop.last_id, large});
  }
  EXPECT_EQ(loop.state.runs.all.size(), 3u);
  EXPECT_EQ(loop.state.runs.all.front()->number, 2u);
  EXPECT_THAT(loop.state.status.text, HasSubstr("3 runs are kept"));
}

// What a run takes besides its spans adds up over a day.
TEST(State, ManySmallRunsAreBoundedToo) {
  Runs runs;
  const auto small = testing::a_run("p");
  for (std::uint64_t number = 1; number <= 10'000; ++number) {
    auto run = std::make_shared<ShownRun>();
    run->number = number;
    run->run = small;
    keep(runs, run, nullptr);
  }
  EXPECT_LE(runs.all.size(), 5'000u);
  EXPECT_GE(runs.all.size(), 1'000u);
  EXPECT_EQ(runs.all.back()->number, 10'000u);
  EXPECT_LE(runs.changes.size(), runs.all.size());
}

TEST(Files, TheShippedOnesAreListedTheDefaultFirst) {
  const std::vector<experiment::Shipped> files = shipped_files();
  ASSERT_GE(files.size(), 7u);
  EXPECT_EQ(files.front().name, "four-streams");
  for (const experiment::Shipped& each : files) {
    const auto opened = open_file(each.path);
    ASSERT_TRUE(opened) << each.path;
    EXPECT_THAT(opened->content.about, ::testing::StartsWith(each.sentence)) << each.path;
  }
}

TEST(Files, AFileThatIsNotThereIsAnError) { EXPECT_FALSE(open_file("/nowhere/at/all.toml")); }

}  // namespace
}  // namespace streamscope::window
