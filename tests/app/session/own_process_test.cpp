// Runs in an engine process that is started for them and ended with them: here this executable, as in main.cpp.
#include "engine/remote/own_process.h"

#include <gmock/gmock.h>
#include <sys/stat.h>

#include <filesystem>
#include <fstream>

#include "engine/base/stop_source.h"

namespace streamscope::remote {
namespace {

using testing::HasSubstr;

message::StartRun request(std::string program) {
  message::StartRun run;
  run.id = 1;
  run.device = "model";
  run.program = std::move(program);
  return run;
}

// A program that takes the place of the engine. Tests run side by side, so each has a file of its own.
OwnProcess stand_in(const std::string& script, Nanoseconds limit) {
  const std::string test = testing::UnitTest::GetInstance()->current_test_info()->name();
  const auto path = std::filesystem::path(testing::TempDir()) / ("stand_in_engine_" + test + ".sh");
  std::ofstream(path) << "#!/bin/sh\n" << script << "\n";
  chmod(path.c_str(), 0700);
  return {path.string(), limit};
}

TEST(OwnProcess, DoesOneRunAfterTheOther) {
  const std::vector<message::StartRun> two{request("buffer x 1MiB\nstream A\nA: h2d x\n"),
                                           request("stream A\nA: spin 5us\nA: spin 5us\n")};
  const auto runs = run_in_own_process(two, {});
  ASSERT_TRUE(runs) << runs.error().message;
  ASSERT_EQ(runs->size(), 2u);
  EXPECT_EQ((*runs)[0].trace.spans.size(), 2u);
  EXPECT_EQ((*runs)[1].trace.spans.size(), 3u);
  EXPECT_GT((*runs)[1].trace.spans[1].end, 0);
}

TEST(OwnProcess, SaysWhatTheEngineSays) {
  const auto wrong = run_in_own_process(std::vector{request("stream A\nA: nonsense\n")}, {});
  ASSERT_FALSE(wrong);
  EXPECT_EQ(wrong.error().kind, ErrorKind::bad_input);
  EXPECT_THAT(wrong.error().message, HasSubstr("nonsense"));
}

TEST(OwnProcess, ThatDiesIsReportedWithItsLastWords) {
  const auto dead = run_in_own_process(std::vector{request("stream A\n")}, {},
                                       stand_in("echo it was my time >&2; exit 3", 60'000'000'000));
  ASSERT_FALSE(dead);
  EXPECT_EQ(dead.error().kind, ErrorKind::device_failed);
  EXPECT_THAT(dead.error().message, HasSubstr("ended; its last words: it was my time"));
}

TEST(OwnProcess, ThatIsSilentIsEnded) {
  const auto silent = run_in_own_process(std::vector{request("stream A\n")}, {}, stand_in("sleep 1000", 300'000'000));
  ASSERT_FALSE(silent);
  EXPECT_THAT(silent.error().message, HasSubstr("silent"));
}

// More than fits into the pipe is sent to one that never reads.
TEST(OwnProcess, ThatDoesNotListenIsEnded) {
  const std::vector large{request(std::string(4u << 20, '#'))};
  const auto deaf = run_in_own_process(large, {}, stand_in("sleep 1000", 300'000'000));
  ASSERT_FALSE(deaf);
  EXPECT_THAT(deaf.error().message, HasSubstr("was silent for 300 ms"));
  const StopSource stopped;
  stopped.request_stop();
  const auto given_up = run_in_own_process(large, stopped.flag(), stand_in("sleep 1000", 60'000'000'000));
  ASSERT_FALSE(given_up);
  EXPECT_EQ(given_up.error().kind, ErrorKind::cancelled);
}

TEST(OwnProcess, ThatTalksNonsenseIsEnded) {
  const auto nonsense =
      run_in_own_process(std::vector{request("stream A\n")}, {}, stand_in("yes nonsense", 60'000'000'000));
  ASSERT_FALSE(nonsense);
}

TEST(OwnProcess, ThatCannotBeStartedSaysWhy) {
  const auto missing =
      run_in_own_process(std::vector{request("stream A\n")}, {}, {"/nonexistent/engine", 60'000'000'000});
  ASSERT_FALSE(missing);
  EXPECT_THAT(missing.error().message, HasSubstr("No such file"));
}

TEST(OwnProcess, IsStopped) {
  StopSource stop;
  stop.request_stop();
  const auto stopped =
      run_in_own_process(std::vector{request("stream A\n")}, stop.flag(), stand_in("sleep 1000", 60'000'000'000));
  ASSERT_FALSE(stopped);
  EXPECT_EQ(stopped.error().kind, ErrorKind::cancelled);
}

TEST(AskReferee, OfAModelHasNone) {
  const auto opinion = ask_referee(request("buffer x 1MiB\nstream A\nA: h2d x\n"), {});
  ASSERT_FALSE(opinion) << "a model has no records of CUPTI's";
  EXPECT_EQ(opinion.error().kind, ErrorKind::bad_input);
}

TEST(AskReferee, StartsNothingForAProgramThatTakesItsProcessAlong) {
  const auto opinion = ask_referee(request("stream A\nA: fault illegal-address\n"), {},
                                   stand_in("echo it was started >&2; exit 3", 60'000'000'000));
  ASSERT_FALSE(opinion);
  EXPECT_EQ(opinion.error().kind, ErrorKind::bad_input) << opinion.error().message;
  EXPECT_THAT(opinion.error().message, HasSubstr("takes its process along"));
}

}  // namespace
}  // namespace streamscope::remote
