// The window's end of the talk: starts an engine process, sends it runs, keeps what comes back.
//
// All of the process handling happens on a thread of its own (libuv); the window's thread calls the functions below,
// which never wait. After `wake` is called the window should call poll(). An engine that dies, talks garbage or stays
// silent is reported as an event and ended; every finished run is kept by the caller; restart() starts a new engine.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <variant>
#include <vector>

#include "engine/remote/message.h"

namespace streamscope {

struct SessionOptions {
  // Run by /bin/sh -c, so that "ssh gpubox streamscope engine" works. Empty: this executable, "engine".
  std::string engine_command;
  std::function<void()> wake;               // called from the session's thread: something is there to poll
  Nanoseconds hello_limit = 10'000'000'000;  // an engine silent for longer at the start has failed
  // A run without any message (spans, progress) for longer has failed; the engine is ended.
  Nanoseconds silence_limit = 30'000'000'000;
};

namespace session_event {
struct EngineUp {
  std::string program;  // "streamscope 0.1.0"
  DeviceList devices;
};
struct EngineLost {       // it died, talked nonsense or fell silent; there is no engine until restart()
  std::string why;        // "the engine was killed by signal 9 (Killed)"
  std::string last_words;  // the end of its standard error, 4 KiB at most
  std::uint64_t run = 0;  // the run it took along; 0: none
};
struct RunSpans {
  std::uint64_t run;
  std::vector<Span> spans;
};
struct RunPasses {
  std::uint64_t run;
  int done, total;
};
struct RunDone {
  std::uint64_t run;
  std::shared_ptr<const Run> result;  // whole, with its spans
};
struct RunFailed {
  std::uint64_t run;
  Error error;
};
}  // namespace session_event

using SessionEvent = std::variant<session_event::EngineUp, session_event::EngineLost, session_event::RunSpans,
                                  session_event::RunPasses, session_event::RunDone, session_event::RunFailed>;

class Session {
 public:
  explicit Session(SessionOptions options);  // starts the engine at once
  ~Session();                                // ends it; takes a second at most
  Session(const Session&) = delete;
  Session& operator=(const Session&) = delete;

  // Gives back the run's id, over 0. One at a time: a run asked for while another goes on waits its turn (the newest wins).
  std::uint64_t start(message::StartRun request);
  void stop();     // the run in progress, politely; an engine that does not answer within two seconds is ended
  void restart();  // ends the engine, if any, and starts a new one
  std::vector<SessionEvent> poll();  // what happened since; never waits
  int engine_process() const;        // its process id; 0: none

 private:
  struct Impl;
  std::unique_ptr<Impl> impl_;
};

}  // namespace streamscope
