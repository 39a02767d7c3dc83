#include "app/session/engine_process.h"

#include <fmt/core.h>
#include <poll.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include <climits>
#include <csignal>
#include <cstring>
#include <memory>
#include <utility>
#include <vector>

#include "engine/base/translate.h"
#include "engine/base/utf8.h"
#include "engine/remote/confine.h"
#include "engine/remote/descriptor.h"

namespace streamscope::session {
namespace {

constexpr std::size_t kLastWords = 4096;
constexpr Nanoseconds kDrain = 500'000'000;  // for the rest of a dead engine's output, and for the end of a killed one
constexpr Nanoseconds kBury = 1'000'000'000;

struct Write {
  uv_write_t request{};
  std::vector<std::uint8_t> bytes;
};

EngineProcess& child_of(const uv_handle_t* handle) { return *static_cast<EngineProcess*>(handle->data); }

// The path itself where it is still there, so that the process shows under its name; a program replaced on disk while
// it runs is still found through the link.
std::string this_executable() {
  char path[PATH_MAX];
  const ssize_t length = readlink("/proc/self/exe", path, sizeof path);
  std::string name(path, length > 0 ? static_cast<std::size_t>(length) : 0);
  return !name.empty() && access(name.c_str(), X_OK) == 0 ? name : "/proc/self/exe";
}

void wait_for_end(pid_t of, Nanoseconds most) {
  const remote::Descriptor process(static_cast<int>(syscall(SYS_pidfd_open, of, 0)));
  pollfd ended{process.get(), POLLIN, 0};
  poll(&ended, 1, static_cast<int>(most / 1'000'000));
}

template <class Handle>
uv_handle_t* plain(Handle* handle) {
  return reinterpret_cast<uv_handle_t*>(handle);  // libuv's own way: every handle begins as one
}
uv_stream_t* stream(uv_pipe_t* pipe) { return reinterpret_cast<uv_stream_t*>(pipe); }

}  // namespace

void EngineProcess::start(uv_loop_t* loop, const std::string& command) {
  uv_timer_init(loop, &deadline_);
  for (uv_pipe_t* pipe : {&in_, &out_, &err_}) uv_pipe_init(loop, pipe, 0);
  for (uv_handle_t* handle : {plain(&deadline_), plain(&in_), plain(&out_), plain(&err_)}) {
    handle->data = this;
    ++open_handles_;
  }

  shell_ = !command.empty();
  std::vector<std::string> words{"/bin/sh", "-c", command};
  if (!shell_) words = {this_executable(), "engine"};
  std::vector<char*> arguments;
  for (std::string& word : words) arguments.push_back(word.data());
  arguments.push_back(nullptr);

  const auto end = [](uv_pipe_t& pipe, uv_stdio_flags way) {
    return uv_stdio_container_t{static_cast<uv_stdio_flags>(UV_CREATE_PIPE | way), {stream(&pipe)}};
  };
  uv_stdio_container_t pipes[] = {end(in_, UV_READABLE_PIPE), end(out_, UV_WRITABLE_PIPE), end(err_, UV_WRITABLE_PIPE)};

  uv_process_options_t options{};
  options.file = arguments[0];
  options.args = arguments.data();
  options.flags = UV_PROCESS_DETACHED;  // a session and so a process group of its own
  options.stdio = pipes;
  options.stdio_count = 3;
  options.exit_cb = [](uv_process_t* process, std::int64_t code, int signal) {
    child_of(plain(process)).on_exit(code, signal);
  };
  remote::keep_descriptors();
  const int error = uv_spawn(loop, &process_, &options);
  process_.data = this;
  ++open_handles_;
  if (error != 0) {
    why_ = tr("The engine could not be started: {}: {}.", words[0], uv_strerror(error));
    out_ended_ = err_ended_ = true;
    arm(0);  // reported from the loop, as all else
    return;
  }
  pid_ = process_.pid;
  alive_ = true;

  const auto give_out = [](uv_handle_t* handle, std::size_t, uv_buf_t* buffer) {
    auto& room = child_of(handle).out_buffer_;
    *buffer = uv_buf_init(room.data(), room.size());
  };
  const auto give_err = [](uv_handle_t* handle, std::size_t, uv_buf_t* buffer) {
    auto& room = child_of(handle).err_buffer_;
    *buffer = uv_buf_init(room.data(), room.size());
  };
  uv_read_start(stream(&out_), give_out,
                [](uv_stream_t* from, ssize_t count, const uv_buf_t*) { child_of(plain(from)).read_output(count); });
  uv_read_start(stream(&err_), give_err,
                [](uv_stream_t* from, ssize_t count, const uv_buf_t*) { child_of(plain(from)).read_error(count); });
}

void EngineProcess::send(const remote::Message& message) {
  if (!alive_ || !why_.empty() || uv_is_closing(plain(&in_))) return;
  auto write = std::make_unique<Write>();
  write->bytes = remote::encode(message);
  const uv_buf_t buffer =
      uv_buf_init(reinterpret_cast<char*>(write->bytes.data()), static_cast<unsigned>(write->bytes.size()));
  // A write that fails means an engine that goes or hangs; its exit or its silence shows which.
  const auto done = [](uv_write_t* request, int) { delete static_cast<Write*>(request->data); };
  write->request.data = write.get();
  if (uv_write(&write->request, stream(&in_), &buffer, 1, done) == 0) static_cast<void>(write.release());
}

void EngineProcess::lose(std::string why) {
  if (!why_.empty() || reported_) return;
  why_ = std::move(why);
  if (alive_) kill_group();
  arm(kDrain);
}

void EngineProcess::end(Nanoseconds grace) {
  reported_ = true;
  if (!alive_) return close_pipes();
  close_one(plain(&in_));
  arm(grace);
}

void EngineProcess::abandon() {
  reported_ = true;
  if (alive_ || asked_) kill(-pid_, SIGKILL);
  if (alive_) {
    // The loop does not wait for it any more. On a busy machine it takes a moment to end; one that a driver holds is
    // left to whoever comes after this process.
    wait_for_end(pid_, kBury);
    waitpid(pid_, nullptr, WNOHANG);
  }
  uv_timer_stop(&deadline_);
  close_pipes();
  close_one(plain(&process_));
}

void EngineProcess::read_output(ssize_t count) {
  if (count < 0) {
    out_ended_ = true;
    cut_off_ = why_.empty() && !frames_.finish();
    uv_read_stop(stream(&out_));
    if (alive_ && !uv_is_active(plain(&deadline_))) arm(kDrain);
    return settle();
  }
  if (reported_ || !why_.empty()) return;
  frames_.feed({reinterpret_cast<const std::uint8_t*>(out_buffer_.data()), static_cast<std::size_t>(count)});
  while (!reported_ && why_.empty()) {
    auto message = frames_.next();
    if (!message) return lose(tr("The engine sent an invalid message. {}", message.error().message));
    if (!*message) return;
    listener_.message(std::move(**message));
  }
}

void EngineProcess::read_error(ssize_t count) {
  if (count < 0) {
    err_ended_ = true;
    uv_read_stop(stream(&err_));
    return settle();
  }
  last_words_.append(err_buffer_.data(), static_cast<std::size_t>(count));
  if (last_words_.size() > kLastWords) last_words_.erase(0, last_words_.size() - kLastWords);
}

void EngineProcess::on_exit(std::int64_t code, int signal) {
  alive_ = false;
  exit_code_ = code;
  exit_signal_ = signal;
  if (!asked_) kill(-pid_, SIGKILL);  // what it leaves behind; was it asked, so was that, and has the drain to end
  close_one(plain(&process_));
  arm(kDrain);
  if (reported_) return close_pipes();
  settle();
}

// The grace or the drain is over.
void EngineProcess::on_deadline() {
  if (alive_ && why_.empty() && !reported_) {
    why_ = tr("The engine closed its output.");
    kill_group();
    return arm(kDrain);
  }
  const bool only_asked = shell_ && !asked_;
  if (alive_ || asked_) kill_group();
  if (reported_) {
    // Ended politely and still there: killed now. Its exit closes the rest.
    if (!alive_) close_pipes();
    if (alive_ && only_asked) arm(kDrain);
    return;
  }
  report();
}

void EngineProcess::settle() {
  if (!alive_ && out_ended_ && err_ended_ && !reported_) report();
}

void EngineProcess::report() {
  reported_ = true;
  EngineExit end;
  end.why = why_.empty() ? how_it_ended() : why_;
  // The first character may have lost its beginning.
  std::size_t whole = 0;
  while (whole < last_words_.size() && (static_cast<std::uint8_t>(last_words_[whole]) & 0xC0u) == 0x80u) ++whole;
  end.last_words = valid_utf8(std::string_view(last_words_).substr(whole));
  if (why_.empty() && exit_signal_ == 0) end.exit_code = static_cast<int>(exit_code_);
  close_pipes();
  listener_.gone(std::move(end));
}

std::string EngineProcess::how_it_ended() const {
  std::string how;
  if (exit_signal_ != 0) {
    how = tr("The engine was killed by signal {} ({})", exit_signal_, strsignal(exit_signal_));
  } else if (exit_code_ == 0) {
    how = tr("The engine ended by itself");
  } else {
    how = tr("The engine ended with exit code {}", exit_code_);
    if (shell_ && exit_code_ == 126) how += tr(" (its command cannot be run)");
    if (shell_ && exit_code_ == 127) how += tr(" (its command was not found)");
    if (shell_ && exit_code_ > 128 && exit_code_ <= 128 + SIGRTMAX) {
      how += tr(" (as after signal {}, {})", exit_code_ - 128, strsignal(static_cast<int>(exit_code_ - 128)));
    }
  }
  if (cut_off_) how += tr(", within a message");
  return how + '.';
}

// A command is asked at first: what ends by a kill leaves behind what it has started elsewhere, srun its job.
void EngineProcess::kill_group() {
  if (pid_ > 0) kill(-pid_, shell_ && !std::exchange(asked_, true) ? SIGTERM : SIGKILL);
}

void EngineProcess::arm(Nanoseconds delay) {
  if (uv_is_closing(plain(&deadline_))) return;
  uv_timer_start(
      &deadline_, [](uv_timer_t* timer) { child_of(plain(timer)).on_deadline(); },
      static_cast<std::uint64_t>((delay + 999'999) / 1'000'000), 0);
}

void EngineProcess::close_pipes() {
  for (uv_handle_t* handle : {plain(&in_), plain(&out_), plain(&err_)}) close_one(handle);
  // A shell that was asked to end is gone before what it has started, which may ignore that: killed at the deadline.
  const bool others_end = asked_ && uv_is_active(plain(&deadline_)) && kill(-pid_, 0) == 0;
  if (!others_end) close_one(plain(&deadline_));
  if (pid_ == 0) close_one(plain(&process_));  // never started, so no exit will close it
}

void EngineProcess::close_one(uv_handle_t* handle) {
  if (uv_is_closing(handle)) return;
  uv_close(handle, [](uv_handle_t* closed) {
    EngineProcess& child = child_of(closed);
    if (--child.open_handles_ > 0) return;
    const auto report_closed = std::move(child.listener_.closed);  // outlives the child, should it be deleted
    report_closed();
  });
}

}  // namespace streamscope::session
