// What is to happen when a signal ends the process: files that are half written go with it, and whoever waits for the
// other end of a pipe is not asked politely.
#pragma once

#include <filesystem>

namespace streamscope {

// While it lives, SIGINT, SIGTERM or SIGHUP remove the file before they end the process. A signal that somebody else
// handles, or that is ignored, is left to them; whose handler ends the process calls end_by_signal(). There may be 32
// at once, with names of up to 4095 bytes: others are not looked after.
class RemovedWhenEnded {
 public:
  explicit RemovedWhenEnded(const std::filesystem::path& file);
  ~RemovedWhenEnded();
  RemovedWhenEnded(const RemovedWhenEnded&) = delete;
  RemovedWhenEnded& operator=(const RemovedWhenEnded&) = delete;

 private:
  int place_ = -1;
};

// While one lives, something is waited for that may never come: that somebody opens the other end of a pipe, writes
// into it, or reads from it. A handler that only raises a flag would not be heard; it is to end the process.
class EndlessWait {
 public:
  EndlessWait();
  ~EndlessWait();
  EndlessWait(const EndlessWait&) = delete;
  EndlessWait& operator=(const EndlessWait&) = delete;
  static bool any();
};

// Removes those files, and ends the process as the signal does by itself. For signal handlers.
void end_by_signal(int signal);

}  // namespace streamscope
