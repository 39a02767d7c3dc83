#include "app/window/effects/background.h"

#include <exception>
#include <utility>

#include "engine/base/translate.h"

namespace streamscope::window {

Background::Background(std::function<void()> wake) : wake_(std::move(wake)), thread_([this] { work(); }) {}

Background::~Background() {
  {
    const std::lock_guard lock(mutex_);
    ending_ = true;
    tasks_.clear();
  }
  changed_.notify_one();
  thread_.join();
}

void Background::post(Task task) {
  {
    const std::lock_guard lock(mutex_);
    tasks_.push_back(std::move(task));
  }
  changed_.notify_one();
}

Commands Background::take() {
  const std::lock_guard lock(mutex_);
  return std::exchange(done_, {});
}

bool Background::busy() {
  const std::lock_guard lock(mutex_);
  return working_ || !tasks_.empty() || !done_.empty();
}

void Background::work() {
  for (;;) {
    Task task;
    {
      std::unique_lock lock(mutex_);
      changed_.wait(lock, [this] { return ending_ || !tasks_.empty(); });
      if (ending_) return;
      task = std::move(tasks_.front());
      tasks_.pop_front();
      working_ = true;
    }
    std::optional<Command> result;
    try {
      result = task();
    } catch (const std::exception& error) {  // memory, above all: the window goes on without the result
      result = command::Say{tr("That did not work: {}", error.what()), true};
    }
    const bool found = result.has_value();
    {
      const std::lock_guard lock(mutex_);
      working_ = false;
      if (found) done_.push_back(std::move(*result));
    }
    if (found) wake_();
  }
}

}  // namespace streamscope::window
