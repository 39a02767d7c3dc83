// The window's end of the connection: starts an engine process, sends it runs, keeps what comes back.
//
// All of the process handling happens on a thread of its own (libuv); the window's thread calls the functions below,
// which never wait. After `wake` is called the window should call poll(). An engine that dies, sends invalid messages
// or stays silent is reported as an event and ended; every finished run is kept by the caller; restart() starts a new
// engine.
//
// The engine leads a process group of its own, which is ended with it: a kill reaches what a shell or ssh has started.
// Nothing an engine sends is trusted: the spans of a RunDone refer to streams, threads, names and operations that are
// there, and their times are sane. Previews (RunSpans) come before the tables they refer to: look before you index.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <variant>
#include <vector>

#include "engine/device/device_info.h"
#include "engine/remote/message.h"

namespace streamscope::session {

struct SessionOptions {
  // Run by /bin/sh -c, so that "ssh gpubox streamscope engine" works. Empty: this executable, "engine".
  std::string engine_command;
  std::function<void()> wake;                // called from the session's thread: something is there to poll
  Nanoseconds hello_limit = 10'000'000'000;  // an engine silent for longer at the start has failed
  // A run without any message (spans, progress) for longer has failed; the engine is ended.
  Nanoseconds silence_limit = 30'000'000'000;
  Nanoseconds stop_limit = 2'000'000'000;  // a run that has not ended so long after stop() takes its engine along
};

namespace session_event {
struct EngineUp {
  std::string program;  // "streamscope 0.1.0"
  device::DeviceList devices;
};
// It died, sent an invalid message or fell silent. There is no engine until restart(), unless `restarting`: after a run
// that failed on a GPU the engine ends itself, as its process may be poisoned, and a new one is started, three times in
// a row at most. The run in progress is lost with it and gets no other event; one that waits its turn is failed, or
// goes to the new engine.
struct EngineLost {
  std::string why;          // "The engine was killed by signal 9 (Killed)."
  std::string last_words;   // the end of its standard error, 4 KiB at most
  std::uint64_t run = 0;    // the run it took along; 0: none
  bool restarting = false;  // a new engine is on its way
};
struct RunSpans {  // a preview; some are left out where nobody polls
  std::uint64_t run;
  std::vector<trace::Span> spans;
};
struct RunPasses {
  std::uint64_t run;
  int done, total;
};
struct RunDone {
  std::uint64_t run;
  std::shared_ptr<const trace::Run> result;  // whole, with its spans
};
struct RunJudged {
  std::uint64_t run;
  std::shared_ptr<const referee::Opinion> opinion;  // on the run that was asked for so (StartRun::referee)
};
struct RunFailed {
  std::uint64_t run;
  Error error;
};
}  // namespace session_event

using SessionEvent =
    std::variant<session_event::EngineUp, session_event::EngineLost, session_event::RunSpans, session_event::RunPasses,
                 session_event::RunDone, session_event::RunJudged, session_event::RunFailed>;

class Session {
 public:
  explicit Session(SessionOptions options);  // starts the engine at once
  ~Session();                                // ends it; takes two seconds at most, and a second where it goes by itself
  Session(const Session&) = delete;
  Session& operator=(const Session&) = delete;

  // Gives back the run's id, over 0 (the request's own id is not looked at). One at a time: a run asked for while
  // another goes on, or before the engine is up, waits its turn; the newest wins, and the one it replaces fails as
  // cancelled.
  std::uint64_t start(remote::message::StartRun request);
  // The run in progress, politely; an engine that does not answer within stop_limit is ended. A waiting run is dropped.
  void stop();
  // Ends the engine, if any (no EngineLost then; a run in progress fails as cancelled), and starts a new one.
  void restart();
  std::vector<SessionEvent> poll();  // what happened since; never waits
  int engine_process() const;        // its process id; 0: none

 private:
  struct Impl;
  std::unique_ptr<Impl> impl_;
};

}  // namespace streamscope::session
