// Whether the work under way is asked to stop: for the one who does the work. The one who asks holds a StopSource
// (stop_source.h).
#pragma once

#include <atomic>
#include <memory>
#include <utility>

namespace streamscope {

// May be copied and asked from any thread. It needs neither threads nor locks, so that rooms that compile anywhere take
// it; who must be woken by a stop asks stop_source.h for its std::stop_token.
class StopFlag {
 public:
  StopFlag() = default;  // never asked to stop
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
