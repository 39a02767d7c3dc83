// A second thread, for what may take time: reading files, checking a typed program, preparing a run for
// the views, writing a picture. A task returns the command that brings its result to the window.
#pragma once

#include <condition_variable>
#include <deque>
#include <functional>
#include <mutex>
#include <optional>
#include <thread>

#include "app/window/state/command.h"

namespace streamscope::window {

class Background {
 public:
  using Task = std::function<std::optional<Command>()>;

  // `wake` is called from that thread when there is something to take().
  explicit Background(std::function<void()> wake);
  ~Background();  // the task in hand is finished, those that wait are dropped
  Background(const Background&) = delete;
  Background& operator=(const Background&) = delete;

  void post(Task task);
  Commands take();  // what has come since; never waits
  bool busy();      // a task is in hand or waits, or its result has not been taken

 private:
  void work();

  std::function<void()> wake_;
  std::mutex mutex_;
  std::condition_variable changed_;
  std::deque<Task> tasks_;
  Commands done_;
  bool ending_ = false, working_ = false;
  std::thread thread_;  // last: it uses all the others
};

}  // namespace streamscope::window
