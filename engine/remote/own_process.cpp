#include "engine/remote/own_process.h"

#include <fcntl.h>
#include <poll.h>
#include <spawn.h>
#include <sys/socket.h>
#include <sys/wait.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <csignal>
#include <cstring>
#include <utility>

#include "engine/base/quantity.h"
#include "engine/base/translate.h"
#include "engine/program/limits.h"
#include "engine/program/read_program.h"
#include "engine/remote/confine.h"
#include "engine/remote/descriptor.h"
#include "engine/remote/wire.h"

extern char** environ;

namespace streamscope::remote {
namespace {

constexpr int kLook = 100;  // ms: how often a stop is looked for
constexpr std::size_t kLastWordsKept = 2000;
// Of 160 processes of 31 passes each, 14 crashed (docs/cuda-rules.md 19); 30 timed runs are about twice as many passes.
constexpr int kMostRunsAlone = 30;
constexpr int kTriesAlone = 3;
constexpr std::size_t kMostSpans = program::kMaximumOperations + 1;  // with the synchronisation at the end

tl::unexpected<Error> stopped_on_request() { return fail(ErrorKind::cancelled, tr("The run was stopped on request.")); }

class Child {
 public:
  Child() = default;
  Child(const Child&) = delete;
  Child& operator=(const Child&) = delete;
  ~Child() { end(); }

  Result<void> start(const std::string& executable) {
    std::array<int, 2> in{}, out{}, err{};
    // A socket, since writing to the pipe of a dead process would end this one.
    if (socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, in.data()) != 0) return failed(errno);
    const Descriptor in_child(in[1]);
    in_ = Descriptor(in[0]);
    if (pipe2(out.data(), O_CLOEXEC) != 0) return failed(errno);
    out_ = Descriptor(out[0]);
    const Descriptor out_child(out[1]);
    if (pipe2(err.data(), O_CLOEXEC) != 0) return failed(errno);
    err_ = Descriptor(err[0]);
    const Descriptor err_child(err[1]);

    posix_spawn_file_actions_t actions;
    posix_spawnattr_t attributes;
    posix_spawn_file_actions_init(&actions);
    posix_spawnattr_init(&attributes);
    posix_spawn_file_actions_adddup2(&actions, in_child.get(), 0);
    posix_spawn_file_actions_adddup2(&actions, out_child.get(), 1);
    posix_spawn_file_actions_adddup2(&actions, err_child.get(), 2);
    // A group of its own: what it starts ends with it, and an interrupt at the terminal is ours to pass on.
    posix_spawnattr_setflags(&attributes, POSIX_SPAWN_SETPGROUP);
    posix_spawnattr_setpgroup(&attributes, 0);
    std::string program = executable.empty() ? "/proc/self/exe" : executable, word = "engine";
    std::array<char*, 3> arguments{program.data(), word.data(), nullptr};
    keep_descriptors();
    const int code = posix_spawn(&pid_, program.c_str(), &actions, &attributes, arguments.data(), environ);
    posix_spawn_file_actions_destroy(&actions);
    posix_spawnattr_destroy(&attributes);
    if (code != 0) {
      pid_ = 0;
      return failed(code);
    }
    return {};
  }

  // Waits for room only while the other end takes some.
  Result<void> send(const Message& message, const StopFlag& stop, Nanoseconds limit) {
    const std::vector<std::uint8_t> bytes = encode(message);
    Nanoseconds silent_until = host_now() + limit;
    for (std::size_t sent = 0; sent < bytes.size();) {
      const ssize_t count = ::send(in_.get(), bytes.data() + sent, bytes.size() - sent, MSG_NOSIGNAL | MSG_DONTWAIT);
      if (count > 0) {
        sent += static_cast<std::size_t>(count);
        silent_until = host_now() + limit;
      } else if (errno == EAGAIN) {
        TRY(wait({in_.get(), POLLOUT, 0}, stop, silent_until, limit));
      } else if (errno != EINTR) {
        return ended();
      }
    }
    return {};
  }

