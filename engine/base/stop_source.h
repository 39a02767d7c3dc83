// Asks for a stop: the other end of a StopFlag, for rooms that have threads.
#pragma once

#include <stop_token>

#include "engine/base/stop_flag.h"

namespace streamscope {

// Copies are one source. Flags outlive it.
class StopSource {
 public:
  StopSource() : state_(std::make_shared<State>()) {}
  StopFlag flag() const { return StopFlag(state_); }
  // Calls, on this thread, those who wait for it; hold no lock that they may want.
  void request_stop() const {
    state_->requested.store(true, std::memory_order_release);
    state_->source.request_stop();
  }

  // For std::stop_callback and condition_variable_any, whose thread sees the flag raised too. A flag that is never
  // raised gives a token that never is.
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
