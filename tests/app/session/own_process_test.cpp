// Runs in an engine process that is started for them and ended with them: here this executable, as in main.cpp.
#include "engine/remote/own_process.h"

#include <gmock/gmock.h>
#include <sys/stat.h>

#include <filesystem>
#include <fstream>

#include "engine/base/stop_source.h"
#include "engine/program/read_program.h"

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

constexpr const char* kBreaksCapture =
    "stream A nonblocking\nevent e\ngraph G on A mode=global {\n  A: spin 1us\n}\nthread T {\n  host: query "
    "e\n}\nhost: capture G\nhost: join T\nA: launch G\n";

// An engine that crashes so many times before it works.
OwnProcess crashing(int times) {
  const std::string file = stand_in("", 0).executable + ".crashes";
  std::ofstream(file) << std::string(static_cast<std::size_t>(times), 'x');
  return stand_in("f='" + file +
                      "'\nif [ -s \"$f\" ]; then n=$(($(wc -c <\"$f\") - 1)); head -c $n \"$f\" >\"$f.less\"; "
                      "mv \"$f.less\" \"$f\"; kill -SEGV $$; fi\nexec '" +
                      std::filesystem::read_symlink("/proc/self/exe").string() + "' engine",
                  60'000'000'000);
}

// Its process may be lost to it, and mostly is not.
TEST(RunAlone, OfWhatBreaksACaptureIsMeasuredAsAnyOther) {
  message::StartRun three = request(kBreaksCapture);
  three.options.runs = 3;
  const auto run = run_alone(three, {});
  ASSERT_TRUE(run) << run.error().message;
  EXPECT_EQ(run->runs, 3);
  EXPECT_THAT(trace::texts(run->notes), testing::Not(testing::Contains(HasSubstr("without a GPU"))));
}

TEST(RunAlone, IsTriedAgainWhereTheDriverCrashed) {
  const auto run = run_alone(request(kBreaksCapture), {}, crashing(2));
  ASSERT_TRUE(run) << run.error().message;
  EXPECT_THAT(trace::texts(run->notes), testing::Contains(HasSubstr("crashed 2 times")));
  const auto given_up = run_alone(request(kBreaksCapture), {}, crashing(3));
  ASSERT_FALSE(given_up);
  EXPECT_THAT(given_up.error().message, HasSubstr("ended"));
  const auto calm = run_alone(request(kBreaksCapture), {}, crashing(0));
  ASSERT_TRUE(calm) << calm.error().message;
  EXPECT_THAT(trace::texts(calm->notes), testing::Not(testing::Contains(HasSubstr("crashed"))));
}

// What takes its process along anyway is not tried again.
TEST(RunAlone, OfAFaultIsTriedOnce) {
  const auto dead = run_alone(request("stream A\nA: fault trap\n"), {}, crashing(1));
  ASSERT_FALSE(dead);
  EXPECT_EQ(dead.error().kind, ErrorKind::device_failed);
}

TEST(NeedsOwnProcess, WhatMayEndIt) {
  device::DeviceInfo gpu, model;
  gpu.kind = trace::Provenance::Kind::measured;
  model.kind = trace::Provenance::Kind::model;
  const auto program_of = [](const char* text) { return program::read_program(text, "program")->program; };
  EXPECT_TRUE(needs_own_process(program_of(kBreaksCapture), gpu, {}));
  EXPECT_TRUE(needs_own_process(program_of("stream A\nA: fault trap\n"), gpu, {}));
  EXPECT_FALSE(needs_own_process(program_of(kBreaksCapture), model, {}));
  EXPECT_FALSE(needs_own_process(program_of("stream A\nA: spin 1us\n"), gpu, {}));
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
