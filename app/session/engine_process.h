// One engine process with its three pipes, on a libuv loop: started, talked to, ended, reaped.
//
// Lives until all its handles are closed, which `closed` reports; it may be deleted from then on, within `closed` too.
// All functions and callbacks are on the loop's thread.
#pragma once

#include <sys/types.h>
#include <uv.h>

#include <array>
#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <utility>

#include "engine/remote/message.h"
#include "engine/remote/wire.h"

namespace streamscope::session {

struct EngineExit {
  std::string why;               // a sentence
  std::string last_words;        // the end of its standard error
  std::optional<int> exit_code;  // where it ended by itself
};

class EngineProcess {
 public:
  struct Listener {
    std::function<void(remote::Message)> message;
    std::function<void(EngineExit)> gone;  // once, unless end() was called before
    std::function<void()> closed;          // last
  };

  EngineProcess() = default;
  EngineProcess(const EngineProcess&) = delete;
  EngineProcess& operator=(const EngineProcess&) = delete;

  void listen(Listener listener) { listener_ = std::move(listener); }
  // `command` is run by /bin/sh; empty: this executable with the argument "engine". What goes wrong is reported by
  // gone().
  void start(uv_loop_t* loop, const std::string& command);
  int process() const { return alive_ ? static_cast<int>(pid_) : 0; }
  void send(const remote::Message& message);
  void lose(std::string why);   // kills it; gone() comes when its last words are read, or half a second later
  void end(Nanoseconds grace);  // its input ends; still there after `grace`, it is killed
  void abandon();               // kills it and closes everything at once, even if its end was never seen

 private:
  void read_output(ssize_t count);
  void read_error(ssize_t count);
  void on_exit(std::int64_t code, int signal);
  void on_deadline();
  void kill_group();
  void arm(Nanoseconds delay);
  void settle();  // reports the end once all of it is known
  void report();
  void close_pipes();
  void close_one(uv_handle_t* handle);
  std::string how_it_ended() const;

  Listener listener_;
  uv_process_t process_{};
  uv_pipe_t in_{}, out_{}, err_{};
  uv_timer_t deadline_{};
  int open_handles_ = 0;
  pid_t pid_ = 0;
  bool alive_ = false;  // started and not yet reaped
  bool out_ended_ = false, err_ended_ = false;
  bool reported_ = false;  // gone() was called, or nobody wants to hear it
  bool shell_ = false;
  bool asked_ = false;    // by a signal to end; the next one kills
  bool cut_off_ = false;  // its output ended within a message
  std::string why_;       // set once it is doomed
  std::int64_t exit_code_ = 0;
  int exit_signal_ = 0;
  remote::FrameReader frames_;
  std::string last_words_;
  std::array<char, 64 << 10> out_buffer_{};
  std::array<char, 4 << 10> err_buffer_{};
};

}  // namespace streamscope::session
