// Requests the stop that a StopFlag reads, for rooms that have threads.
#pragma once

#include <stop_token>

#include "engine/base/stop_flag.h"

namespace streamscope {

// Copies share one state, which the flags keep alive.
class StopSource {
 public:
  StopSource() : state_(std::make_shared<State>()) {}
  StopFlag flag() const { return StopFlag(state_); }
  // Runs the stop callbacks on this thread: the caller must not hold a lock that they take.
  void request_stop() const {
    state_->requested.store(true, std::memory_order_release);
    state_->source.request_stop();
  }

  // For std::stop_callback and condition_variable_any. A flag without a source gives a token that never stops.
  static std::stop_token token(const StopFlag& flag) {
    return flag.state_ ? static_cast<const State&>(*flag.state_).source.get_token() : std::stop_token();
  }

 private:
  struct State : StopFlag::State {
    std::stop_source source;
  };
  std::shared_ptr<State> state_;
};

}  // namespace streamscope
