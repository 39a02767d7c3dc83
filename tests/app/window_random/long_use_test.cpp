// A day of live mode, squeezed: one run after the other on the model, through the state and the session as the window
// has them, without its pictures. What is kept stays bounded.
//
// STREAMSCOPE_LONG_RUNS: how many runs; the figures are printed where it is given.
#include <gtest/gtest.h>

#include <unistd.h>
#include <chrono>
#include <condition_variable>
#include <csignal>
#include <filesystem>
#include <fstream>
#include <iostream>
#include <iterator>
#include <mutex>

#include "app/window/effects/effect_runner.h"
#include "app/window/effects/files.h"
#include "app/window/state/state.h"
#include "tests/support/counts.h"

#ifdef __SANITIZE_ADDRESS__
extern "C" std::size_t __sanitizer_get_current_allocated_bytes();  // gcc 12 has no header of it
#endif

namespace streamscope::window {
namespace {

namespace fs = std::filesystem;

struct Usage {
  std::size_t memory = 0;      // bytes
  std::ptrdiff_t handles = 0;  // of this process, which stands for the window
  std::ptrdiff_t of_engine = 0;
  std::size_t runs = 0, verdicts = 0, under_way = 0;
};

// What the process holds. AddressSanitizer keeps what was freed for a while, up to 256 MB, so its own count is asked.
#ifdef __SANITIZE_ADDRESS__
std::size_t held() { return __sanitizer_get_current_allocated_bytes(); }
#else
std::size_t held() {
  std::size_t pages = 0;
  std::ifstream statm("/proc/self/statm");
  statm >> pages >> pages;
  return pages * static_cast<std::size_t>(sysconf(_SC_PAGESIZE));
}
#endif

std::ptrdiff_t handles_of(int process) {
  std::error_code gone;
  return std::distance(fs::directory_iterator("/proc/" + std::to_string(process) + "/fd", gone), {});
}

class LongUse : public ::testing::Test {
 protected:
  void SetUp() override { runner_.add(begin(state_, default_file())); }
  // Until so many runs have finished; false: nothing came for long.
  bool run_until(std::uint64_t finished) {
    for (;;) {
      runner_.take(state_);
      const Running& running = state_.running;
      if (running.engine == EngineStatus::lost) command(window::command::RestartEngine{});
      if (running.live && known(running.live_due) && running.in_progress == 0) command(window::command::LiveDue{});
      runner_.carry_out(state_, [](int) { return timeline::View{}; });
      if (state_.runs.finished >= finished) return true;
      if (running.live && known(running.live_due) && running.in_progress == 0)
        continue;  // small runs are there at once
      std::unique_lock lock(mutex_);
      if (woken_.wait_for(lock, std::chrono::seconds(60), [] { return std::exchange(wake_, false); })) continue;
      ADD_FAILURE() << "nothing came after " << state_.runs.finished << " runs, live: " << running.live << ", engine "
                    << runner_.engine_process() << ", run " << running.in_progress << ": " << state_.status.text;
      return false;
    }
  }
  void command(const Command& what) { runner_.add(update(state_, what)); }
  Usage usage() const {
    return {held(),
            handles_of(::getpid()),
            handles_of(runner_.engine_process()),
            state_.runs.all.size(),
            state_.verdicts.found.size(),
            state_.running.started.size()};
  }

  State state_;
  inline static std::mutex mutex_;
  inline static std::condition_variable woken_;
  inline static bool wake_ = false;
  EffectRunner runner_{"exec " STREAMSCOPE_PROGRAM " engine", [] {
                         const std::lock_guard lock(mutex_);
                         wake_ = true;
                         woken_.notify_all();
                       }};
};

TEST_F(LongUse, KeepsMemoryHandlesAndHistoryBounded) {
  const auto runs = static_cast<std::uint64_t>(tests::count_from("STREAMSCOPE_LONG_RUNS", 400));
  ASSERT_TRUE(run_until(1));
  command(command::ToggleLive{});
  std::vector<Usage> taken;
  const std::uint64_t step = std::max<std::uint64_t>(1, runs / 20);
  for (std::uint64_t at = 1; at <= 20; ++at) {
    for (std::uint64_t until = (at - 1) * step; until < at * step;) {
      until = std::min(at * step, until + 20);
      ASSERT_TRUE(run_until(until));
      // A slider is moved, and live mode begins anew: the next run is another entry of the history.
      experiment::Experiment set = state_.editing.experiment;
      set.streams = 1 + (set.streams + 2) % 8;
      command(command::SetExperiment{set});
      for (int off_and_on = 0; off_and_on < 2; ++off_and_on) command(command::ToggleLive{});
    }
    ASSERT_TRUE(run_until(at * step));
    taken.push_back(usage());
    if (at % 4 == 0 && at < 20 && runner_.engine_process() != 0) ::kill(runner_.engine_process(), SIGKILL);
  }
  const Usage &early = taken[2], &middle = taken[10], &late = taken.back();
  if (std::getenv("STREAMSCOPE_LONG_RUNS") != nullptr)
    for (std::size_t i = 0; i < taken.size(); ++i)
      std::cout << (i + 1) * step << " runs: " << (taken[i].memory >> 10) << " KiB, " << taken[i].handles
                << " descriptors, the engine " << taken[i].of_engine << "; kept: " << taken[i].runs << " runs, "
                << taken[i].verdicts << " verdicts\n";
  EXPECT_EQ(early.handles, middle.handles);
  EXPECT_EQ(middle.handles, late.handles);
  EXPECT_LE(late.of_engine, early.of_engine);
  EXPECT_LE(late.under_way, 2u);
  EXPECT_LE(late.verdicts, late.runs);
  EXPECT_LE(late.runs, 5'000u);
  EXPECT_LE(late.memory, early.memory + (late.runs - early.runs) * (256u << 10) + (64u << 20));
}

}  // namespace
}  // namespace streamscope::window
