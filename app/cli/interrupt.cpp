#include "app/cli/interrupt.h"

#include <fcntl.h>
#include <unistd.h>

#include <atomic>
#include <cerrno>

#include "engine/base/ending.h"

namespace streamscope::cli {
namespace {

constexpr char kStop = 's', kQuit = 'q';

std::atomic<int> pipe_to_listener = -1;
static_assert(std::atomic<int>::is_always_lock_free, "read in a signal handler");

std::atomic<bool> asked = false;

void on_signal(int signal) {
  if (asked.exchange(true) || EndlessWait::any()) return end_by_signal(signal);
  const int kept = errno;
  const int to = pipe_to_listener.load();
  if (to >= 0) {
    const ssize_t written = ::write(to, &kStop, 1);
    (void)written;  // a full pipe holds a stop already
  }
  errno = kept;
}

}  // namespace

Interrupt::Interrupt() {
  int ends[2];
  // Without a pipe (no descriptors left) Ctrl-C ends the process at once, as it does anyway.
  if (::pipe2(ends, O_CLOEXEC) != 0) return;
  read_end_ = ends[0];
  write_end_ = ends[1];
  listener_ = std::thread([this] { listen(); });
  pipe_to_listener = write_end_;
  asked = false;
  struct sigaction action {};
  action.sa_handler = on_signal;
  action.sa_flags = SA_RESTART;
  sigemptyset(&action.sa_mask);
  ::sigaction(SIGINT, &action, &old_interrupt_);
  ::sigaction(SIGTERM, &action, &old_terminate_);
}

Interrupt::~Interrupt() { end(); }

void Interrupt::end() {
  if (write_end_ < 0) return;
  ::sigaction(SIGINT, &old_interrupt_, nullptr);
  ::sigaction(SIGTERM, &old_terminate_, nullptr);
  pipe_to_listener = -1;
  while (::write(write_end_, &kQuit, 1) < 0 && errno == EINTR) {
  }
  listener_.join();
  ::close(read_end_);
  ::close(write_end_);
  write_end_ = -1;
}

void Interrupt::listen() {
  for (;;) {
    char byte = kQuit;
    const ssize_t got = ::read(read_end_, &byte, 1);
    if (got < 0 && errno == EINTR) continue;
    if (got != 1 || byte == kQuit) return;
    stop_.request_stop();
  }
}

}  // namespace streamscope::cli
