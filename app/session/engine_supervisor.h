// The session's own side: one engine at a time, one run at a time, and a time limit on everything it waits for.
// All on the loop's thread.
#pragma once

#include <uv.h>

#include <atomic>
#include <cstdint>
#include <list>
#include <memory>
#include <optional>
#include <string>

#include "app/session/engine_process.h"
#include "app/session/event_queue.h"
#include "app/session/run_assembly.h"
#include "app/session/session.h"

namespace streamscope::session {

class EngineSupervisor {
 public:
  EngineSupervisor(uv_loop_t* loop, const SessionOptions& options, EventQueue& queue, std::atomic<int>& process);
  EngineSupervisor(const EngineSupervisor&) = delete;
  EngineSupervisor& operator=(const EngineSupervisor&) = delete;

  void launch();
  void start(remote::message::StartRun request);
  void stop();
  void restart();
  void quit();  // ends everything within a second; the loop has nothing left then

 private:
  enum class Phase { none, greeting, listing, up };
  struct RunInFlight {
    remote::message::StartRun request;
    RunAssembly assembly;
    std::size_t preview_spans = 0;  // spans
    bool answered = false;          // the engine has begun with it
  };

  void take(remote::Message message);
  void take_of_run(remote::Message message);
  void gone(const EngineExit& end);
  void closed(const EngineProcess* child);
  void dismiss();  // the engine, politely
  void begin_waiting();
  void fail_run(std::uint64_t run, ErrorKind kind, std::string message);
  void finished();
  void lose(std::string why);
  void watch(Nanoseconds limit);
  void on_silence();

  uv_loop_t* loop_;
  const SessionOptions& options_;
  EventQueue& queue_;
  std::atomic<int>& process_;
  uv_timer_t silence_{}, stopping_{}, quitting_{};

  std::list<std::unique_ptr<EngineProcess>> children_;  // the engine, and those before it that are not quite gone
  EngineProcess* engine_ = nullptr;
  Phase phase_ = Phase::none;
  std::string program_;
  std::optional<RunInFlight> flight_;
  std::optional<remote::message::StartRun> waiting_;
  bool device_failed_ = false;  // the last run of this engine did
  int restarts_ = 0;            // by ourselves, in a row
  bool quits_ = false;
};

}  // namespace streamscope::session
