// When the window asks for a second opinion on a run, and what its row says before, meanwhile and after.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "app/window/state/referee_row.h"
#include "app/window/state/run_requests.h"
#include "tests/support/state_loop.h"

namespace streamscope::window {
namespace {

using ::testing::HasSubstr;
using testing::StateLoop;

std::string says(const StateLoop& loop) { return referee_row(loop.state).says; }

// The three spans of a StateLoop's run take 50 ns each.
referee::Opinion opinion(Nanoseconds first) { return {3, "CUPTI", {first, 50, 50}, {first, 50, 50}, {first, 50, 50}}; }

session::session_event::RunJudged judged(const StateLoop& loop, referee::Opinion what) {
  return {loop.last_id, std::make_shared<const referee::Opinion>(std::move(what))};
}

// A measured run in view, whose referee has been asked.
struct AskedLoop : StateLoop {
  AskedLoop() {
    up_with_gpu();
    finish_measured();
    update(command::RefereeDue{});
  }
};

TEST(RefereeRow, WaitsRunsAndAgrees) {
  StateLoop loop;
  EXPECT_EQ(says(loop), "") << "there is no run yet";
  loop.up_with_gpu();
  loop.finish_measured();
  EXPECT_EQ(says(loop), "waits for the controls to rest");
  loop.update(command::RefereeDue{});
  EXPECT_TRUE(loop.request_sent.referee);
  EXPECT_EQ(says(loop), "running");
  const auto before = loop.state.runs.shown;
  loop.event(judged(loop, opinion(50)));
  EXPECT_EQ(says(loop), "agrees with 3 bars");
  EXPECT_FALSE(referee_row(loop.state).contradicts);
  EXPECT_THAT(referee_row(loop.state).meaning, HasSubstr("CUPTI's records of 3 other passes"));
  EXPECT_EQ(loop.state.runs.shown->number, before->number);
  EXPECT_EQ(loop.state.runs.all.size(), 1u);
}

TEST(RefereeRow, CountsWhatIsContradictedAndTheBarSaysSo) {
  AskedLoop loop;
  loop.event(judged(loop, opinion(50'000)));
  EXPECT_EQ(says(loop), "contradicts 1 of 3: its doubt is widened");
  EXPECT_TRUE(referee_row(loop.state).contradicts);
  EXPECT_EQ(loop.state.runs.shown->run->trace.spans[0].source, trace::Source::referee);
}

TEST(RefereeRow, SaysWhyThereIsNone) {
  AskedLoop loop;
  loop.event(session::session_event::RunFailed{loop.last_id, {ErrorKind::bad_input, "CUPTI was not found.", {}}});
  EXPECT_EQ(says(loop), "none: CUPTI was not found.");
  EXPECT_FALSE(loop.state.status.error);
}

TEST(RefereeRow, AChangeGivesItUpAndTheNextRunWaitsAnew) {
  AskedLoop loop;
  const std::uint64_t asked = loop.last_id;
  experiment::Experiment changed = loop.state.editing.experiment;
  changed.streams = 7;
  loop.update(command::SetExperiment{changed});
  EXPECT_TRUE(loop.stopped);
  loop.event(session::session_event::RunFailed{asked, {ErrorKind::cancelled, "stopped", {}}});
  EXPECT_EQ(says(loop), "not asked: run again, and let the controls rest") << "still the run before";
  loop.finish_measured();
  EXPECT_EQ(says(loop), "waits for the controls to rest");
  loop.update(command::ShowRun{0});
  EXPECT_EQ(says(loop), "not asked: run again, and let the controls rest") << "it is the newest that waits";
}

TEST(RefereeRow, StoppedItIsNotAskedAgain) {
  AskedLoop loop;
  loop.update(command::Stop{});
  loop.event(session::session_event::RunFailed{loop.last_id, {ErrorKind::cancelled, "stopped", {}}});
  EXPECT_EQ(says(loop), "not asked: run again, and let the controls rest");
  EXPECT_FALSE(known(loop.state.running.referee_due));
}

// Its one pass had a process of its own: asked again, that process would be lost again for the sake of an opinion.
TEST(RefereeRow, AProgramThatTakesItsProcessAlongIsNotRunAgainByItself) {
  StateLoop loop;
  loop.up_with_gpu();
  loop.finish_measured();
  loop.state.settings.quick_took = 1'000'000;
  loop.update(command::EditProgram{"stream A\nA: fault illegal-address\n"});
  loop.update(command::ProgramChecked{loop.state.editing.version, {}, 1, true});
  loop.update(command::RunNow{});
  const int begun = loop.started;
  auto run = std::make_shared<trace::Run>(*testing::a_run(loop.state.editing.program));
  run->trace.provenance.kind = trace::Provenance::Kind::measured;
  run->trace.provenance.instrument = device::name(device::Instrument::full);
  loop.event(session::session_event::RunDone{loop.last_id, run});
  ASSERT_EQ(loop.state.runs.shown->run, run);
  EXPECT_FALSE(known(loop.state.running.pairs_due));
  EXPECT_FALSE(known(loop.state.running.referee_due));
  EXPECT_THAT(says(loop), HasSubstr("takes its process along"));
  loop.update(command::ToggleLive{});
  loop.update(command::Stop{});
  loop.event(session::session_event::RunFailed{loop.last_id, {ErrorKind::cancelled, "stopped", {}}});
  const int live = loop.started;
  EXPECT_EQ(live, begun + 1);
  loop.update(command::RefereeDue{});
  EXPECT_EQ(loop.started, live);
  loop.update(command::EditProgram{"stream A\n"});
  loop.update(command::ProgramChecked{loop.state.editing.version, {}, 1, false});
  loop.update(command::RunNow{});
  loop.finish_measured();
  EXPECT_TRUE(known(loop.state.running.referee_due)) << "another program is asked about";
}

TEST(RefereeRow, NeverLiveAndAfterItOfTheLastRun) {
  StateLoop loop;
  loop.up_with_gpu();
  loop.finish_measured();
  loop.update(command::ToggleLive{});
  loop.finish_measured();
  EXPECT_EQ(says(loop), "none in live mode");
  EXPECT_FALSE(known(loop.state.running.referee_due));
  loop.update(command::ToggleLive{});
  EXPECT_EQ(says(loop), "waits for the controls to rest");
  loop.update(command::RefereeDue{});
  EXPECT_EQ(says(loop), "running");
}

TEST(RefereeRow, SaysWhichInstrumentsHaveNone) {
  StateLoop loop;
  loop.up_with_gpu();
  loop.finish_measured();
  loop.update(command::SetMeasuring{{.instrument = device::Instrument::cupti}});
  loop.finish_measured();
  EXPECT_EQ(says(loop), "none: these times are CUPTI's own");
  loop.update(command::SetMeasuring{{.instrument = device::Instrument::calls}});
  loop.finish_measured();
  EXPECT_EQ(says(loop), "none: the run has no bars to judge");
}

TEST(RefereeRow, IsNotThereForAModel) {
  StateLoop loop;
  loop.up();
  loop.finish();
  EXPECT_EQ(says(loop), "");
}

}  // namespace
}  // namespace streamscope::window
