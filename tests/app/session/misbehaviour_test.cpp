// Sessions with engines that go wrong (tests/support/misbehaving_engine.cpp). In all of them the session says what
// happened, leaves no process behind and can start anew.
#include <gmock/gmock.h>
#include <poll.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <filesystem>
#include <fstream>

#include "engine/remote/descriptor.h"
#include "tests/app/session/children.h"
#include "tests/support/session_watch.h"

namespace streamscope::session {
namespace {

using namespace session_event;
using testing::AllOf;
using testing::HasSubstr;
using testing_session::Watch;

std::string misbehaving(const std::string& mode) {
  return std::string("exec ") + STREAMSCOPE_TEST_PROGRAMS "/misbehaving_engine " + mode;
}

// The limit a mode runs into is short; all others stay long, so that a slow machine meets none of them.
SessionOptions impatient(const std::string& mode) {
  SessionOptions options;
  options.silence_limit = 60'000'000'000;
  options.hello_limit = mode == "silent" ? 100'000'000 : 60'000'000'000;
  options.stop_limit = mode == "deaf" ? 100'000'000 : 60'000'000'000;
  if (mode == "listless") options.silence_limit = 100'000'000;
  if (mode == "mute") options.silence_limit = 1'000'000'000;
  return options;
}

remote::message::StartRun request(std::string program) {
  remote::message::StartRun run;
  run.program = std::move(program);
  return run;
}

class Misbehaviour : public testing::Test {
 protected:
  ~Misbehaviour() override { expect_no_children(); }
};

struct Case {
  const char *mode, *why, *last_words;
};
std::ostream& operator<<(std::ostream& out, const Case& which) { return out << which.mode; }

class AtStart : public testing::TestWithParam<Case> {};

TEST_P(AtStart, IsReportedAndASecondEngineCanBeTried) {
  const Case& expected = GetParam();
  {
    Watch watch(misbehaving(expected.mode), impatient(expected.mode));
    for (int round = 0; round < 2; ++round) {
      const auto lost = watch.await<session::session_event::EngineLost>();
      ASSERT_TRUE(lost);
      EXPECT_THAT(lost->why, HasSubstr(expected.why));
      EXPECT_THAT(lost->last_words, HasSubstr(expected.last_words));
      EXPECT_EQ(lost->run, 0u);
      EXPECT_FALSE(lost->restarting);
      EXPECT_EQ(watch.session().engine_process(), 0);
      if (round == 0) watch.session().restart();
    }
    // Without an engine a run fails, and says so.
    const auto run = watch.session().start(request(""));
    const auto failed = watch.await<session::session_event::RunFailed>();
    ASSERT_TRUE(failed);
    EXPECT_EQ(failed->run, run);
    EXPECT_THAT(failed->error.message, HasSubstr("no engine"));
  }
  expect_no_children();
}

INSTANTIATE_TEST_SUITE_P(Misbehaviour, AtStart,
                         testing::Values(Case{"garbage", "Text came where a message should be: \"Welcome to gpubox \"",
                                              ""},
                                         Case{"silent", "did not say hello within 100 ms", ""},
                                         Case{"dies", "ended with exit code 3.", "no GPU in this drawer\n"},
                                         Case{"killed", "killed by signal 9 (Killed).", ""},
                                         Case{"stderr", "ended with exit code 5.", "the very last words\n"},
                                         Case{"protocol", "The engine is streamscope 9.9 and speaks protocol 99", ""},
                                         Case{"oversized", "A message of 4294967295 bytes is announced", ""},
                                         Case{"truncated", "ended by itself, within a message.", ""},
                                         Case{"listless", "said nothing for 100 ms when asked for its devices", ""},
                                         Case{"hello-again", "was asked for its devices and said something else", ""},
                                         Case{"many-devices", "It lists 2000 devices; 1000 are possible.", ""},
                                         Case{"gives-up", "The engine gave up: The drawer is locked.", ""}),
                         [](const auto& which) {
                           std::string name = which.param.mode;
                           std::erase(name, '-');
                           return name;
                         });

TEST_F(Misbehaviour, TheLastWordsAreTheEndOfAllAndBounded) {
  Watch watch(misbehaving("stderr"));
  const auto lost = watch.await<session::session_event::EngineLost>();
  ASSERT_TRUE(lost);
  EXPECT_EQ(lost->last_words.size(), 4096u);
  EXPECT_TRUE(lost->last_words.ends_with("the very last words\n"));
}

// Nobody reads megabytes, and a window would lay them out in every frame.
TEST_F(Misbehaviour, WhatItSaysIsCut) {
  Watch gone(misbehaving("long-words"));
  const auto lost = gone.await<session::session_event::EngineLost>();
  ASSERT_TRUE(lost);
  EXPECT_THAT(lost->why, AllOf(HasSubstr("The engine gave up: www"), testing::SizeIs(testing::Lt(20'000u))));
  gone.end();
  Watch wordy(misbehaving("wordy"));
  ASSERT_TRUE(wordy.await<session::session_event::EngineUp>());
  wordy.session().start(request(""));
  const auto failed = wordy.await<session::session_event::RunFailed>();
  ASSERT_TRUE(failed);
  EXPECT_THAT(failed->error.message, testing::SizeIs(testing::Lt(20'000u)));
}

// An answer that comes twice ends the engine; what it answered first stays.
TEST_F(Misbehaviour, AnsweringTwice) {
  for (const char* mode : {"devices-again", "done-again"}) {
    Watch watch(misbehaving(mode));
    ASSERT_TRUE(watch.await<session::session_event::EngineUp>());
    if (std::string_view(mode) == "done-again") {
      watch.session().start(request("text"));
      const auto done = watch.await<session::session_event::RunDone>();
      ASSERT_TRUE(done);
      EXPECT_EQ(done->result->trace.spans.size(), 3u);
    }
    const auto lost = watch.await<session::session_event::EngineLost>();
    ASSERT_TRUE(lost) << mode;
    EXPECT_THAT(lost->why, HasSubstr("answered what was not asked"));
    EXPECT_EQ(lost->run, 0u);
  }
}

TEST_F(Misbehaviour, ACommandThatIsNotThere) {
  Watch watch("/nowhere/streamscope engine");
  const auto lost = watch.await<session::session_event::EngineLost>();
  ASSERT_TRUE(lost);
  EXPECT_THAT(lost->why, HasSubstr("its command was not found"));
  EXPECT_THAT(lost->last_words, HasSubstr("/nowhere/streamscope"));
}

struct RunCase {
  const char *mode, *program, *why;
};
std::ostream& operator<<(std::ostream& out, const RunCase& which) { return out << which.mode << " " << which.program; }

class InARun : public testing::TestWithParam<RunCase> {};

TEST_P(InARun, TheRunIsLostAndTheSessionIsNot) {
  const RunCase& expected = GetParam();
  {
    Watch watch(misbehaving(expected.mode), impatient(expected.mode));
    for (int round = 0; round < 2; ++round) {
      ASSERT_TRUE(watch.await<session::session_event::EngineUp>());
      const auto run = watch.session().start(request(expected.program));
      const auto lost = watch.await<session::session_event::EngineLost>();
      ASSERT_TRUE(lost);
      EXPECT_THAT(lost->why, HasSubstr(expected.why));
      EXPECT_EQ(lost->run, run);
      if (round == 0) watch.session().restart();
    }
  }
  expect_no_children();
}

INSTANTIATE_TEST_SUITE_P(Misbehaviour, InARun,
                         testing::Values(RunCase{"mid-run", "", "killed by signal 9 (Killed)"},
                                         RunCase{"mute", "", "said nothing for 1 s"},
                                         RunCase{"closes", "", "closed its output"},
                                         RunCase{"out-of-range", "stream", "Span 1 names stream 2, there are 2"},
                                         RunCase{"out-of-range", "name", "Span 1 names name 1, there are 1"},
                                         RunCase{"out-of-range", "thread", "Span 1 names thread 1, there are 1"},
                                         RunCase{"out-of-range", "operation", "Span 1 names operation 3, there are 3"},
                                         RunCase{"out-of-range", "waits_for", "Span 1 names operation 3, there are 3"},
                                         RunCase{"out-of-range", "no operation", "Span 1 names operation 4294967295"},
                                         RunCase{"out-of-range", "runs", "-1 runs"},
                                         RunCase{"out-of-range", "wall", "beyond all measure"},
                                         RunCase{"lost-spans", "", "A run of 1152921504606846976 spans came with 3"},
                                         RunCase{"far-times", "", "9223372036854775807 ns"},
                                         RunCase{"unasked", "", "answered what was not asked"}));

TEST_F(Misbehaviour, AnEngineThatDoesNotStopIsEnded) {
  Watch watch(misbehaving("deaf"), impatient("deaf"));
  const auto run = watch.session().start(request(""));
  ASSERT_TRUE(watch.await<session::session_event::EngineUp>());
  ASSERT_TRUE(watch.await<session::session_event::RunPasses>());
  watch.session().stop();
  watch.session().stop();  // asked twice, it does not get twice the time
  const auto lost = watch.await<session::session_event::EngineLost>();
  ASSERT_TRUE(lost);
  EXPECT_EQ(lost->run, run);
  EXPECT_THAT(lost->why, HasSubstr("did not stop its run within 100 ms"));
}

// Byte by byte is slow, and nothing wrong. So is an engine that complains all the time.
TEST_F(Misbehaviour, SlowOrLoudIsFine) {
  for (const char* mode : {"good", "trickle", "chatty"}) {
    Watch watch(misbehaving(mode));
    const auto up = watch.await<session::session_event::EngineUp>();
    ASSERT_TRUE(up) << mode;
    EXPECT_EQ(up->program, std::string("misbehaving ") + mode);
    const auto run = watch.session().start(request("text"));
    const auto done = watch.await<session::session_event::RunDone>();
    ASSERT_TRUE(done) << mode;
    EXPECT_EQ(done->run, run);
    EXPECT_EQ(done->result->program, "text");
    ASSERT_EQ(done->result->trace.spans.size(), 3u);
    EXPECT_EQ(done->result->trace.spans[2].end, 25);
  }
}

TEST_F(Misbehaviour, AfterADeviceFailureANewEngineComesByItself) {
  Watch watch(misbehaving("poisoned"));
  ASSERT_TRUE(watch.await<session::session_event::EngineUp>());
  watch.session().start(request("poison"));
  const auto failed = watch.await<session::session_event::RunFailed>();
  ASSERT_TRUE(failed);
  EXPECT_EQ(failed->error.kind, ErrorKind::device_failed);
  ASSERT_TRUE(failed->error.fault);
  EXPECT_EQ(failed->error.fault->code, 700);
  // Whether this one is sent to the engine that is about to end or not, it is not lost.
  const auto after = watch.session().start(request("fine"));
  const auto lost = watch.await<session::session_event::EngineLost>();
  ASSERT_TRUE(lost);
  EXPECT_TRUE(lost->restarting);
  EXPECT_EQ(lost->run, 0u);
  EXPECT_THAT(lost->why, HasSubstr("ended itself after the run failed on the device"));
  ASSERT_TRUE(watch.await<session::session_event::EngineUp>());
  const auto done = watch.await<session::session_event::RunDone>();
  ASSERT_TRUE(done);
  EXPECT_EQ(done->run, after);
}

TEST_F(Misbehaviour, ADeviceThatFailsAgainAndAgainIsLeftAlone) {
  Watch watch(misbehaving("poisoned"));
  for (int round = 0; round < 4; ++round) {
    ASSERT_TRUE(watch.await<session::session_event::EngineUp>());
    watch.session().start(request("poison"));
    ASSERT_TRUE(watch.await<session::session_event::RunFailed>());
    const auto lost = watch.await<session::session_event::EngineLost>();
    ASSERT_TRUE(lost);
    EXPECT_EQ(lost->restarting, round < 3) << round;
  }
  watch.session().restart();
  EXPECT_TRUE(watch.await<session::session_event::EngineUp>());
}

// What a shell has started, which writes its number into the note.
class Started : public Misbehaviour {
 protected:
  ~Started() override { std::filesystem::remove(note_); }
  // To know that it runs, wait until the note is written.
  remote::Descriptor process() const {
    int number = 0;
    const auto limit = std::chrono::steady_clock::now() + std::chrono::seconds(60);
    while (number == 0 && std::chrono::steady_clock::now() < limit) {
      std::ifstream(note_) >> number;
      std::this_thread::yield();
    }
    EXPECT_GT(number, 0);
    return remote::Descriptor(static_cast<int>(syscall(SYS_pidfd_open, number, 0)));
  }
  static bool ends(const remote::Descriptor& process) {
    pollfd watched{process.get(), POLLIN, 0};
    return poll(&watched, 1, 60'000) == 1;
  }

  const std::string note_ = std::filesystem::temp_directory_path() / ("streamscope-group-" + std::to_string(getpid()));
  const std::string stubborn_ = "sh -c 'trap \"\" TERM; echo $$ > " + note_ + "; exec sleep 1000'";
};

TEST_F(Started, InTheBackgroundGoesWithTheEngine) {
  Watch watch("sleep 1000 & echo $! > '" + note_ + "'; " + misbehaving("silent"));
  const remote::Descriptor sleeper = process();
  ASSERT_GE(sleeper.get(), 0);
  watch.end();
  EXPECT_TRUE(ends(sleeper)) << "the background process lives on";
}

// The shell ends of the signal, and what it waits for does not.
TEST_F(Started, IsKilledAtTheEndWhereItIgnoresThatItIsAsked) {
  Watch watch(stubborn_ + "; true");
  const remote::Descriptor sleeper = process();
  ASSERT_GE(sleeper.get(), 0);
  watch.end();
  EXPECT_TRUE(ends(sleeper));
}

TEST_F(Started, IsKilledBehindALostEngineWhereItIgnoresThatItIsAsked) {
  Watch watch(stubborn_ + " </dev/null >/dev/null 2>&1 & until [ -s " + note_ + " ]; do :; done; " +
              misbehaving("garbage"));
  const remote::Descriptor sleeper = process();
  ASSERT_GE(sleeper.get(), 0);
  ASSERT_TRUE(watch.await<session::session_event::EngineLost>());
  EXPECT_TRUE(ends(sleeper));
}

TEST_F(Misbehaviour, ASessionEndsWhateverItsEngineDoes) {
  for (const char* mode : {"silent", "listless", "good", "garbage"}) {
    Watch watch(misbehaving(mode));
    watch.end();
    expect_no_children();
  }
  for (const char* mode : {"mute", "deaf", "closes"}) {
    Watch watch(misbehaving(mode));
    watch.session().start(request(""));
    ASSERT_TRUE(watch.await<session::session_event::EngineUp>());
    ASSERT_TRUE(watch.await<session::session_event::RunPasses>());
    watch.end();
    expect_no_children();
  }
}

TEST_F(Misbehaviour, RestartsInQuickSuccessionLeaveOneEngine) {
  Watch watch(misbehaving("silent"));
  for (int i = 0; i < 10; ++i) watch.session().restart();
  watch.end();
}

}  // namespace
}  // namespace streamscope::session
