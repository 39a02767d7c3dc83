// The runs kept, and two of them side by side.
#include "app/window/state/compared_runs.h"

#include <gmock/gmock.h>

#include "engine/experiment/experiment_file.h"
#include "engine/trace/packed_spans.h"
#include "tests/support/state_loop.h"

namespace streamscope::window {
namespace {

using ::testing::HasSubstr;
using ::testing::StartsWith;

class TwoRuns : public ::testing::Test {
 protected:
  TwoRuns() { loop.up(); }
  // A finished run of that text, its last span longer by so much; and the pair that is wanted then.
  void finish(Nanoseconds longer, std::size_t spans = 3) {
    auto run = std::make_shared<trace::Run>(*testing::a_run(loop.state.editing.program, spans));
    run->trace.spans.back().end += longer;
    if (loop.state.running.in_progress == 0) loop.update(command::RunNow{});
    loop.event(session::session_event::RunDone{loop.last_id, run});
  }
  // Stands for the background thread.
  void hold_together() {
    for (int i = 0; i < 3 && loop.state.comparison.asked; ++i)
      loop.update(command::PairPrepared{make_pair(*loop.state.comparison.asked)});
  }
  void two() {
    finish(0);
    finish(30);
    loop.update(command::CompareWith{1});
    hold_together();
  }
  State& state() { return loop.state; }
  testing::StateLoop loop;
};

TEST_F(TwoRuns, TheComparedRunIsPairedWithTheOneInView) {
  finish(0);
  EXPECT_FALSE(compared_run(state()).there());
  finish(30);
  const Effects effects = update(state(), command::CompareWith{1});
  ASSERT_TRUE(effects.pair) << "it is to be made";
  EXPECT_EQ(pair_in_view(state()), nullptr);
  EXPECT_TRUE(compared_run(state()).there()) << "the bars need not wait for it";
  EXPECT_FALSE(update(state(), command::SetView{std::nullopt}).pair) << "once is enough";
  loop.update(command::PairPrepared{make_pair(*effects.pair)});
  ASSERT_NE(pair_in_view(state()), nullptr);
  EXPECT_EQ(pair_in_view(state())->order.front(), 2u);
  EXPECT_EQ(compared_run(state()).name, "RUN 1");
  EXPECT_EQ(compared_run(state()).first_name, "RUN 2");
}

// A lesson takes the run out of view, and the one beside it is asked for.
TEST_F(TwoRuns, TheComparedRunAloneIsComparedWithNothing) {
  two();
  state().runs.shown.reset();
  loop.update(command::ShowRun{0});
  ASSERT_TRUE(state().runs.shown);
  EXPECT_EQ(state().runs.shown->number, 1u);
  EXPECT_FALSE(state().comparison.second);
}

TEST_F(TwoRuns, TheHeadSaysHowTheyWereMade) {
  experiment::Experiment a, b;
  b.host = program::HostMemory::pinned;
  a.host = program::HostMemory::pageable;
  trace::Run first = *testing::a_run("a"), second = *testing::a_run("b");
  first.experiment = experiment::toml_for_run(a);
  second.experiment = experiment::toml_for_run(b);
  EXPECT_EQ(differs_text(first, second), "A pageable → B pinned: Host memory");
  EXPECT_EQ(differs_text(first, first), "A and B were made alike");
}

TEST_F(TwoRuns, OneDragLeavesOneRow) {
  finish(0);
  experiment::Experiment wanted = state().editing.experiment;
  for (std::uint32_t streams = 5; streams < 9; ++streams) {
    wanted.streams = streams;
    loop.update(command::SetExperiment{wanted});
    finish(0);
  }
  ASSERT_EQ(state().runs.all.size(), 2u);
  EXPECT_EQ(state().runs.all.back()->setup->experiment.streams, 8u);
  loop.update(command::EndChange{});
  wanted.streams = 12;
  loop.update(command::SetExperiment{wanted});
  finish(0);
  EXPECT_EQ(state().runs.all.size(), 3u) << "another drag is another row";
  loop.update(command::UndoChange{});
  finish(0);
  EXPECT_EQ(state().runs.all.size(), 4u);
}

TEST_F(TwoRuns, LiveModeLeavesOneRowForEachSetting) {
  finish(0);
  loop.update(command::ToggleLive{});
  for (int i = 0; i < 5; ++i) {
    finish(i);
    loop.update(command::LiveDue{});
  }
  EXPECT_EQ(state().runs.all.size(), 2u);
  loop.update(command::RenameRun{state().runs.all.back()->number, "kept"});
  finish(0);
  EXPECT_EQ(state().runs.all.size(), 3u) << "one with a name stays";
  experiment::Experiment wanted = state().editing.experiment;
  wanted.streams = 9;
  loop.update(command::SetExperiment{wanted});
  finish(0);
  loop.update(command::LiveDue{});
  finish(0);
  EXPECT_EQ(state().runs.all.size(), 4u);
}

TEST_F(TwoRuns, ARunIsNotHeldAgainstItself) {
  finish(0);
  loop.update(command::CompareWith{1});
  EXPECT_EQ(state().comparison.second, nullptr);
  loop.update(command::CompareWith{77});
  EXPECT_EQ(state().comparison.second, nullptr);
}

TEST_F(TwoRuns, SelectingInEitherSelectsThePartner) {
  two();
  loop.update(command::Select{1});
  EXPECT_EQ(state().comparison.selected, 1u);
  loop.update(command::SelectCompared{2});
  EXPECT_EQ(state().timeline.selected, 2u);
  EXPECT_EQ(state().comparison.selected, 2u);
  loop.update(command::Select{kNoOperation});
  EXPECT_EQ(state().comparison.selected, kNoOperation);
}

TEST_F(TwoRuns, SwappedTheyChangePlacesWithTheirSelections) {
  two();
  loop.update(command::Select{1});
  loop.update(command::ShowRun{0});
  EXPECT_EQ(state().runs.shown->number, 1u);
  EXPECT_EQ(state().comparison.second->number, 2u);
  hold_together();
  ASSERT_NE(pair_in_view(state()), nullptr);
  EXPECT_EQ(pair_in_view(state())->first->number, 1u);
  EXPECT_EQ(state().timeline.selected, 1u);
  EXPECT_EQ(state().comparison.selected, 1u);
}

TEST_F(TwoRuns, ANewRunComesIntoViewAndTheComparedOneStays) {
  two();
  finish(60);
  EXPECT_EQ(state().runs.shown->number, 3u);
  ASSERT_TRUE(state().comparison.second);
  EXPECT_EQ(state().comparison.second->number, 1u);
  EXPECT_EQ(pair_in_view(state()), nullptr) << "of the runs before";
  hold_together();
  ASSERT_NE(pair_in_view(state()), nullptr);
  EXPECT_EQ(pair_in_view(state())->first->number, 3u);
}

TEST_F(TwoRuns, ClosingTheComparisonBringsTheViewBack) {
  finish(0);
  finish(30);
  const timeline::View before{1000, 2000};
  loop.update(command::SetView{before});
  loop.update(command::CompareWith{1});
  loop.update(command::SetView{timeline::View{5, 7000}});
  loop.update(command::CompareWith{kNoRun});
  EXPECT_EQ(state().timeline.view, before);
  EXPECT_FALSE(compared_run(state()).there());
  EXPECT_EQ(pair_in_view(state()), nullptr);
}

TEST_F(TwoRuns, AlignedBySelectionBothBeginAtOnePlace) {
  auto late = std::make_shared<trace::Run>(*testing::a_run(loop.state.editing.program));
  for (trace::Span& span : late->trace.spans) span.start += 40, span.end += 40;
  finish(0);
  loop.update(command::RunNow{});
  loop.event(session::session_event::RunDone{loop.last_id, late});
  loop.update(command::CompareWith{1});
  hold_together();
  EXPECT_EQ(offset_of(state()), 0) << "no host call is known";
  loop.update(command::Align{Alignment::first_work});
  EXPECT_EQ(offset_of(state()), 40);
  loop.update(command::Align{Alignment::selection});
  EXPECT_EQ(offset_of(state()), 0) << "nothing is selected";
  loop.update(command::Select{1});
  EXPECT_EQ(offset_of(state()), 40);
  EXPECT_EQ(compared_run(state()).offset, 40);
}

TEST_F(TwoRuns, TheOrderFollowsWhatItIsSortedBy) {
  two();
  EXPECT_EQ(pair_in_view(state())->order.front(), 2u);
  const auto paired = pair_in_view(state())->paired;
  loop.update(command::SortDifferences{analysis::WorstBy::program});
  hold_together();
  EXPECT_EQ(pair_in_view(state())->order, (std::vector<std::uint32_t>{0, 1, 2}));
  EXPECT_EQ(pair_in_view(state())->paired, paired) << "who belongs to whom is not asked again";
}

TEST_F(TwoRuns, EachRunTellsWhatWasChangedForIt) {
  finish(0);
  experiment::Experiment other = state().editing.experiment;
  other.streams = 8;
  loop.update(command::SetExperiment{other});
  finish(0);
  EXPECT_THAT(state().runs.changes[2], HasSubstr("program line"));  // the run's own text; the experiment is not in it
  EXPECT_EQ(state().runs.changes.count(1), 0u);
}

TEST_F(TwoRuns, ANameStaysWithItsRunUntilItIsTakenBack) {
  finish(0);
  loop.update(command::BeginRename{1});
  EXPECT_EQ(state().runs.renaming, 1u);
  EXPECT_EQ(state().workspace.dock, command::Dock::compare);
  loop.update(command::RenameRun{1, "baseline"});
  EXPECT_EQ(state().runs.renaming, kNoRun);
  EXPECT_EQ(run_name(state().runs, *state().runs.shown), "baseline");
  loop.update(command::RenameRun{1, ""});
  EXPECT_EQ(run_name(state().runs, *state().runs.shown), state().runs.shown->label);
  loop.update(command::BeginRename{5});
  EXPECT_EQ(state().runs.renaming, kNoRun);
}

TEST_F(TwoRuns, TheOldestRunsGoButNotThoseNamedOrInView) {
  finish(0);  // 1
  finish(0);  // 2
  loop.update(command::RenameRun{1, "baseline"});
  loop.update(command::CompareWith{1});
  finish(0);  // 3
  ASSERT_EQ(state().runs.all.size(), 3u);
  state().runs.spans_kept = kSpansKept - 1;  // as if all of them were large
  finish(0);                                 // 4
  const auto left = [&] {
    std::vector<std::uint64_t> numbers;
    for (const auto& run : state().runs.all) numbers.push_back(run->number);
    return numbers;
  };
  EXPECT_EQ(left(), (std::vector<std::uint64_t>{1, 3, 4}));
  EXPECT_EQ(state().runs.changes.count(2), 0u);
  EXPECT_THAT(state().status.text, HasSubstr("kept"));
  loop.update(command::RenameRun{1, ""});
  state().runs.spans_kept = kSpansKept - 1;
  finish(0);  // 5: the first is still compared
  EXPECT_EQ(left(), (std::vector<std::uint64_t>{1, 4, 5}));
  loop.update(command::CompareWith{kNoRun});
  state().runs.spans_kept = kSpansKept - 1;
  finish(0);
  EXPECT_EQ(left(), (std::vector<std::uint64_t>{4, 5, 6}));
}

TEST_F(TwoRuns, TheDifferencesAreCopiedAsATable) {
  loop.update(command::CopyDifferences{});
  EXPECT_THAT(state().status.text, HasSubstr("second run"));
  two();
  const Effects effects = update(state(), command::CopyDifferences{});
  ASSERT_TRUE(effects.copy);
  const std::string csv = differences_csv(*effects.copy);
  EXPECT_THAT(csv, StartsWith("operation,line,name,kind,stream,run 2 start ns"));
  EXPECT_THAT(csv, HasSubstr("\n2,0,\"H2D\",h2d,\"A\",200,80,2,200,50,-30,0,"));
  EXPECT_EQ(std::count(csv.begin(), csv.end(), '\n'), 4);
}

}  // namespace
}  // namespace streamscope::window
