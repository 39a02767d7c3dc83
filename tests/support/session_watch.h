// A session under test, and a way to wait for its events: blocked on what `wake` signals, with a limit only a hang
// meets.
#pragma once

#include <gtest/gtest.h>

#include <chrono>
#include <condition_variable>
#include <deque>
#include <mutex>
#include <optional>
#include <string>
#include <utility>

#include "app/session/session.h"

namespace streamscope::testing_session {

class Watch {
 public:
  explicit Watch(const std::string& command, session::SessionOptions options = {}) {
    options.engine_command = command;
    options.wake = [this] {
      const std::lock_guard lock(mutex_);
      woken_ = true;
      changed_.notify_all();
    };
    session_.emplace(std::move(options));
  }

  session::Session& session() { return *session_; }
  void end() { session_.reset(); }

  // The next event, in the order of their coming; a failed test and nothing where none comes.
  std::optional<session::SessionEvent> next() {
    auto event = next_before(std::chrono::steady_clock::now() + std::chrono::seconds(60));
    if (!event) ADD_FAILURE() << "no event came";
    return event;
  }
  // Nothing where none has come by then.
  std::optional<session::SessionEvent> next_before(std::chrono::steady_clock::time_point limit) {
    while (events_.empty()) {
      {
        std::unique_lock lock(mutex_);
        if (!changed_.wait_until(lock, limit, [&] { return woken_; })) return std::nullopt;
        woken_ = false;
      }
      for (session::SessionEvent& event : session_->poll()) events_.push_back(std::move(event));
    }
    session::SessionEvent event = std::move(events_.front());
    events_.pop_front();
    return event;
  }

  // The next event of this type. Previews and progress before it are passed over; anything else fails the test.
  template <class T>
  std::optional<T> await() {
    while (auto event = next()) {
      if (auto* wanted = std::get_if<T>(&*event)) return std::move(*wanted);
      if (std::holds_alternative<session::session_event::RunSpans>(*event)) continue;
      if (std::holds_alternative<session::session_event::RunPasses>(*event)) continue;
      ADD_FAILURE() << "another event came: " << name_of(*event);
      return std::nullopt;
    }
    return std::nullopt;
  }

 private:
  static std::string name_of(const session::SessionEvent& event) {
    if (const auto* lost = std::get_if<session::session_event::EngineLost>(&event))
      return lost->why + " " + lost->last_words;
    if (const auto* failed = std::get_if<session::session_event::RunFailed>(&event)) return failed->error.message;
    return "event type " + std::to_string(event.index());
  }

  std::mutex mutex_;
  std::condition_variable changed_;
  bool woken_ = false;
  std::deque<session::SessionEvent> events_;
  std::optional<session::Session> session_;  // last: its thread ends before what it wakes
};

}  // namespace streamscope::testing_session
