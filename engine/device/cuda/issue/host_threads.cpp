#include "engine/device/cuda/issue/host_threads.h"

#include <algorithm>
#include <system_error>

#include "engine/base/stop_source.h"

namespace streamscope::cuda {

cudaError_t HostThreads::start(ThreadId thread, OperationIndex by) {
  try {
    const std::lock_guard lock(mutex_);
    threads_[thread.value] = std::thread([this, thread, by] {
      body_(thread, by);
      {
        const std::lock_guard ending(mutex_);
        ended_[thread.value] = true;
      }
      changed_.notify_all();
    });
    return cudaSuccess;
  } catch (const std::system_error&) {
    return cudaErrorOperatingSystem;
  }
}

void HostThreads::join(ThreadId thread) {
  std::unique_lock lock(mutex_);
  changed_.wait(lock, StopSource::token(stop_),
                [&] { return ended_[thread.value] || over_.load(std::memory_order_relaxed); });
}

void HostThreads::end_run() noexcept {
  {
    const std::lock_guard lock(mutex_);
    over_.store(true, std::memory_order_relaxed);
  }
  changed_.notify_all();
}

void HostThreads::finish() noexcept {
  while (true) {
    std::thread one;
    {
      const std::lock_guard lock(mutex_);
      const auto running =
          std::find_if(threads_.begin(), threads_.end(), [](const std::thread& thread) { return thread.joinable(); });
      if (running == threads_.end()) return;
      one = std::move(*running);
    }
    one.join();
  }
}

}  // namespace streamscope::cuda
