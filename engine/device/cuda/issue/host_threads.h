// The host threads of a run besides the first one: started and joined by the program's operations.
#pragma once

#include <cuda_runtime_api.h>

#include <atomic>
#include <condition_variable>
#include <functional>
#include <mutex>
#include <thread>
#include <vector>

#include "engine/base/stop_flag.h"
#include "engine/program/program.h"

namespace streamscope::cuda {

class HostThreads {
 public:
  // What a thread does; `started_by`: the operation that started it.
  using Body = std::function<void(ThreadId, OperationIndex started_by)>;
  HostThreads(std::size_t threads, const StopFlag& stop, Body body)
      : stop_(stop), body_(std::move(body)), threads_(threads), ended_(threads, false) {}
  ~HostThreads() { finish(); }
  HostThreads(const HostThreads&) = delete;
  HostThreads& operator=(const HostThreads&) = delete;

  cudaError_t start(ThreadId thread, OperationIndex by);
  // Waits until the thread has issued all of its operations, or the run is over.
  void join(ThreadId thread);
  // No thread issues anything any more.
  void end_run() noexcept;
  const std::atomic<bool>& over() const { return over_; }
  // Waits until all have ended.
  void finish() noexcept;

 private:
  const StopFlag& stop_;
  const Body body_;
  std::atomic<bool> over_ = false;
  std::mutex mutex_;
  std::condition_variable_any changed_;
  std::vector<std::thread> threads_;  // by ThreadId
  std::vector<bool> ended_;
};

}  // namespace streamscope::cuda
