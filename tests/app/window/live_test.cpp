// Live mode as an oscilloscope has it: what holds the picture, single shots, and the cloud of the last runs.
#include "app/window/state/live.h"

#include <gmock/gmock.h>

#include "tests/support/state_loop.h"

namespace streamscope::window {
namespace {

using ::testing::HasSubstr;

class LiveScope : public ::testing::Test {
 protected:
  LiveScope() {
    loop.up();
    finish(50);
  }
  // The last of its three bars, of 50 ns each from 0, 100 and 200 on, takes so long.
  void finish(Nanoseconds last, std::optional<std::uint32_t> contradictions = {}) {
    auto run = std::make_shared<trace::Run>(*testing::a_run(loop.state.editing.program));
    run->trace.spans.back().end = run->trace.spans.back().start + last;
    run->trace.provenance.contradictions = contradictions;
    loop.event(session::session_event::RunDone{loop.last_id, run});
    loop.update(command::LiveDue{});
  }
  bool live() const { return loop.state.running.live; }
  testing::StateLoop loop;
};

TEST_F(LiveScope, HoldsThePictureOfTheFirstMakespanOverTheLevel) {
  loop.update(command::SetTrigger{{TriggerOn::makespan, 250}});
  loop.update(command::ToggleLive{});
  finish(40);
  finish(50);
  ASSERT_TRUE(live()) << "250 ns do not pass 250 ns";
  finish(51);
  EXPECT_FALSE(live());
  EXPECT_EQ(loop.state.runs.shown->analysis.makespan, 251);
  EXPECT_THAT(loop.state.status.text, HasSubstr("makespan 251 ns"));
  const int started = loop.started;
  loop.update(command::LiveDue{});
  EXPECT_EQ(loop.started, started) << "nothing takes its place";
  loop.update(command::ToggleLive{});
  EXPECT_TRUE(live()) << "and it goes on";
}

TEST_F(LiveScope, HoldsAtAContradiction) {
  loop.update(command::SetTrigger{{TriggerOn::contradiction, 0}});
  loop.update(command::ToggleLive{});
  finish(50, 0);
  ASSERT_TRUE(live());
  finish(50, 2);
  EXPECT_FALSE(live());
  EXPECT_THAT(loop.state.status.text, HasSubstr("2 contradictions"));
}

TEST_F(LiveScope, HoldsAtAWait) {
  ShownRun run;
  run.analysis.waits = {{.reason = trace::WaitReason::host, .longest_time = 900},
                        {.reason = trace::WaitReason::engine, .longest_time = 30}};
  EXPECT_EQ(measured_by(TriggerOn::wait, run), 30) << "the host's own waits are none of an operation";
  EXPECT_EQ(held_by({TriggerOn::wait, 30}, run), "");
  EXPECT_NE(held_by({TriggerOn::wait, 29}, run), "");
}

TEST_F(LiveScope, ASingleShotIsOneRunOrWaitsForTheTrigger) {
  loop.update(command::SingleShot{});
  ASSERT_TRUE(live());
  finish(50);
  EXPECT_FALSE(live());
  loop.update(command::SetTrigger{{TriggerOn::makespan, 300}});
  loop.update(command::SingleShot{});
  finish(50);
  finish(60);
  EXPECT_TRUE(live());
  finish(200);
  EXPECT_FALSE(live());
}

TEST_F(LiveScope, KeepsTheEndsOfTheLastRunsOfOneProgram) {
  loop.update(command::ToggleLive{});
  for (int i = 0; i < 60; ++i) finish(i);
  ASSERT_EQ(loop.state.live.cloud.size(), kRunsInCloud);
  EXPECT_EQ(loop.state.live.cloud.back().back().second, 259);
  EXPECT_EQ(loop.state.live.cloud.front().back().second, 210);
  experiment::Experiment set = loop.state.editing.experiment;
  set.streams = 9;
  loop.update(command::SetExperiment{set});
  finish(5);
  EXPECT_EQ(loop.state.live.cloud.size(), 1u);
}

}  // namespace
}  // namespace streamscope::window
