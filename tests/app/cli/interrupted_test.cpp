// A signal while the program waits for somebody at the other end of a pipe: the first one ends it.
#include <fcntl.h>
#include <gmock/gmock.h>
#include <poll.h>
#include <signal.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <nlohmann/json.hpp>

#include "tests/app/cli/command_line.h"

namespace streamscope::cli {
namespace {

using ::testing::HasSubstr;
using ::testing::StartsWith;

// The program in the background; one that never ends is ended after a minute, by another signal.
pid_t started(std::vector<std::string> words) {
  words.insert(words.begin(), STREAMSCOPE_PROGRAM);
  std::vector<char*> arguments;
  for (std::string& each : words) arguments.push_back(each.data());
  arguments.push_back(nullptr);
  const pid_t child = ::fork();
  if (child == 0) {
    const int nowhere = ::open("/dev/null", O_RDWR);
    for (int standard = 0; standard < 3; ++standard) ::dup2(nowhere, standard);
    for (const int signal : {SIGINT, SIGTERM}) ::signal(signal, SIG_DFL);  // whoever started the test may ignore them
    ::alarm(60);
    ::execv(STREAMSCOPE_PROGRAM, arguments.data());
    ::_exit(127);
  }
  return child;
}
// The signal that ended it; 0: it ended by itself.
int ended_by(pid_t child) {
  int status = 0;
  ::waitpid(child, &status, 0);
  return WIFSIGNALED(status) ? WTERMSIG(status) : 0;
}

class Interrupted : public CommandLine {
 protected:
  std::string pipe(const char* name) const {
    EXPECT_EQ(::mkfifo(path(name).c_str(), 0600), 0);
    return path(name);
  }
};

TEST_F(Interrupted, WhileNobodyTakesWhatItWrites) {
  const std::string out = pipe("out");
  const int reader = ::open(out.c_str(), O_RDONLY | O_NONBLOCK);
  const pid_t child = started({"run", "four-streams", "--device", "model", "--set", "chunk=1MiB", "--trace", out});
  pollfd ready{reader, POLLIN, 0};
  ASSERT_EQ(::poll(&ready, 1, 60'000), 1);  // it writes: more than goes into a pipe
  ::kill(child, SIGINT);
  EXPECT_EQ(ended_by(child), SIGINT);
  ::close(reader);
}

// ThreadSanitizer hands a signal on when the call that it came in returns, and these calls return when it is handed on.
#if !defined(__SANITIZE_THREAD__)
TEST_F(Interrupted, WhileNobodyWritesTheProfile) {
  const std::string in = pipe("profile.toml");
  const pid_t child = started({"run", "four-streams", "--device", "model:" + in});
  const int writer = ::open(in.c_str(), O_WRONLY);  // returns when the other end is opened
  ::kill(child, SIGTERM);
  EXPECT_EQ(ended_by(child), SIGTERM);
  ::close(writer);
}

TEST_F(Interrupted, WhileNobodyWritesTheInput) {
  const std::string in = pipe("in.streams");
  const pid_t child = started({"explain", in, "--device", "model"});
  const int writer = ::open(in.c_str(), O_WRONLY);
  ::kill(child, SIGINT);
  EXPECT_EQ(ended_by(child), SIGINT);
  ::close(writer);
}
#endif

// As `| head` does. What was written before is whole, and nothing else is left.
TEST_F(Interrupted, ByAReaderThatHasEnough) {
  const std::string command = "\"$0\" run four-streams --device model --set chunk=1MiB --json " + path("a.json") +
                              " --trace - | head -c 1 >/dev/null; exit ${PIPESTATUS[0]}";
  const std::string line = "bash -c '" + command + "' " STREAMSCOPE_PROGRAM;
  ::signal(SIGPIPE, SIG_DFL);  // as a shell starts it
  const int status = std::system(line.c_str());
  EXPECT_EQ(WEXITSTATUS(status), 128 + SIGPIPE);
  EXPECT_TRUE(nlohmann::json::parse(written("a.json"), nullptr, false).is_object());
  EXPECT_EQ(std::distance(std::filesystem::directory_iterator(folder_), {}), 1);
}

TEST_F(CommandLine, AnEmptyNameIsAnErrorAndNotNoName) {
  for (const Arguments& words : {Arguments{"run", "four-streams", "--json", ""}, Arguments{"run", ""},
                                 Arguments{"sweep", "--csv", ""}, Arguments{"run", "--set", ""}}) {
    const ChildResult result = streamscope_child(words, without_gpu());
    EXPECT_EQ(result.code, 2) << words.back();
    EXPECT_THAT(result.err, HasSubstr("its value is empty; write ")) << words[1];
  }
  EXPECT_THAT(streamscope_child({"run", "--json", ""}).err,
              StartsWith("--json: error: its value is empty; write --json F, such as "));
}

}  // namespace
}  // namespace streamscope::cli