  // The next message, or why there is none.
  Result<Message> receive(const StopFlag& stop, Nanoseconds limit) {
    for (Nanoseconds silent_until = host_now() + limit;;) {
      auto message = TRY(frames_.next());
      if (message) return std::move(*message);
      if (!TRY(wait({out_.get(), POLLIN, 0}, stop, silent_until, limit))) continue;
      std::array<std::uint8_t, 64 << 10> buffer;
      const ssize_t count = read(out_.get(), buffer.data(), buffer.size());
      if (count < 0 && errno == EINTR) continue;
      if (count <= 0) return ended();
      frames_.feed({buffer.data(), static_cast<std::size_t>(count)});
      silent_until = host_now() + limit;
    }
  }

  // By a signal of its own making, in the middle of what was asked.
  bool has_crashed() const { return has_crashed_; }

 private:
  static tl::unexpected<Error> failed(int code) {
    return fail(ErrorKind::device_failed, tr("Another engine process could not be started: {}.", std::strerror(code)));
  }
  // For a moment: whether it is ready. Reads what the process complains of meanwhile.
  Result<bool> wait(pollfd wanted, const StopFlag& stop, Nanoseconds silent_until, Nanoseconds limit) {
    if (stop.stop_requested()) return stopped_on_request();
    if (host_now() > silent_until) {
      return fail(ErrorKind::device_failed, tr("The other engine process was silent for {}.", display_duration(limit)));
    }
    std::array<pollfd, 2> watched{{wanted, {err_.get(), POLLIN, 0}}};
    if (poll(watched.data(), err_ended_ ? 1 : 2, kLook) <= 0) return false;
    if (watched[1].revents != 0) read_last_words();
    return watched[0].revents != 0;
  }
  void read_last_words() {
    std::array<char, 4096> buffer;
    const ssize_t count = read(err_.get(), buffer.data(), buffer.size());
    if (count <= 0) {
      err_ended_ = true;
      return;
    }
    last_words_.append(buffer.data(), static_cast<std::size_t>(count));
    if (last_words_.size() > kLastWordsKept) last_words_.erase(0, last_words_.size() - kLastWordsKept);
  }
  // It is gone on return. Where it dies by itself, a second signal changes nothing of how. Gives its status.
  int end() {
    int status = 0;
    if (pid_ <= 0) return status;
    kill(-pid_, SIGKILL);
    while (waitpid(pid_, &status, 0) < 0 && errno == EINTR) {
    }
    pid_ = 0;
    return status;
  }
  // Its end of the pipe is closed.
  tl::unexpected<Error> ended() {
    const int status = end(), signal = WIFSIGNALED(status) ? WTERMSIG(status) : 0;
    has_crashed_ = signal == SIGSEGV || signal == SIGBUS || signal == SIGABRT;
    for (pollfd rest{err_.get(), POLLIN, 0}; !err_ended_ && poll(&rest, 1, kLook) > 0;) read_last_words();
    return fail(ErrorKind::device_failed, last_words_.empty()
                                              ? tr("The other engine process ended.")
                                              : tr("The other engine process ended; its last words: {}", last_words_));
  }

  Descriptor in_, out_, err_;
  pid_t pid_ = 0;
  FrameReader frames_;
  bool err_ended_ = false, has_crashed_ = false;
  std::string last_words_;
};

// What to do with what a run sends on its way, and at a stop.
struct Watch {
  StopFlag stop;
  bool keeps_passes = false;  // at a stop it is asked for what it has done
  measure::Progress progress = {};
};

// What one run sends, put together.
Result<trace::Run> wait_for_run(Child& child, std::uint64_t id, const Watch& watch, const OwnProcess& process) {
  std::vector<trace::Span> spans;
  Nanoseconds stopped = kAbsent;  // when it was asked
  for (;;) {
    const bool asked = known(stopped);
    auto received = asked ? child.receive({}, stopped + process.stop_limit - host_now())
                          : child.receive(watch.stop, process.silence_limit);
    if (!received && asked) return stopped_on_request();
    if (!received && watch.keeps_passes && received.error().kind == ErrorKind::cancelled) {
      stopped = host_now();
      if (!child.send(message::Stop{id}, {}, process.stop_limit)) return stopped_on_request();
      continue;
    }
    Message message = TRY(std::move(received));
    if (auto* batch = std::get_if<message::Spans>(&message)) {
      if (!batch->final || batch->predicted) continue;
      if (spans.size() + batch->spans.size() > kMostSpans)
        return fail(ErrorKind::device_failed, tr("The other engine process sent more than {} spans.", kMostSpans));
      spans.insert(spans.end(), batch->spans.begin(), batch->spans.end());
    } else if (auto* passes = std::get_if<message::Passes>(&message)) {
      if (watch.progress && passes->total > 0) watch.progress({passes->done, passes->total, 0, std::nullopt});
    } else if (auto* failed = std::get_if<message::Failed>(&message)) {
      return fail(std::move(failed->error));
    } else if (auto* done = std::get_if<message::Done>(&message)) {
      if (done->spans != spans.size())
        return fail(ErrorKind::device_failed, tr("The other engine process lost some of its spans."));
      done->run.trace.spans = std::move(spans);
      return std::move(done->run);
    }
  }
}

Result<std::vector<trace::Run>> run_in(Child& child, std::span<const message::StartRun> requests, const Watch& watch,
                                       const OwnProcess& process) {
  if (watch.stop.stop_requested()) return stopped_on_request();
  TRY(child.start(process.executable));
  TRY(child.send(message::Hello{}, watch.stop, process.silence_limit));
  std::vector<trace::Run> runs;
  for (const message::StartRun& request : requests) {
    TRY(child.send(request, watch.stop, process.silence_limit));
    runs.push_back(TRY(wait_for_run(child, request.id, watch, process)));
  }
  return runs;
}

}  // namespace

