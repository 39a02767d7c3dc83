// Ctrl-C as a polite stop.
#pragma once

#include <signal.h>

#include <stop_token>
#include <thread>

namespace streamscope::cli {

// While it lives, the first SIGINT or SIGTERM asks the stop token to stop; the second ends the process as usual. A
// signal handler may do next to nothing, so it writes one byte to a pipe and a thread reads it. One at a time in a
// process.
class Interrupt {
 public:
  Interrupt();
  ~Interrupt();
  Interrupt(const Interrupt&) = delete;
  Interrupt& operator=(const Interrupt&) = delete;

  std::stop_token token() const { return stop_.get_token(); }

 private:
  void listen();

  std::stop_source stop_;
  int read_end_ = -1, write_end_ = -1;
  struct sigaction old_interrupt_ {};
  struct sigaction old_terminate_ {};
  std::thread listener_;
};

}  // namespace streamscope::cli
