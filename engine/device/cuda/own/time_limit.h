// Ends the process where what it guards takes too long: a kernel that never ends cannot be stopped otherwise.
#pragma once

#include <condition_variable>
#include <mutex>
#include <string>
#include <thread>

#include "engine/base/time.h"

namespace streamscope::cuda {

class TimeLimit {
 public:
  // `message`: to standard error, before the process ends with the exit code of device_failed.
  TimeLimit(Nanoseconds limit, std::string message);
  ~TimeLimit();
  TimeLimit(const TimeLimit&) = delete;
  TimeLimit& operator=(const TimeLimit&) = delete;

 private:
  std::mutex mutex_;
  std::condition_variable over_;
  bool in_time_ = false;
  std::thread thread_;
};

}  // namespace streamscope::cuda
