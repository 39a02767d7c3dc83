// Engines that say what a real one said, and go wrong at any byte of it (tests/support/replayed_engine.cpp): the run
// has exactly one end, the session says why, and no process is left.
//
// STREAMSCOPE_CUTS: at how many bytes; 0: at each. The slowest is written to the test's report, and printed where all
// are tried. STREAMSCOPE_CUTS_PARTS, STREAMSCOPE_CUTS_PART: so many processes share the bytes, and which this one is.
#include <gmock/gmock.h>

#include <chrono>
#include <filesystem>
#include <fstream>
#include <iostream>
#include <iterator>
#include <thread>
#include <vector>

#include "engine/remote/wire.h"
#include "tests/app/session/children.h"
#include "tests/support/counts.h"
#include "tests/support/session_watch.h"

namespace streamscope::session {
namespace {

using namespace session_event;
using ::testing::AnyOf;
using ::testing::HasSubstr;
using testing_session::Watch;
using tests::count_from;
using Clock = std::chrono::steady_clock;

remote::message::StartRun recorded_request() {
  remote::message::StartRun run;
  run.device = "model";
  run.program = "buffer x 1MiB\nstream A\nA: h2d x\nA: axpb x fma=4\nA: d2h x\n";
  return run;
}

struct Ends {
  int of_the_run = 0, of_the_engine = 0;
  std::string why;  // the engine is gone; empty: it is not
};

class FalseEngine : public ::testing::TestWithParam<const char*> {
 protected:
  // What the real engine says, written down on its way to the session.
  static void SetUpTestSuite() {
    file_ = std::filesystem::path(::testing::TempDir()) / ("session-" + std::to_string(getpid()));
    Watch watch("'" STREAMSCOPE_PROGRAM "' engine | tee '" + file_.string() + "'");
    ASSERT_TRUE(watch.await<session_event::EngineUp>());
    watch.session().start(recorded_request());
    ASSERT_TRUE(watch.await<RunDone>());
    // Written to the file after it came to us.
    const auto limit = Clock::now() + std::chrono::seconds(60);
    while (!has_all_of_it() && Clock::now() < limit) std::this_thread::yield();
    ASSERT_TRUE(has_all_of_it());
  }
  static bool has_all_of_it() {
    std::ifstream file(file_, std::ios::binary);
    const std::vector<std::uint8_t> bytes{std::istreambuf_iterator<char>(file), {}};
    remote::FrameReader frames;
    frames.feed(bytes);
    for (;;) {
      const auto message = frames.next();
      if (!message || !*message) return false;
      if (std::holds_alternative<remote::message::Done>(**message)) return true;
    }
  }
  static void TearDownTestSuite() { std::filesystem::remove(file_); }

  // A session whose engine goes wrong after so many bytes.
  static Ends session_of(std::size_t bytes, const std::string& how, const SessionOptions& options = {}) {
    Watch watch("exec '" STREAMSCOPE_TEST_PROGRAMS "/replayed_engine' '" + file_.string() + "' " +
                    std::to_string(bytes) + " " + how,
                options);
    const std::uint64_t run = watch.session().start(recorded_request());
    Ends ends;
    while (ends.of_the_run == 0 || (how != "again" && ends.of_the_engine == 0)) {
      const auto event = watch.next();
      if (!event) return {};
      if (const auto* done = std::get_if<RunDone>(&*event); done != nullptr && done->run == run) ++ends.of_the_run;
      if (const auto* failed = std::get_if<RunFailed>(&*event); failed != nullptr && failed->run == run)
        ++ends.of_the_run;
      if (const auto* lost = std::get_if<EngineLost>(&*event)) {
        ends.why = lost->why;
        ends.of_the_engine += 1;
        ends.of_the_run += lost->run == run ? 1 : 0;
      }
    }
    return ends;
  }

  inline static std::filesystem::path file_;
};

TEST_P(FalseEngine, GoesWrongAtAnyByte) {
  const std::size_t size = std::filesystem::file_size(file_);
  ASSERT_GT(size, 1000u);
  const int cuts = count_from("STREAMSCOPE_CUTS", 16);
  const std::size_t step = cuts == 0 ? 1 : std::max<std::size_t>(1, size / static_cast<std::size_t>(cuts));
  Clock::duration slowest{};
  std::size_t sessions = 0;
  const auto parts = static_cast<std::size_t>(count_from("STREAMSCOPE_CUTS_PARTS", 1));
  const auto part = static_cast<std::size_t>(count_from("STREAMSCOPE_CUTS_PART", 0));
  for (std::size_t bytes = part * step; bytes <= size; bytes += parts * step, ++sessions) {
    SCOPED_TRACE(std::to_string(bytes) + " of " + std::to_string(size) + " bytes");
    const auto begun = Clock::now();
    const Ends ends = session_of(bytes, GetParam());
    slowest = std::max(slowest, Clock::now() - begun);
    expect_no_children();
    ASSERT_EQ(ends.of_the_run, 1);
    ASSERT_LE(ends.of_the_engine, 1);
    if (ends.why.empty()) continue;
    ASSERT_THAT(ends.why, AnyOf(HasSubstr("The engine was killed by signal 9"), HasSubstr("The engine ended by itself"),
                                HasSubstr("The engine closed its output"), HasSubstr("The engine sent an invalid")));
  }
  const auto milliseconds = std::chrono::duration_cast<std::chrono::milliseconds>(slowest).count();
  RecordProperty("slowest_ms", std::to_string(milliseconds));
  if (cuts == 0)
    std::cout << GetParam() << ": " << sessions << " sessions, the slowest took " << milliseconds << " ms\n";
}

INSTANTIATE_TEST_SUITE_P(How, FalseEngine, ::testing::Values("dies", "ends", "closes", "garbage", "again"));

// Its silence is noticed wherever it begins.
using SilentEngine = FalseEngine;
TEST_F(SilentEngine, IsLostAtAnyByte) {
  const std::size_t size = std::filesystem::file_size(file_);
  SessionOptions impatient;
  impatient.hello_limit = impatient.silence_limit = 1'000'000'000;
  for (const std::size_t bytes : {std::size_t{0}, std::size_t{20}, size / 2, size - 1}) {
    const Ends ends = session_of(bytes, "hangs", impatient);
    expect_no_children();
    EXPECT_EQ(ends.of_the_run, 1) << bytes;
    EXPECT_THAT(ends.why, AnyOf(HasSubstr("did not say hello within 1"), HasSubstr("said nothing for 1"))) << bytes;
  }
}

}  // namespace
}  // namespace streamscope::session
