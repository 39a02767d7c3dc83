#include "app/session/session.h"

#include <pthread.h>
#include <uv.h>

#include <atomic>
#include <csignal>
#include <functional>
#include <mutex>
#include <optional>
#include <system_error>
#include <thread>
#include <utility>

#include "app/session/engine_supervisor.h"
#include "app/session/event_queue.h"
#include "engine/base/translate.h"

namespace streamscope::session {
struct Session::Impl {
  using Command = std::function<void()>;  // on the session's thread

  explicit Impl(SessionOptions given) : options(std::move(given)), queue(options.wake) { begin(); }

  void begin() {
    if (const int error = uv_loop_init(&loop); error != 0) return broken(uv_strerror(error));
    const auto notice = [](uv_async_t* async) { static_cast<Impl*>(async->data)->carry_out(); };
    if (const int error = uv_async_init(&loop, &notify, notice); error != 0) {
      uv_loop_close(&loop);
      return broken(uv_strerror(error));
    }
    notify.data = this;
    supervisor.emplace(&loop, options, queue, process);
    try {
      thread = std::thread([this] { live(); });
    } catch (const std::system_error& thrown) {
      supervisor->quit();
      uv_close(reinterpret_cast<uv_handle_t*>(&notify), nullptr);
      uv_run(&loop, UV_RUN_DEFAULT);
      uv_loop_close(&loop);
      return broken(thrown.what());
    }
  }

  ~Impl() {
    if (!thread.joinable()) return;
    give([this] {
      supervisor->quit();
      uv_close(reinterpret_cast<uv_handle_t*>(&notify), nullptr);
    });
    thread.join();
  }

  // Without a thread every run fails with the reason.
  void broken(std::string why) {
    whole = false;
    queue.put(session_event::EngineLost{tr("No engine can be started: {}.", why), {}});
  }

  void give(Command command) {
    {
      const std::lock_guard lock(mutex);
      commands.push_back(std::move(command));
    }
    uv_async_send(&notify);
  }

  void live() {
    // Writing to an engine that has gone must not end the window; blocked here, the signal waits until the thread is
    // over.
    sigset_t pipe;
    sigemptyset(&pipe);
    sigaddset(&pipe, SIGPIPE);
    pthread_sigmask(SIG_BLOCK, &pipe, nullptr);
    supervisor->launch();
    uv_run(&loop, UV_RUN_DEFAULT);
    uv_loop_close(&loop);
  }

  void carry_out() {
    std::vector<Command> taken;
    {
      const std::lock_guard lock(mutex);
      taken.swap(commands);
    }
    for (const Command& command : taken) command();
  }

  const SessionOptions options;
  EventQueue queue;
  std::atomic<int> process{0};
  std::atomic<std::uint64_t> last_run{0};
  bool whole = true;
  uv_loop_t loop{};
  uv_async_t notify{};
  std::mutex mutex;
  std::vector<Command> commands;
  std::optional<EngineSupervisor> supervisor;
  std::thread thread;
};

Session::Session(SessionOptions options) : impl_(std::make_unique<Impl>(std::move(options))) {}
Session::~Session() = default;

std::uint64_t Session::start(remote::message::StartRun request) {
  const std::uint64_t run = ++impl_->last_run;
  request.id = run;
  if (impl_->whole) {
    impl_->give([impl = impl_.get(), request = std::move(request)] { impl->supervisor->start(request); });
  } else {
    impl_->queue.put(
        session_event::RunFailed{run, Error{ErrorKind::device_failed, tr("There is no engine to run it.")}});
  }
  return run;
}

void Session::stop() {
  if (impl_->whole) impl_->give([impl = impl_.get()] { impl->supervisor->stop(); });
}

void Session::restart() {
  if (impl_->whole) impl_->give([impl = impl_.get()] { impl->supervisor->restart(); });
}

std::vector<SessionEvent> Session::poll() { return impl_->queue.take(); }
int Session::engine_process() const { return impl_->process; }

}  // namespace streamscope::session