Result<std::vector<trace::Run>> run_in_own_process(std::span<const message::StartRun> requests, const StopFlag& stop,
                                                   const OwnProcess& process) {
  Child child;
  return run_in(child, requests, {stop}, process);
}

bool needs_own_process(const program::Program& program, const device::DeviceInfo& device,
                       const measure::MeasureOptions& options) {
  return !options.own_process && device.kind == trace::Provenance::Kind::measured &&
         (program::ends_its_process(program) || program.breaks_capture != kNoOperation);
}

Result<trace::Run> run_alone(message::StartRun request, const StopFlag& stop, const measure::Progress& progress,
                             const OwnProcess& process) {
  request.id = 1;  // a stop must name it
  request.predict.clear();
  request.options.own_process = true;
  const auto read = TRY(program::read_program(request.program, "program"));
  const bool ends = program::ends_its_process(read.program);
  const int asked = request.options.runs;
  if (!ends) {
    request.options.runs = std::min(asked, kMostRunsAlone);
    request.options.min_samples = std::min(request.options.min_samples, kMostRunsAlone);
  }
  for (int crashed = 0;;) {
    Child child;
    auto runs = run_in(child, {&request, 1}, {stop, !ends, progress}, process);
    if (!runs && child.has_crashed() && !ends) {
      if (stop.stop_requested()) return stopped_on_request();
      if (++crashed < kTriesAlone) continue;
      return fail(ErrorKind::device_failed,
                  tr("The process that ran the program crashed {} times in a row: CUDA's driver does so now and then "
                     "where a call breaks another thread's capture. With mode=thread-local on the graph such calls "
                     "break nothing. {}",
                     crashed, runs.error().message));
    }
    trace::Run run = std::move(TRY(std::move(runs)).front());
    if (request.options.runs < asked)
      run.notes.push_back(
          {trace::NoteKind::gpu, tr("A call of it may break another thread's capture, in which CUDA's driver crashes "
                                    "now and then, so it was timed at most {} times and not {}.",
                                    request.options.runs, asked)});
    if (crashed > 0)
      run.notes.push_back(
          {trace::NoteKind::gpu,
           tr_n(
               "The process that ran it crashed once, and it was run again: CUDA's driver does so now and then where a "
               "call breaks another thread's capture.",
               "The process that ran it crashed {} times, and it was run again: CUDA's driver does so now and then "
               "where a call breaks another thread's capture.",
               crashed, crashed)});
    return run;
  }
}

Result<referee::Opinion> ask_referee(const message::StartRun& judged, const StopFlag& stop, const OwnProcess& process) {
  const auto read = TRY(program::read_program(judged.program, "program"));
  if (program::ends_its_process(read.program))
    return fail(ErrorKind::bad_input,
                tr("The program takes its process along: there are no other passes of it that a referee could see."));
  message::StartRun request = judged;
  request.predict.clear();
  request.referee = false;
  request.options = referee::options_of(judged.options);
  request.options.own_process = true;
  const std::vector<message::StartRun> requests(referee::kPasses, request);
  const std::vector<trace::Run> runs = TRY(run_in_own_process(requests, stop, process));
  return referee::opinion_of(runs);
}

}  // namespace streamscope::remote
