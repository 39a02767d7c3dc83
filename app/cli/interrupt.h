// Ctrl-C as a polite stop.
#pragma once

#include <signal.h>

#include <thread>

#include "engine/base/stop_source.h"

namespace streamscope::cli {

// While it lives, the first SIGINT or SIGTERM raises the stop flag; the second ends the process as usual, and so does
// the first where something is waited for that may never come (EndlessWait). A signal handler may do next to nothing,
// so it writes one byte to a pipe and a thread reads it. One at a time in a process.
class Interrupt {
 public:
  Interrupt();
  ~Interrupt();
  Interrupt(const Interrupt&) = delete;
  Interrupt& operator=(const Interrupt&) = delete;

  StopFlag flag() const { return stop_.flag(); }
  // All that can be stopped has ended: from here on a signal ends the process as usual. For the files that are written
  // behind a run, of which none is left half written.
  void end();

 private:
  void listen();

  StopSource stop_;
  int read_end_ = -1, write_end_ = -1;
  struct sigaction old_interrupt_ {};
  struct sigaction old_terminate_ {};
  std::thread listener_;
};

}  // namespace streamscope::cli
