// What an engine process has and may do: the real program, as a session or a referee starts it.
#include "engine/remote/confine.h"

#include <fcntl.h>
#include <gmock/gmock.h>
#include <signal.h>
#include <sys/resource.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <sstream>

#include "engine/remote/own_process.h"
#include "tests/app/session/children.h"
#include "tests/support/session_watch.h"

namespace streamscope::session {
namespace {

namespace fs = std::filesystem;
using ::testing::HasSubstr;
using ::testing::Not;
using testing_session::Watch;

remote::message::StartRun predicted_request() {
  remote::message::StartRun run;
  run.device = "model";
  run.program = "buffer x 1MiB\nstream A\nA: h2d x\nA: axpb x fma=4\nA: d2h x\n";
  run.predict = "auto";
  return run;
}

// The line of /proc/PID/limits, in single blanks.
std::string limit_of(pid_t process, const std::string& name) {
  std::ifstream limits("/proc/" + std::to_string(process) + "/limits");
  for (std::string line; std::getline(limits, line);) {
    if (line.rfind(name, 0) != 0) continue;
    std::istringstream words(line.substr(name.size()));
    std::string soft, hard;
    words >> soft >> hard;
    return soft + " " + hard;
  }
  return "none";
}

TEST(Confined, AnEngineHasLimits) {
  Watch watch("exec " STREAMSCOPE_PROGRAM " engine");
  ASSERT_TRUE(watch.await<session_event::EngineUp>());
  const pid_t engine = watch.session().engine_process();
  EXPECT_EQ(limit_of(engine, "Max core file size"), "0 0");
  std::istringstream files(limit_of(engine, "Max open files"));
  std::uint64_t soft = 0, hard = 0, largest = 0;
  ASSERT_TRUE(files >> soft >> hard);
  EXPECT_LE(soft, hard);
  EXPECT_LE(hard, remote::kMostDescriptors);
  std::istringstream size(limit_of(engine, "Max file size"));
  ASSERT_TRUE(size >> largest) << "unlimited";
  EXPECT_LE(largest, remote::kLargestFile);
  // CUDA reserves far more of it than there is memory.
  rlimit ours{};
  getrlimit(RLIMIT_AS, &ours);
  if (ours.rlim_max == RLIM_INFINITY) {
    EXPECT_EQ(limit_of(engine, "Max address space"), "unlimited unlimited");
  }
}

// Whatever the window and the libraries in it have open.
TEST(Confined, AnEngineGetsNoDescriptorButItsThree) {
  constexpr int kOpen = 333;
  ASSERT_EQ(dup2(STDIN_FILENO, kOpen), kOpen);  // not close-on-exec
  const std::string looks = "test -e /proc/self/fd/333 && echo it is open >&2; exit 3";
  Watch watch(looks);
  const auto lost = watch.await<session_event::EngineLost>();
  ASSERT_TRUE(lost);
  EXPECT_EQ(lost->last_words, "");

  ASSERT_EQ(dup2(STDIN_FILENO, kOpen), kOpen);
  const fs::path script = fs::path(::testing::TempDir()) / ("looks-" + std::to_string(getpid()));
  std::ofstream(script) << "#!/bin/sh\n" << looks << "\n";
  fs::permissions(script, fs::perms::owner_all);
  const auto ended =
      remote::run_in_own_process(std::vector{predicted_request()}, {}, {script.string(), 60'000'000'000});
  ASSERT_FALSE(ended);
  EXPECT_THAT(ended.error().message, Not(HasSubstr("it is open")));
  fs::remove(script);
  close(kOpen);
}

// Wherever a program looks for a place to write to, nothing is written.
TEST(Confined, AnEngineWritesNoFile) {
  std::string name = ::testing::TempDir() + "engine-XXXXXX";
  ASSERT_NE(mkdtemp(name.data()), nullptr);
  Watch watch("cd '" + name + "' && export HOME='" + name + "' TMPDIR='" + name + "' XDG_CACHE_HOME='" + name +
              "' XDG_CONFIG_HOME='" + name + "' && exec '" STREAMSCOPE_PROGRAM "' engine");
  ASSERT_TRUE(watch.await<session_event::EngineUp>());
  auto wanted = predicted_request();
  wanted.options.verify = true;
  watch.session().start(wanted);
  ASSERT_TRUE(watch.await<session_event::RunDone>());
  wanted.program = "nonsense";
  watch.session().start(wanted);
  ASSERT_TRUE(watch.await<session_event::RunFailed>());
  watch.end();
  EXPECT_TRUE(fs::is_empty(name));
  fs::remove_all(name);
}

// Its input does not end, since somebody else holds the other end of it: then its parent's end is its own.
TEST(Confined, AnEngineEndsWithItsParent) {
  int in[2], out[2], told[2];
  for (int* pipe : {in, out, told}) ASSERT_EQ(pipe2(pipe, O_CLOEXEC), 0);
  const remote::Descriptor kept(in[1]), said(out[0]), number(told[0]);
  const pid_t parent = fork();
  if (parent == 0) {
    const pid_t engine = fork();
    if (engine == 0) {
      dup2(in[0], STDIN_FILENO);
      dup2(out[1], STDOUT_FILENO);
      execl(STREAMSCOPE_PROGRAM, STREAMSCOPE_PROGRAM, "engine", nullptr);
      _exit(127);
    }
    if (write(told[1], &engine, sizeof engine) != sizeof engine) _exit(1);
    for (;;) pause();
  }
  for (const int end : {in[0], out[1], told[1]}) close(end);
  pid_t engine = 0;
  ASSERT_EQ(read(number.get(), &engine, sizeof engine), static_cast<ssize_t>(sizeof engine));
  char hello = 0;
  EXPECT_EQ(read(said.get(), &hello, 1), 1);
  kill(parent, SIGKILL);
  ASSERT_EQ(waitpid(parent, nullptr, 0), parent);
  EXPECT_TRUE(ends(engine)) << "it lives on";
  kill(engine, SIGKILL);
}

}  // namespace
}  // namespace streamscope::session
