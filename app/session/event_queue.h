// What the session's thread leaves for the window's thread.
#pragma once

#include <cstddef>
#include <functional>
#include <mutex>
#include <utility>
#include <vector>

#include "app/session/session.h"

namespace streamscope::session {

class EventQueue {
 public:
  explicit EventQueue(std::function<void()> wake) : wake_(std::move(wake)) {}

  // Where nobody polls, previews are left out and the newest progress replaces the one before, so that only what the
  // window asked for adds up.
  void put(SessionEvent event) {
    {
      const std::lock_guard lock(mutex_);
      if (std::holds_alternative<session_event::RunSpans>(event) && ++previews_ > kMostPreviews) return;
      const bool again = std::holds_alternative<session_event::RunPasses>(event) && !events_.empty() &&
                         std::holds_alternative<session_event::RunPasses>(events_.back());
      if (again) events_.pop_back();
      events_.push_back(std::move(event));
    }
    if (wake_) wake_();
  }

  std::vector<SessionEvent> take() {
    const std::lock_guard lock(mutex_);
    previews_ = 0;
    return std::exchange(events_, {});
  }

 private:
  static constexpr std::size_t kMostPreviews = 64;
  const std::function<void()> wake_;
  std::mutex mutex_;
  std::vector<SessionEvent> events_;
  std::size_t previews_ = 0;
};

}  // namespace streamscope::session
