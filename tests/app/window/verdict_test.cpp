// The verdict on the run in view: when it is asked for, what is kept of it, and trying what it offers.
#include <gmock/gmock.h>

#include <numeric>
#include <set>

#include "app/window/state/operation_verdict.h"
#include "app/window/state/run_verdicts.h"
#include "app/window/state/verdict_words.h"
#include "engine/experiment/experiment_file.h"
#include "engine/program/read_program.h"
#include "tests/support/open_device.h"
#include "tests/support/state_loop.h"

namespace streamscope::window {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using testing::StateLoop;

// A run of that text on a model.
std::shared_ptr<const trace::Run> simulated(const std::string& text, const std::string& experiment = {}) {
  auto device = tests::open_device("model:h200");
  const auto read = program::read_program(text, "test");
  EXPECT_TRUE(device && read);
  auto loaded = (*device)->load(read->program, {});
  auto pass = (*loaded)->run(device::Instrument::full, {});
  auto run = std::make_shared<trace::Run>();
  run->program = text;
  run->experiment = experiment;
  run->trace = (*loaded)->frame();
  run->trace.spans = std::move(pass->spans);
  return run;
}

std::shared_ptr<const ShownRun> shown(std::shared_ptr<const trace::Run> run) {
  return prepare({.id = 1, .number = 1, .started = {}, .run = std::move(run)});
}

constexpr const char* kRace =
    "buffer a 16MiB host=pinned\nstream A nonblocking\nstream B nonblocking\n"
    "A: h2d a\nB: axpb a fma=2000\nhost: sync device\n";

// An engine is up; what it has run comes back as the model would run it.
struct VerdictLoop : StateLoop {
  VerdictLoop() { up(); }
  void finish_simulated() {
    event(session::session_event::RunDone{last_id, simulated(state.editing.program, request_sent.experiment)});
  }
  // Of pageable memory, judged.
  void pageable() {
    experiment::Experiment experiment = state.editing.experiment;
    experiment.host = program::HostMemory::pageable;
    update(command::SetExperiment{experiment});
    finish_simulated();
    judge();
  }
  void type_and_run(const std::string& text) {
    update(command::EditProgram{text});
    update(command::RunNow{});
    checked();
    finish_simulated();
    judge();
  }
  const remedy::Help& help() const { return *verdict_in_view(state)->explained->verdict.entries.front().help; }
};

TEST(Verdict, IsAskedOnceForTheRunInViewAndKept) {
  VerdictLoop loop;
  EXPECT_FALSE(loop.verdict_wanted) << "there is no run yet";
  loop.finish_simulated();
  ASSERT_TRUE(loop.verdict_wanted);
  EXPECT_EQ(loop.verdict_wanted->run, loop.state.runs.shown->run);
  EXPECT_EQ(verdict_stands(loop.state), "looking for why…");
  EXPECT_FALSE(update(loop.state, command::SetView{std::nullopt}).verdict) << "once is enough";
  loop.judge();
  ASSERT_TRUE(has_entries(verdict_in_view(loop.state).get()));
  EXPECT_EQ(verdict_stands(loop.state), "");
  loop.update(command::SetView{std::nullopt});
  EXPECT_FALSE(loop.verdict_wanted);
}

TEST(Verdict, IsGivenUpForARunAndAskedForAnewBehindIt) {
  VerdictLoop loop;
  loop.finish_simulated();
  loop.update(command::RunNow{});
  EXPECT_FALSE(loop.verdict_wanted) << "it would disturb the run";
  loop.finish_simulated();
  ASSERT_TRUE(loop.verdict_wanted);
  EXPECT_EQ(loop.verdict_wanted->number, 2u);
  loop.judge();
  loop.update(command::ShowRun{0});
  ASSERT_TRUE(loop.verdict_wanted) << "the first one was given up";
  EXPECT_EQ(loop.verdict_wanted->number, 1u);
  loop.judge();
  loop.update(command::ShowRun{1});
  EXPECT_FALSE(loop.verdict_wanted) << "it is kept";
  EXPECT_EQ(verdict_in_view(loop.state)->number, 2u);
}

TEST(Verdict, IsNotMadeInLiveModeButBehindIt) {
  VerdictLoop loop;
  loop.update(command::ToggleLive{});
  for (int i = 0; i < 3; ++i) {
    loop.finish_simulated();
    EXPECT_FALSE(loop.verdict_wanted);
    loop.update(command::LiveDue{});
  }
  EXPECT_THAT(verdict_stands(loop.state), HasSubstr("live mode"));
  loop.update(command::ToggleLive{});
  loop.finish_simulated();
  ASSERT_TRUE(loop.verdict_wanted);
  EXPECT_EQ(loop.verdict_wanted->number, 4u);
}

TEST(Verdict, IsMadeOfATraceOfAnotherToolWithoutChanges) {
  StateLoop loop;
  loop.update(command::TraceOpened{"their.json", "their.json", testing::a_run(""), std::nullopt});
  loop.judge();
  const auto verdict = verdict_in_view(loop.state);
  ASSERT_TRUE(has_entries(verdict.get()));
  for (const remedy::Entry& each : verdict->explained->verdict.entries) EXPECT_FALSE(each.help);
  EXPECT_THAT(verdict->by_line, IsEmpty());
}

TEST(Verdict, SaysWhyThereIsNone) {
  StateLoop loop;
  loop.update(command::TraceOpened{"saved.json", "saved.json", testing::a_run("no program"), std::nullopt});
  loop.judge();
  EXPECT_FALSE(has_entries(verdict_in_view(loop.state).get()));
  EXPECT_THAT(verdict_stands(loop.state), HasSubstr("the run's program"));
  EXPECT_FALSE(loop.verdict_wanted) << "and is not asked again and again";
}

TEST(Verdict, OfARunThatIsKeptNoMoreIsDropped) {
  VerdictLoop loop;
  loop.finish_simulated();
  auto other = std::make_shared<RunVerdict>();
  other->number = 77;
  other->run = testing::a_run("");
  loop.update(command::VerdictFound{other});
  EXPECT_THAT(loop.state.verdicts.found, IsEmpty());
}

// The default stream's trap: B's first kernel is issued at once and held back by the default stream's, which the trace
// itself says nothing of.
TEST(Verdict, ItsWaitsAreOnTheTimelineOfTheRunInView) {
  VerdictLoop loop;
  loop.update(command::EditProgram{"stream A\nstream B\nA: spin 300us\ndefault: spin 300us\nB: spin 300us\n"});
  loop.checked();
  loop.update(command::RunNow{});
  loop.checked();
  loop.finish_simulated();
  const auto held = [&] {
    Nanoseconds sum = 0;
    for (const timeline::WaitPiece& each : timeline::pieces_of(loop.state.runs.shown->tracks.waits, 2))
      if (each.cause == verdict::WaitCause::legacy && each.queued) sum += each.to - each.from;
    return sum;
  };
  EXPECT_EQ(held(), 0);
  loop.judge();
  EXPECT_GT(held(), 500'000);
  EXPECT_EQ(loop.state.runs.shown, loop.state.runs.all.back()) << "it is the same run";
  EXPECT_FALSE(loop.verdict_wanted);
}

TEST(Verdict, SharesOfTheCriticalPathAreWhole) {
  const auto run = simulated(StateLoop().state.editing.program);
  const auto verdict = make_verdict(shown(run), {});
  ASSERT_TRUE(has_entries(verdict.get()));
  const auto sum = [](const std::vector<PathPart>& shares) {
    return std::accumulate(shares.begin(), shares.end(), Nanoseconds{0},
                           [](Nanoseconds so_far, const PathPart& each) { return so_far + each.time; });
  };
  EXPECT_EQ(sum(verdict->by_kind), verdict->explained->judgement->makespan);
  EXPECT_EQ(sum(verdict->by_line), verdict->explained->judgement->makespan);
  EXPECT_TRUE(std::ranges::is_sorted(verdict->by_line, std::greater{}, &PathPart::time));
  EXPECT_THAT(verdict->by_line.front().what, HasSubstr("S{i%4}: "));
  // What binds can be shown.
  EXPECT_THAT(verdict->bound, HasSubstr(verdict->binding));
  EXPECT_THAT(verdict->of_binding, ::testing::Not(IsEmpty()));
}

TEST(Verdict, SlicesFillTheTimeFromIssueToStart) {
  const auto run = simulated(StateLoop().state.editing.program);
  const auto verdict = make_verdict(shown(run), {});
  std::size_t some = 0;
  Nanoseconds waited = 0, summed = 0;
  for (const trace::Span& span : run->trace.spans) {
    const std::vector<verdict::Slice> slices = slices_of(*verdict, span.operation);
    for (const verdict::Slice& each : slices) waited += each.to - each.from;
    if (slices.empty()) continue;
    ++some;
    EXPECT_EQ(slices.back().to, span.start);
  }
  EXPECT_GT(some, 10u);
  for (const WaitTotal& each : verdict->waits) summed += each.time;
  EXPECT_EQ(summed, waited);
  EXPECT_THAT(slices_of(*verdict, kNoOperation), IsEmpty());
}

TEST(Verdict, OfAnOperationSaysWhatHeldSlowedAndHeldItsCall) {
  VerdictLoop loop;
  loop.pageable();
  const auto sum = [](const std::vector<Charge>& charges) {
    return std::accumulate(charges.begin(), charges.end(), Nanoseconds{0},
                           [](Nanoseconds so_far, const Charge& each) { return so_far + each.time; });
  };
  const auto verdict = verdict_in_view(loop.state);
  const std::vector<trace::Span>& spans = loop.state.runs.shown->run->trace.spans;
  ASSERT_EQ(spans[3].kind, OperationKind::h2d);
  const OperationVerdict copy = operation_verdict(*verdict, 3);
  EXPECT_EQ(sum(copy.called), spans[3].host_end - spans[3].host_begin);
  EXPECT_TRUE(std::ranges::any_of(copy.called, [](const Charge& each) {
    return each.what == in_words(verdict::CallCause::staging);
  })) << "it is pageable";
  ASSERT_EQ(spans[1].kind, OperationKind::kernel);
  const OperationVerdict kernel = operation_verdict(*verdict, 1);
  EXPECT_THAT(kernel.called, IsEmpty()) << "its call takes what a launch takes";
  EXPECT_THAT(kernel.slowed, IsEmpty()) << "nothing is beside it";
  EXPECT_TRUE(known(kernel.slack));
  // With copies both ways at a time there is something that slows.
  loop.update(command::TryChange{loop.help()});
  loop.finish_simulated();
  loop.judge();
  const auto pinned = verdict_in_view(loop.state);
  Nanoseconds waited = 0;
  bool slowed = false;
  for (const trace::Span& each : loop.state.runs.shown->run->trace.spans) {
    const OperationVerdict of = operation_verdict(*pinned, each.operation);
    waited += sum(of.waited);
    if (of.slowed.empty()) continue;
    slowed = true;
    EXPECT_EQ(sum(of.slowed), each.end - each.start);
  }
  EXPECT_GT(waited, 0);
  EXPECT_TRUE(slowed);
  EXPECT_THAT(operation_verdict(*pinned, kNoOperation).waited, IsEmpty());
}

TEST(Verdict, ATriedChangeSetsTheControlsRunsAndStandsBesideWhatItPromised) {
  VerdictLoop loop;
  loop.pageable();
  const std::uint64_t before = loop.state.runs.shown->number;
  const remedy::Help help = loop.help();
  EXPECT_EQ(help.change, "pinned host memory");
  loop.update(command::TryChange{help});
  EXPECT_EQ(loop.state.editing.experiment.host, program::HostMemory::pinned);
  EXPECT_FALSE(loop.state.editing.edited) << "the controls still apply";
  EXPECT_EQ(loop.last.purpose, RunFor::figures);
  const Trial* trial = trial_with(loop.state, before, help);
  ASSERT_NE(trial, nullptr);
  EXPECT_TRUE(under_way(loop.state, *trial));
  EXPECT_THAT(trial_text(loop.state, *trial), HasSubstr(", running…"));
  loop.finish_simulated();
  const std::uint64_t after = loop.state.runs.shown->number;
  trial = trial_of(loop.state, after);
  ASSERT_NE(trial, nullptr);
  EXPECT_EQ(trial->before, before);
  EXPECT_EQ(trial->help.measured, loop.state.runs.shown->analysis.makespan);
  EXPECT_EQ(trial->help.measured, help.predicted) << "a model keeps its word";
  EXPECT_EQ(trial_text(loop.state, *trial), "predicted 6.292 ms, simulated 6.292 ms");
  EXPECT_EQ(trial_of(loop.state, before), nullptr);
  EXPECT_EQ(loop.state.runs.all.size(), 2u) << "the run before is kept";
}

TEST(Verdict, AMeasurementStandsBesideAPredictionWithItsRange) {
  VerdictLoop loop;
  loop.finish_simulated();
  auto run = std::make_shared<trace::Run>(*loop.state.runs.shown->run);
  run->trace.provenance.kind = trace::Provenance::Kind::measured;
  run->program += "# other";
  run->makespan = trace::Statistic{6'310'000, 6'300'000, 6'330'000};
  Trial trial;
  trial.before = 1;
  trial.program = run->program;
  trial.help.predicted = 6'280'000;
  trial.help.low = 6'100'000;
  trial.help.high = 6'400'000;
  EXPECT_EQ(trial_text(loop.state, trial), "predicted 6.28 ms (6.1 ms to 6.4 ms)");
  loop.state.verdicts.trials.push_back(trial);
  loop.update(command::RunNow{});
  loop.event(session::session_event::RunDone{loop.last_id, run});
  ASSERT_NE(trial_of(loop.state, 2), nullptr);
  EXPECT_EQ(trial_text(loop.state, *trial_of(loop.state, 2)), "predicted 6.28 ms (6.1 ms to 6.4 ms), measured 6.31 ms");
}

TEST(Verdict, AChangeIsTakenBackUnlessSomethingWasChangedSince) {
  VerdictLoop loop;
  loop.pageable();
  loop.update(command::TryChange{loop.help()});
  loop.finish_simulated();
  const std::uint64_t after = loop.state.runs.shown->number;
  ASSERT_TRUE(can_take_back(loop.state, *trial_of(loop.state, after)));
  experiment::Experiment other = loop.state.editing.experiment;
  other.streams = 3;
  loop.update(command::SetExperiment{other});
  EXPECT_FALSE(can_take_back(loop.state, *trial_of(loop.state, after)));
  loop.update(command::TakeBack{});
  EXPECT_EQ(loop.state.editing.experiment.streams, 3u) << "nothing that was set is lost";
  other.streams = 4;
  loop.update(command::SetExperiment{other});
  loop.update(command::TakeBack{});
  EXPECT_EQ(loop.state.editing.experiment.host, program::HostMemory::pageable);
  EXPECT_THAT(loop.state.editing.program, HasSubstr("host=pageable"));
  EXPECT_FALSE(can_take_back(loop.state, *trial_of(loop.state, after))) << "once";
}

TEST(Verdict, AChangeOfATextIsTypedAndCheckedFirst) {
  VerdictLoop loop;
  loop.type_and_run(kRace);
  const remedy::Entry& first = verdict_in_view(loop.state)->explained->verdict.entries.front();
  ASSERT_EQ(first.cause, verdict::Cause::hazard);
  ASSERT_TRUE(first.help);
  const int started = loop.started;
  loop.update(command::TryChange{*first.help});
  EXPECT_TRUE(loop.state.editing.edited);
  EXPECT_EQ(loop.state.editing.program, first.help->changed.program);
  EXPECT_EQ(loop.state.editing.replaced, kRace);
  EXPECT_EQ(loop.started, started);
  loop.checked();
  EXPECT_EQ(loop.started, started + 1);
  loop.finish_simulated();
  EXPECT_NE(trial_of(loop.state, loop.state.runs.shown->number), nullptr);
  loop.update(command::TakeBack{});
  EXPECT_EQ(loop.state.editing.program, kRace);
}

TEST(Verdict, NothingIsTriedOfARunWithoutOne) {
  VerdictLoop loop;
  loop.finish_simulated();
  const std::string text = loop.state.editing.program;
  remedy::Help other;
  other.changed.program = kRace;
  loop.update(command::TryChange{other});
  EXPECT_EQ(loop.state.editing.program, text);
  EXPECT_THAT(loop.state.verdicts.trials, IsEmpty());
}

TEST(Verdict, AMissingOrderIsNamedAndItsAccessesAreLitOnce) {
  VerdictLoop loop;
  loop.type_and_run(kRace);
  const auto verdict = verdict_in_view(loop.state);
  ASSERT_TRUE(verdict->missing_order);
  EXPECT_EQ(verdict->missing_order->text,
            "A: H2D #0, line 4, and B: axpb #1, line 5, touch the same bytes of a on the device, and at least one "
            "writes them. Nothing makes line 5 wait for line 4.");
  ASSERT_TRUE(loop.state.verdicts.lit);
  EXPECT_THAT(loop.state.verdicts.lit->operations, ElementsAre(0, 1));
  loop.update(command::LightUp{});
  EXPECT_FALSE(loop.state.verdicts.lit);
  loop.update(command::RunNow{});
  loop.finish_simulated();
  loop.judge();
  EXPECT_FALSE(loop.state.verdicts.lit) << "it was seen";
}

TEST(Verdict, AMissingOrderOfALineWithItselfNamesTheLineOnce) {
  VerdictLoop loop;
  loop.type_and_run(
      "buffer x 1MiB\nstreams S 2 nonblocking\nrepeat 2 as i {\n  S{i}: axpb x fma=10\n}\nhost: sync device\n");
  const auto verdict = verdict_in_view(loop.state);
  ASSERT_TRUE(verdict->missing_order);
  EXPECT_EQ(
      verdict->missing_order->text,
      "Line 4, carried out as S0: axpb #0 and again as S1: axpb #1, touches the same bytes of x on the device both "
      "times, and at least once it writes them. Nothing makes the second time wait for the first.");
}

TEST(Verdict, WhatIsLitIsBrightOnTheTimelineUntilAnotherProgramIsInView) {
  VerdictLoop loop;
  loop.pageable();
  loop.update(command::LightUp{{4, 1}});
  EXPECT_EQ(loop.state.timeline.selected, 4u) << "the first that was named";
  const auto due = lighting_due(loop.state);
  ASSERT_TRUE(due);
  EXPECT_EQ(highlight_in_view(loop.state), nullptr) << "not known yet";
  loop.update(lighted(*due));
  EXPECT_FALSE(lighting_due(loop.state));
  std::set<std::uint32_t> bright;
  for (const auto& [key, lanes] : highlight_in_view(loop.state)->tracks)
    if (key.kind == timeline::TrackKind::engine)
      for (const timeline::Lane& lane : lanes.executing) bright.insert(lane.span.begin(), lane.span.end());
  EXPECT_THAT(bright, ElementsAre(1, 4));
  loop.update(command::RunNow{});
  loop.finish_simulated();
  EXPECT_TRUE(lighting_due(loop.state)) << "the same of the new run";
  EXPECT_EQ(highlight_in_view(loop.state), nullptr) << "what was lit of the run before says nothing of this one";
  loop.type_and_run(kRace);
  EXPECT_THAT(loop.state.verdicts.lit->operations, ElementsAre(0, 1)) << "the missing order's";
}

TEST(Verdict, WhatItKnowsOfTheTimelineGoesIntoPicturesToo) {
  VerdictLoop loop;
  loop.finish_simulated();
  loop.update(command::ShowPath{PathShown::alone});
  loop.update(command::ShowRulers{true});
  draw::FigureOptions options;
  draw_verdict_in(options, loop.state);
  EXPECT_EQ(options.judgement, nullptr) << "not known yet";
  EXPECT_FALSE(options.path);
  loop.judge();
  draw_verdict_in(options, loop.state);
  EXPECT_NE(options.judgement, nullptr);
  EXPECT_TRUE(options.path && options.pale_off_path && options.rulers);
  loop.update(command::ShowPath{PathShown::line});
  const Effects effects = update(loop.state, command::ExportPng{});
  ASSERT_TRUE(effects.exported);
  const draw::FigureOptions& asked = std::get<PictureOfRun>(effects.exported->what).request.options;
  EXPECT_TRUE(asked.path);
  EXPECT_FALSE(asked.pale_off_path);
  EXPECT_GT(verdict_in_view(loop.state)->marks->path.size(), 1u);
}

TEST(Verdict, ARangeIsReadAnewOnceItIsKnownAndItsWaitsAreThoseWithin) {
  VerdictLoop loop;
  loop.finish_simulated();
  const Nanoseconds half = loop.state.runs.shown->analysis.makespan / 2;
  loop.update(command::SetRange{trace::Interval{0, half}});
  loop.update(command::RangeRead{std::make_shared<const RangeReading>(read(*range_due(loop.state)))});
  EXPECT_THAT(loop.state.readings.range->waits, IsEmpty());
  loop.judge();
  ASSERT_TRUE(range_due(loop.state));
  loop.update(command::RangeRead{std::make_shared<const RangeReading>(read(*range_due(loop.state)))});
  EXPECT_FALSE(range_due(loop.state));
  const auto& within = loop.state.readings.range->waits;
  const auto& whole = verdict_in_view(loop.state)->waits;
  ASSERT_THAT(within, ::testing::Not(IsEmpty()));
  const auto behind = wait_totals(*verdict_in_view(loop.state), {half, half * 4});
  const auto time = [](const std::vector<WaitTotal>& of, verdict::WaitCause cause) {
    const auto found = std::ranges::find(of, cause, &WaitTotal::cause);
    return found == of.end() ? 0 : found->time;
  };
  for (const WaitTotal& each : whole)
    EXPECT_EQ(time(within, each.cause) + time(behind, each.cause), each.time) << name_of(each.cause);
  EXPECT_LT(within.front().time, whole.front().time);
}

TEST(Verdict, ALineIsShownInTheEditor) {
  StateLoop loop;
  loop.update(command::ShowDock{command::Dock::waits});
  loop.update(command::ShowLine{7});
  EXPECT_EQ(loop.state.workspace.show_line, 7u);
  EXPECT_EQ(loop.state.workspace.dock, command::Dock::program);
  loop.update(command::LineShown{});
  EXPECT_EQ(loop.state.workspace.show_line, 0u);
}

template <class Enumeration>
void expect_words_for_all() {
  std::set<std::string> words;
  for (std::size_t i = 0; i < kNames<Enumeration>.size(); ++i) words.insert(in_words(static_cast<Enumeration>(i)));
  EXPECT_EQ(words.size(), kNames<Enumeration>.size());
  EXPECT_FALSE(words.contains(""));
}

TEST(Verdict, HasItsOwnWordsForAllThatItNames) {
  expect_words_for_all<verdict::Cause>();
  expect_words_for_all<verdict::IdleCause>();
  expect_words_for_all<verdict::WaitCause>();
  expect_words_for_all<verdict::SlowCause>();
  expect_words_for_all<verdict::CallCause>();
}

}  // namespace
}  // namespace streamscope::window
