// Runs in an engine process that is started for them and ended with them: here this executable, as in main.cpp.
#include "engine/remote/own_process.h"

#include <gmock/gmock.h>
#include <sys/stat.h>
#include <unistd.h>

#include <filesystem>
#include <fstream>
#include <thread>

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
  const auto path =
      std::filesystem::path(testing::TempDir()) / ("stand_in_engine_" + test + std::to_string(getpid()) + ".sh");
  std::ofstream(path) << "#!/bin/sh\n" << script << "\n";
  chmod(path.c_str(), 0700);
  return {path.string(), limit};
}

// An engine that does so at each start, and how often it was started: as many bytes in a file.
OwnProcess counted(const std::string& what) {
  const std::string file = stand_in("", 0).executable + ".starts";
  std::ofstream(file, std::ios::trunc).flush();
  return stand_in("printf x >>'" + file + "'\n" + what, 60'000'000'000);
}

// Requests it as soon as the file has something in it, as an engine that was started writes; two bytes then say so.
std::jthread stop_when_begun(const StopSource& stop, const std::string& file) {
  return std::jthread([stop, file](const std::stop_token& over) {
    std::error_code error;
    while ((std::filesystem::file_size(file, error) < 1 || error) && !over.stop_requested()) std::this_thread::yield();
    if (over.stop_requested()) return;
    stop.request_stop();
    std::ofstream(file) << "xx";
  });
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
  const auto run = run_alone(request(kBreaksCapture), {}, {}, crashing(2));
  ASSERT_TRUE(run) << run.error().message;
  EXPECT_THAT(trace::texts(run->notes), testing::Contains(HasSubstr("crashed 2 times")));
  const auto given_up = run_alone(request(kBreaksCapture), {}, {}, crashing(3));
  ASSERT_FALSE(given_up);
  EXPECT_THAT(given_up.error().message, HasSubstr("crashed 3 times in a row"));
  const auto calm = run_alone(request(kBreaksCapture), {}, {}, crashing(0));
  ASSERT_TRUE(calm) << calm.error().message;
  EXPECT_THAT(trace::texts(calm->notes), testing::Not(testing::Contains(HasSubstr("crashed"))));
}

// What takes its process along anyway is not tried again; nor is what ends in another way than the driver's crash.
TEST(RunAlone, IsTriedOnceOtherwise) {
  const OwnProcess fault = crashing(2);
  const auto dead = run_alone(request("stream A\nA: fault trap\n"), {}, {}, fault);
  ASSERT_FALSE(dead);
  EXPECT_EQ(dead.error().kind, ErrorKind::device_failed);
  EXPECT_EQ(std::filesystem::file_size(fault.executable + ".crashes"), 1u) << "started more than once";
  const OwnProcess ended = counted("exit 4");
  EXPECT_THAT(run_alone(request(kBreaksCapture), {}, {}, ended).error().message, HasSubstr("ended"));
  EXPECT_EQ(std::filesystem::file_size(ended.executable + ".starts"), 1u);
  const OwnProcess killed = counted("kill -KILL $$");
  EXPECT_FALSE(run_alone(request(kBreaksCapture), {}, {}, killed)) << "as where the system wants memory";
  EXPECT_EQ(std::filesystem::file_size(killed.executable + ".starts"), 1u);
}

TEST(RunAlone, IsNotTriedAgainBehindAStop) {
  const OwnProcess crashes = counted("while [ \"$(cat \"$0.starts\")\" != xx ]; do :; done\nkill -SEGV $$");
  const std::string starts = crashes.executable + ".starts";
  const StopSource stop;
  const auto stopping = stop_when_begun(stop, starts);
  const auto stopped = run_alone(request(kBreaksCapture), stop.flag(), {}, crashes);
  ASSERT_FALSE(stopped);
  EXPECT_EQ(stopped.error().kind, ErrorKind::cancelled);
  EXPECT_EQ(std::filesystem::file_size(starts), 2u) << "it was started again";
}

// The window gives its engine 2 s.
TEST(RunAlone, IsGivenUpSoonBehindAStop) {
  for (const char* program : {kBreaksCapture, "stream A\nA: fault trap\n"}) {
    const OwnProcess hangs = counted("sleep 1000");
    const StopSource stop;
    const auto stopping = stop_when_begun(stop, hangs.executable + ".starts");
    const Nanoseconds begun = host_now();
    const auto stopped = run_alone(request(program), stop.flag(), {}, hangs);
    ASSERT_FALSE(stopped);
    EXPECT_EQ(stopped.error().kind, ErrorKind::cancelled);
    EXPECT_LT(host_now() - begun, 60'000'000'000) << "the limit of its silence";
  }
}

// Each run of such a program is another chance to crash.
TEST(RunAlone, IsTimedALimitedNumberOfTimes) {
  message::StartRun many = request(kBreaksCapture);
  many.options.runs = 500;
  measure::Step last;
  const auto run = run_alone(many, {}, [&](const measure::Step& step) { last = step; });
  ASSERT_TRUE(run) << run.error().message;
  EXPECT_EQ(run->runs, 30);
  EXPECT_GE(last.total, 30) << "progress is passed on";
  EXPECT_THAT(trace::texts(run->notes), testing::Contains(HasSubstr("at most 30 times and not 500")));
}

TEST(RunAlone, KeepsWhatWasDoneAtAStop) {
  message::StartRun many = request(
      "stream A\nevent e\ngraph G on A mode=global {\n  repeat 5000 {\n    A: spin "
      "1us\n  }\n}\nthread T {\n  repeat 5000 {\n    host: query e\n  }\n}\nhost: "
      "capture G\nhost: join T\nA: launch G\n");
  many.options.runs = 30;
  const StopSource stop;
  const auto ask_soon = [&](const measure::Step& step) {
    if (step.done >= 2) stop.request_stop();
  };
  const auto run = run_alone(many, stop.flag(), ask_soon, {.executable = {}, .stop_limit = 60'000'000'000});
  ASSERT_TRUE(run) << run.error().message;
  EXPECT_GE(run->runs, 1);
  EXPECT_FALSE(run->trace.spans.empty());
  EXPECT_THAT(trace::texts(run->notes), testing::Contains(HasSubstr("Stopped after")));
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
  const OwnProcess deaf_for_long = counted("sleep 1000");
  const StopSource stop;
  const auto stopping = stop_when_begun(stop, deaf_for_long.executable + ".starts");
  const auto given_up = run_in_own_process(large, stop.flag(), deaf_for_long);
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
  const OwnProcess hangs = counted("sleep 1000");
  const StopSource stop;
  const auto stopping = stop_when_begun(stop, hangs.executable + ".starts");
  const auto stopped = run_in_own_process(std::vector{request("stream A\n")}, stop.flag(), hangs);
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
