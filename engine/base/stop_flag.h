// Whether a stop was requested, as the code that is to stop reads it. The code that requests it has a StopSource
// (stop_source.h).
#pragma once

#include <atomic>
#include <memory>
#include <utility>

namespace streamscope {

// May be copied and read from any thread. It needs neither threads nor locks, so that rooms that compile anywhere can
// use it; code that must be woken by a stop gets a std::stop_token from stop_source.h.
class StopFlag {
 public:
  StopFlag() = default;  // never requested
  bool stop_requested() const { return state_ != nullptr && state_->requested.load(std::memory_order_acquire); }

 private:
  friend class StopSource;
  struct State {
    std::atomic<bool> requested = false;
  };
  explicit StopFlag(std::shared_ptr<const State> state) : state_(std::move(state)) {}
  std::shared_ptr<const State> state_;
};

}  // namespace streamscope
