// Sessions with the real engine, on the model.
#include "app/session/session.h"

#include <gmock/gmock.h>
#include <sys/wait.h>

#include <cerrno>
#include <vector>

#include "tests/support/session_watch.h"

namespace streamscope::session {
namespace {

using namespace session_event;
using testing::HasSubstr;
using testing_session::Watch;

constexpr const char* kItself = "";  // main.cpp
constexpr const char* kTheProgram = STREAMSCOPE_PROGRAM " engine";

remote::message::StartRun request(int runs = 1) {
  remote::message::StartRun run;
  run.device = "model";
  run.program = "buffer x 1MiB\nstream A\nA: h2d x\nA: axpb x fma=4\nA: d2h x\n";
  run.options.runs = runs;
  return run;
}
constexpr int kEndless = 1'000'000;

TEST(Session, ARunGoesThereAndBack) {
  for (const char* command : {kItself, kTheProgram}) {
    Watch watch(command);
    const auto up = watch.await<session::session_event::EngineUp>();
    ASSERT_TRUE(up);
    EXPECT_THAT(up->program, HasSubstr("streamscope "));
    EXPECT_FALSE(up->devices.devices.empty());
    EXPECT_GT(watch.session().engine_process(), 0);
    auto asked = request();
    asked.experiment = "name = \"kept\"\n";
    const auto run = watch.session().start(asked);
    const auto done = watch.await<session::session_event::RunDone>();
    ASSERT_TRUE(done);
    EXPECT_EQ(done->run, run);
    EXPECT_EQ(done->result->program, asked.program);
    EXPECT_EQ(done->result->experiment, asked.experiment);
    EXPECT_EQ(done->result->trace.spans.size(), 4u);
    EXPECT_EQ(done->result->trace.provenance.kind, trace::Provenance::Kind::model);
  }
}

TEST(Session, ARunMayBeAskedForBeforeTheEngineIsUp) {
  Watch watch(kItself);
  const auto run = watch.session().start(request());
  ASSERT_TRUE(watch.await<session::session_event::EngineUp>());
  const auto done = watch.await<session::session_event::RunDone>();
  ASSERT_TRUE(done);
  EXPECT_EQ(done->run, run);
}

TEST(Session, OfTheRunsThatWaitTheNewestWins) {
  Watch watch(kItself);
  const auto first = watch.session().start(request());
  const auto second = watch.session().start(request());
  // The first is given up either before the engine is up, or is done before the second; what never happens is that it
  // is forgotten.
  std::vector<std::uint64_t> ended;
  while (ended.size() < 2) {
    const auto event = watch.next();
    ASSERT_TRUE(event);
    if (const auto* failed = std::get_if<session::session_event::RunFailed>(&*event)) {
      EXPECT_EQ(failed->run, first);
      EXPECT_EQ(failed->error.kind, ErrorKind::cancelled);
      ended.push_back(failed->run);
    }
    if (const auto* done = std::get_if<session::session_event::RunDone>(&*event)) ended.push_back(done->run);
  }
  EXPECT_THAT(ended, testing::ElementsAre(first, second));
}

TEST(Session, DuringARunOneMayWait) {
  Watch watch(kItself);
  ASSERT_TRUE(watch.await<session::session_event::EngineUp>());
  const auto running = watch.session().start(request(kEndless));
  ASSERT_TRUE(watch.await<session::session_event::RunPasses>());
  const auto replaced = watch.session().start(request());
  watch.session().start(request());
  auto failed = watch.await<session::session_event::RunFailed>();
  ASSERT_TRUE(failed);
  EXPECT_EQ(failed->run, replaced);
  watch.session().stop();  // the one that waits is dropped, the one that runs is stopped
  failed = watch.await<session::session_event::RunFailed>();
  ASSERT_TRUE(failed);
  EXPECT_EQ(failed->run, replaced + 1);
  EXPECT_EQ(failed->error.kind, ErrorKind::cancelled);
  // What runs ends with what it has measured by then, or as cancelled where that is nothing yet.
  for (bool ended = false; !ended;) {
    const auto event = watch.next();
    ASSERT_TRUE(event);
    if (const auto* cancelled = std::get_if<session::session_event::RunFailed>(&*event)) {
      EXPECT_EQ(cancelled->run, running);
      EXPECT_EQ(cancelled->error.kind, ErrorKind::cancelled);
      ended = true;
    }
    if (const auto* stopped = std::get_if<session::session_event::RunDone>(&*event)) {
      EXPECT_EQ(stopped->run, running);
      ended = true;
    }
  }
  const auto next = watch.session().start(request());
  const auto done = watch.await<session::session_event::RunDone>();
  ASSERT_TRUE(done);
  EXPECT_EQ(done->run, next);
}

TEST(Session, WhatIsWrongWithAProgramComesBack) {
  Watch watch(kItself);
  ASSERT_TRUE(watch.await<session::session_event::EngineUp>());
  auto bad = request();
  bad.program = "stream A\nA: sprint 3us\n";
  const auto run = watch.session().start(bad);
  const auto failed = watch.await<session::session_event::RunFailed>();
  ASSERT_TRUE(failed);
  EXPECT_EQ(failed->run, run);
  EXPECT_EQ(failed->error.kind, ErrorKind::bad_input);
  EXPECT_THAT(failed->error.message, HasSubstr("program:2:"));
}

TEST(Session, AProgramTooLongIsNotSent) {
  Watch watch(kItself);
  ASSERT_TRUE(watch.await<session::session_event::EngineUp>());
  auto large = request();
  large.program.assign((16u << 20) + 1, '#');
  watch.session().start(large);
  const auto failed = watch.await<session::session_event::RunFailed>();
  ASSERT_TRUE(failed);
  EXPECT_EQ(failed->error.kind, ErrorKind::bad_input);
  EXPECT_THAT(failed->error.message, HasSubstr("16 MiB"));
  watch.session().start(request());
  EXPECT_TRUE(watch.await<session::session_event::RunDone>());
}

TEST(Session, ARestartDuringARun) {
  Watch watch(kItself);
  ASSERT_TRUE(watch.await<session::session_event::EngineUp>());
  const int before = watch.session().engine_process();
  const auto run = watch.session().start(request(kEndless));
  ASSERT_TRUE(watch.await<session::session_event::RunPasses>());
  const auto waiting = watch.session().start(request());
  watch.session().restart();
  const auto failed = watch.await<session::session_event::RunFailed>();
  ASSERT_TRUE(failed);
  EXPECT_EQ(failed->run, run);
  EXPECT_EQ(failed->error.kind, ErrorKind::cancelled);
  ASSERT_TRUE(watch.await<session::session_event::EngineUp>());
  EXPECT_NE(watch.session().engine_process(), before);
  const auto done = watch.await<session::session_event::RunDone>();
  ASSERT_TRUE(done);
  EXPECT_EQ(done->run, waiting);
}

TEST(Session, SpansComeWhileARunGoesOn) {
  Watch watch(kItself);
  ASSERT_TRUE(watch.await<session::session_event::EngineUp>());
  const auto run = watch.session().start(request());
  std::vector<trace::Span> preview_spans;
  while (auto event = watch.next()) {
    if (auto* spans = std::get_if<session::session_event::RunSpans>(&*event)) {
      EXPECT_EQ(spans->run, run);
      preview_spans.insert(preview_spans.end(), spans->spans.begin(), spans->spans.end());
    }
    if (const auto* done = std::get_if<session::session_event::RunDone>(&*event)) {
      EXPECT_EQ(preview_spans, done->result->trace.spans);
      break;
    }
  }
}

TEST(Session, NobodyNeedsToPoll) {
  Watch watch(kItself);
  watch.session().start(request(kEndless));
  watch.end();
  EXPECT_EQ(waitpid(-1, nullptr, WNOHANG), -1);
  EXPECT_EQ(errno, ECHILD);
}

}  // namespace
}  // namespace streamscope::session
