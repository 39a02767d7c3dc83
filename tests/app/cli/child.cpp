#include "tests/app/cli/child.h"

#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <chrono>

extern char** environ;

namespace streamscope::cli {
namespace {

struct Pipe {
  int ends[2] = {-1, -1};
  Pipe() {
    if (::pipe2(ends, O_CLOEXEC) != 0) ends[0] = ends[1] = -1;
  }
  ~Pipe() {
    shut(0);
    shut(1);
  }
  Pipe(const Pipe&) = delete;
  Pipe& operator=(const Pipe&) = delete;
  void shut(int end) {
    if (ends[end] >= 0) ::close(ends[end]);
    ends[end] = -1;
  }
};

std::vector<std::string> environment(const ChildOptions& options) {
  std::vector<std::string> variables;
  for (char** at = environ; *at != nullptr; ++at) {
    const std::string variable = *at;
    const std::string name = variable.substr(0, variable.find('='));
    if (name == "DISPLAY" || name == "WAYLAND_DISPLAY" || options.environment.contains(name)) continue;
    variables.push_back(variable);
  }
  for (const auto& [name, value] : options.environment) variables.push_back(name + "=" + value);
  return variables;
}

std::vector<char*> pointers(std::vector<std::string>& texts) {
  std::vector<char*> all;
  for (std::string& text : texts) all.push_back(text.data());
  all.push_back(nullptr);
  return all;
}

// Takes what there is; closes the pipe at its end.
void drain(Pipe& pipe, std::string& into) {
  char block[1 << 16];
  const ssize_t got = ::read(pipe.ends[0], block, sizeof block);
  if (got > 0) {
    into.append(block, static_cast<std::size_t>(got));
  } else if (got == 0 || errno != EINTR) {
    pipe.shut(0);
  }
}

#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
constexpr std::chrono::minutes kLongest(5);
#else
constexpr std::chrono::minutes kLongest(1);
#endif

}  // namespace

ChildResult streamscope_child(const std::vector<std::string>& arguments, const ChildOptions& options) {
  ::signal(SIGPIPE, SIG_IGN);  // a child may end before it has read its input
  std::vector<std::string> words = {STREAMSCOPE_PROGRAM};
  words.insert(words.end(), arguments.begin(), arguments.end());
  std::vector<std::string> variables = environment(options);
  Pipe in, out, err;
  posix_spawn_file_actions_t actions;
  posix_spawn_file_actions_init(&actions);
  posix_spawn_file_actions_adddup2(&actions, in.ends[0], 0);
  posix_spawn_file_actions_adddup2(&actions, out.ends[1], 1);
  posix_spawn_file_actions_adddup2(&actions, err.ends[1], 2);
  pid_t pid = 0;
  ChildResult result;
  const int failed =
      ::posix_spawn(&pid, STREAMSCOPE_PROGRAM, &actions, nullptr, pointers(words).data(), pointers(variables).data());
  posix_spawn_file_actions_destroy(&actions);
  if (failed != 0) {
    result.err = "cannot start " STREAMSCOPE_PROGRAM;
    return result;
  }
  in.shut(0);
  out.shut(1);
  err.shut(1);
  std::size_t written = 0;
  bool stopped = options.stop_after.empty();
  const auto end = std::chrono::steady_clock::now() + kLongest;
  while (out.ends[0] >= 0 || err.ends[0] >= 0) {
    if (in.ends[1] >= 0 && written == options.input.size()) in.shut(1);
    pollfd files[] = {{out.ends[0], POLLIN, 0}, {err.ends[0], POLLIN, 0}, {in.ends[1], POLLOUT, 0}};
    ::poll(files, 3, 1000);
    if (std::chrono::steady_clock::now() > end) {
      ::kill(pid, SIGKILL);
      break;
    }
    if (files[0].revents != 0) drain(out, result.out);
    if (files[1].revents != 0) drain(err, result.err);
    if (files[2].revents != 0) {
      const std::size_t piece = std::min<std::size_t>(options.input.size() - written, 4096);
      const ssize_t put = ::write(in.ends[1], options.input.data() + written, piece);
      if (put > 0) written += static_cast<std::size_t>(put);
      if (put < 0 && errno != EINTR) in.shut(1);
    }
    if (!stopped && result.err.find(options.stop_after) != std::string::npos) {
      ::kill(pid, SIGINT);
      stopped = true;
    }
  }
  int status = 0;
  while (::waitpid(pid, &status, 0) < 0 && errno == EINTR) {
  }
  if (WIFEXITED(status)) result.code = WEXITSTATUS(status);
  if (WIFSIGNALED(status)) result.signal = WTERMSIG(status);
  return result;
}

}  // namespace streamscope::cli
