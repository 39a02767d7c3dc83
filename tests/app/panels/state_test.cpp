// What the window does, without a window: commands and the session's events applied to the state.
#include "app/panels/state.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "app/panels/files.h"

namespace streamscope {
namespace {

using testing::HasSubstr;

// Two spans of one stream, then the host's wait.
std::shared_ptr<const Run> a_run(const std::string& program, std::size_t spans = 3) {
  auto run = std::make_shared<Run>();
  run->program = program;
  run->trace.streams = {{"default", false, 0}, {"per-thread", false, 0}, {"A", true, 0}};
  run->trace.threads = {"main"};
  run->trace.names = {"H2D"};
  for (std::size_t i = 0; i < spans; ++i) {
    Span span;
    span.operation = static_cast<OperationIndex>(i);
    span.stream = 2;
    span.kind = OperationKind::h2d;
    span.engine = Engine::h2d;
    span.start = static_cast<Nanoseconds>(i) * 100;
    span.end = span.start + 50;
    run->trace.spans.push_back(span);
  }
  return run;
}

// Stands for the window's loop: carries the wish for a run out and remembers it.
struct Desk {
  State state = first_state({.name = "four-streams", .content = {}});
  std::uint64_t last_id = 0;
  int started = 0;
  bool last_quick = false;
  std::vector<std::string> programs;

  template <class C>
  void apply(C change) {
    streamscope::apply(state, change);
    carry_out();
  }
  void event(SessionEvent what) {
    streamscope::apply(state, what);
    carry_out();
  }
  void carry_out() {
    const State::Wants wants = std::exchange(state.wants, {});
    if (wants.check) {
      Parsed parsed = parse(state.program);
      pending_check = command::ProgramChecked{state.version, parsed.diagnostics};
    }
    if (wants.run && state.engine == EngineStatus::up) {
      ++started;
      last_quick = wants.quick;
      programs.push_back(request(state, wants.quick).program);
      state.in_progress = ++last_id;
      state.started[last_id] = {.label = label(state), .asked = wants.asked, .begun = host_now(), .quick = wants.quick};
      state.last_start = host_now();
    }
    stopped |= wants.stop;
    restarted |= wants.restart;
    for (const Finished& each : wants.prepare)
      prepared.push_back(prepare(each.run, each.number, each.id, each.started.label, each.started.asked));
    for (auto& each : std::exchange(prepared, {})) streamscope::apply(state, command::RunPrepared{each});
  }
  void checked() {
    if (pending_check) apply(*std::exchange(pending_check, std::nullopt));
  }
  void up() { event(session_event::EngineUp{"streamscope 0.1.0", {}}); }
  void finish(std::size_t spans = 3) { event(session_event::RunDone{last_id, a_run(state.program, spans)}); }

  std::optional<command::ProgramChecked> pending_check;
  std::vector<std::shared_ptr<const ShownRun>> prepared;
  bool stopped = false, restarted = false;
};

TEST(State, TheFirstRunStartsByItselfAndOnlyOnce) {
  Desk desk;
  EXPECT_EQ(desk.started, 0);
  desk.up();
  EXPECT_EQ(desk.started, 1);
  EXPECT_FALSE(desk.last_quick);
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
  Experiment changed = desk.state.experiment;
  changed.streams = 7;
  desk.apply(command::SetExperiment{changed});
  EXPECT_EQ(desk.started, 2);
  EXPECT_TRUE(desk.last_quick);
  EXPECT_THAT(desk.programs.back(), HasSubstr("streams S 7"));
  EXPECT_EQ(desk.state.program, build(changed));
}

TEST(State, AChangeDoesNotRunByItselfWhereRunsAreLong) {
  Desk desk;
  desk.up();
  desk.finish();
  desk.state.quick_took = kQuickEnough;
  Experiment changed = desk.state.experiment;
  changed.streams = 7;
  desk.apply(command::SetExperiment{changed});
  EXPECT_EQ(desk.started, 1);
  EXPECT_EQ(desk.state.program, build(changed));
}

TEST(State, SettingsThatCannotBeBuiltSayWhyAndKeepTheText) {
  Desk desk;
  desk.up();
  desk.finish();
  const std::string before = desk.state.program;
  Experiment broken = desk.state.experiment;
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
  EXPECT_EQ(desk.state.program, build(desk.state.experiment));
}

TEST(State, LiveAsksForTheNextRunAfterThePeriodAndStopEndsIt) {
  Desk desk;
  desk.up();
  desk.finish();
  desk.apply(command::ToggleLive{});
  EXPECT_EQ(desk.started, 2);
  EXPECT_TRUE(desk.last_quick);
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
  desk.event(session_event::EngineLost{"The engine was killed by signal 9 (Killed).", "last words", desk.last_id});
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
  desk.event(session_event::RunFailed{desk.last_id, {ErrorKind::device_failed, "cudaErrorIllegalAddress in line 3"}});
  EXPECT_FALSE(desk.state.live);
  session_event::EngineLost lost;
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
  session_event::EngineLost lost;
  lost.why = "The engine was killed by signal 9 (Killed).";
  desk.event(lost);
  const std::string said = desk.state.said;
  desk.event(session_event::RunFailed{desk.last_id, {ErrorKind::no_device, "There is no engine."}});
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
  desk.event(session_event::RunFailed{desk.last_id, {ErrorKind::cancelled, "stopped"}});
  EXPECT_FALSE(desk.state.said_error);
  EXPECT_FALSE(desk.restarted);
}

TEST(State, TheViewAPersonChoseStaysFromRunToRun) {
  Desk desk;
  desk.up();
  desk.finish();
  desk.apply(command::SetView{View{.origin = 5, .scale = 77}});
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
  const auto large = a_run("p", kSpansKept / 3);
  for (int i = 0; i < 4; ++i) {
    desk.apply(command::RunNow{});
    desk.event(session_event::RunDone{desk.last_id, large});
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
}  // namespace streamscope
