// Engines and windows killed at random instants while one run follows the other.
//
// STREAMSCOPE_KILLS, STREAMSCOPE_WINDOW_KILLS: how many; what it took is printed where they are given.
#include <fcntl.h>
#include <gmock/gmock.h>
#include <signal.h>
#include <sys/prctl.h>

#include <chrono>
#include <cstdlib>
#include <iostream>
#include <map>
#include <optional>
#include <random>

#include "tests/app/session/children.h"
#include "tests/support/counts.h"
#include "tests/support/session_watch.h"

namespace streamscope::session {
namespace {

using namespace session_event;
using testing_session::Watch;
using tests::count_from;
using Clock = std::chrono::steady_clock;

remote::message::StartRun live_request(int runs) {
  remote::message::StartRun run;
  run.device = "model";
  run.program = "buffer x 1MiB\nstream A\nA: h2d x\nA: axpb x fma=4\nA: d2h x\n";
  run.options.runs = runs;
  return run;
}

// A session in live mode, and what became of each of its runs.
class Live {
 public:
  explicit Live(const std::string& command) : watch_(command) {}

  // Runs follow each other until then.
  void go_on_until(Clock::time_point instant) {
    while (const auto event = watch_.next_before(instant)) take(*event);
  }
  bool go_on_until_up() {
    while (!up_) {
      const auto event = watch_.next();
      if (!event) return false;
      take(*event);
    }
    return true;
  }
  // And until the run that was asked for last has its end, which may come after.
  bool go_on_until_lost() {
    while (!lost_ || (in_progress_ != 0 && ends_[in_progress_] == 0)) {
      const auto event = watch_.next();
      if (!event) return false;
      take(*event);
    }
    return true;
  }
  void new_engine() {
    lost_ = false;
    watch_.session().restart();
  }
  pid_t engine() { return watch_.session().engine_process(); }
  bool up() const { return up_; }
  int done() const { return done_; }
  void expect_each_run_ended_once() const {
    for (const auto& [run, times] : ends_) EXPECT_EQ(times, 1) << "run " << run;
  }

 private:
  void begin() {
    // Each third is one that does not end by itself soon.
    in_progress_ = watch_.session().start(live_request(++asked_ % 3 == 0 ? 2'000 : 1));
    ends_[in_progress_] = 0;
  }
  void take(const SessionEvent& event) {
    if (std::holds_alternative<session_event::EngineUp>(event)) {
      up_ = true;
      begin();
    } else if (const auto* done = std::get_if<RunDone>(&event)) {
      ++done_;
      ++ends_[done->run];
      EXPECT_EQ(done->result->trace.spans.size(), 4u);
      if (!expected_) expected_ = done->result->trace.spans;
      EXPECT_EQ(done->result->trace.spans, *expected_);  // the model is exact
      begin();
    } else if (const auto* failed = std::get_if<RunFailed>(&event)) {
      ++ends_[failed->run];
    } else if (const auto* lost = std::get_if<EngineLost>(&event)) {
      EXPECT_THAT(lost->why, ::testing::StartsWith("The engine was killed by signal 9 (Killed)"));
      if (lost->run != 0) ++ends_[lost->run];
      lost_ = true;
      up_ = false;
    }
  }

  Watch watch_;
  std::map<std::uint64_t, int> ends_;
  std::optional<std::vector<trace::Span>> expected_;
  std::uint64_t in_progress_ = 0;
  int asked_ = 0, done_ = 0;
  bool lost_ = false, up_ = false;
};

TEST(Kills, OfTheEngineAtAnyInstantLoseNoRun) {
  const int kills = count_from("STREAMSCOPE_KILLS", 40);
  std::mt19937 random(1);
  int starting = 0, done = 0;
  {
    Live live(STREAMSCOPE_PROGRAM " engine");
    for (int i = 0; i < kills; ++i) {
      // Most while it runs, some while it starts.
      const bool starting_up = random() % 4 == 0;
      ASSERT_TRUE(starting_up || live.go_on_until_up());
      live.go_on_until(Clock::now() + std::chrono::microseconds(random() % 40'000));
      if (live.engine() == 0) continue;
      starting += live.up() ? 0 : 1;
      ASSERT_EQ(kill(live.engine(), SIGKILL), 0);
      ASSERT_TRUE(live.go_on_until_lost());
      live.expect_each_run_ended_once();
      ASSERT_FALSE(HasFailure());
      live.new_engine();
    }
    done = live.done();
  }
  expect_no_children();
  if (std::getenv("STREAMSCOPE_KILLS") != nullptr)
    std::cout << kills << " kills, " << starting << " of them while it started; " << done << " runs done\n";
}

// Its own executable stands for the window; see main.cpp.
TEST(Kills, OfTheWindowAtAnyInstantLeaveNoEngine) {
  const int kills = count_from("STREAMSCOPE_WINDOW_KILLS", 20);
  std::mt19937 random(2);
  ASSERT_EQ(prctl(PR_SET_CHILD_SUBREAPER, 1), 0);  // an engine that is left behind becomes our child
  Clock::duration slowest{};
  for (int i = 0; i < kills; ++i) {
    int pipe[2];
    ASSERT_EQ(pipe2(pipe, O_CLOEXEC), 0);
    const remote::Descriptor said(pipe[0]);
    const pid_t window = fork();
    if (window == 0) {
      dup2(pipe[1], STDOUT_FILENO);
      execl("/proc/self/exe", "window", "window", nullptr);
      _exit(127);
    }
    close(pipe[1]);
    // A line when the engine is up, and one for each run.
    for (unsigned lines = random() % 4; lines > 0;) {
      char letter = 0;
      ASSERT_EQ(read(said.get(), &letter, 1), 1);
      if (letter == '\n') --lines;
    }
    pollfd never{-1, 0, 0};
    poll(&never, 0, static_cast<int>(random() % 30));
    ASSERT_EQ(kill(window, SIGKILL), 0);
    const auto killed = Clock::now();
    ASSERT_EQ(waitpid(window, nullptr, 0), window);
    for (pid_t left = 0; (left = waitpid(-1, nullptr, 0)) > 0 || errno == EINTR;) continue;
    EXPECT_EQ(errno, ECHILD);
    slowest = std::max(slowest, Clock::now() - killed);
  }
  prctl(PR_SET_CHILD_SUBREAPER, 0);
  const auto milliseconds = std::chrono::duration_cast<std::chrono::milliseconds>(slowest).count();
  if (std::getenv("STREAMSCOPE_WINDOW_KILLS") != nullptr)
    std::cout << kills << " windows killed; the last engine was gone after " << milliseconds << " ms at most\n";
}

}  // namespace
}  // namespace streamscope::session
