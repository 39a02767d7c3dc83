#include "engine/device/cuda/own/time_limit.h"

#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <utility>

#include "engine/base/error.h"

namespace streamscope::cuda {

// So far ahead a clock's count does not overflow.
constexpr Nanoseconds kLongest = 24 * 3'600'000'000'000;

TimeLimit::TimeLimit(Nanoseconds limit, std::string message) {
  limit = std::min(limit, kLongest);
  thread_ = std::thread([this, limit, message = std::move(message) + "\n"] {
    std::unique_lock lock(mutex_);
    if (over_.wait_for(lock, std::chrono::nanoseconds(limit), [this] { return in_time_; })) return;
    // Nothing is cleaned up: the driver would wait for the kernel.
    [[maybe_unused]] const auto written = ::write(STDERR_FILENO, message.data(), message.size());
    ::_exit(exit_code(ErrorKind::device_failed));
  });
}

TimeLimit::~TimeLimit() {
  {
    const std::lock_guard lock(mutex_);
    in_time_ = true;
  }
  over_.notify_all();
  thread_.join();
}

}  // namespace streamscope::cuda
