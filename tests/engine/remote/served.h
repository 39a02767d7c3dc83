// The engine's loop in this process, over two pipes, and the window's end of them.
#pragma once

#include <gmock/gmock.h>
#include <poll.h>
#include <unistd.h>

#include <array>
#include <optional>
#include <span>
#include <thread>
#include <utility>
#include <vector>

#include "engine/remote/descriptor.h"
#include "engine/remote/serve.h"
#include "engine/remote/wire.h"

namespace streamscope::remote {

inline constexpr int kGenerous = 60'000;  // milliseconds; only a hang takes so long

struct Pipe {
  Descriptor read, write;
};
inline Pipe make_pipe() {
  int ends[2] = {-1, -1};
  EXPECT_EQ(pipe(ends), 0);
  return {Descriptor(ends[0]), Descriptor(ends[1])};
}

// The window's end of the two pipes.
class Window {
 public:
  Window(Descriptor to, Descriptor from) : to_(std::move(to)), from_(std::move(from)) {}

  void say(const Message& message) { say_bytes(encode(message)); }
  void say_bytes(const std::vector<std::uint8_t>& bytes) {
    ASSERT_EQ(write(to_.get(), bytes.data(), bytes.size()), static_cast<ssize_t>(bytes.size()));
  }
  void hang_up() { to_ = Descriptor(); }
  void stop_listening() { from_ = Descriptor(); }

  // The next message; nothing at the end of the stream.
  std::optional<Message> hear() {
    for (;;) {
      auto message = frames_.next();
      if (!message) {
        ADD_FAILURE() << message.error().message;
        return std::nullopt;
      }
      if (*message) return std::move(**message);
      pollfd watched{from_.get(), POLLIN, 0};
      if (poll(&watched, 1, kGenerous) <= 0) {
        ADD_FAILURE() << "the engine says nothing";
        return std::nullopt;
      }
      std::array<std::uint8_t, 65536> bytes;
      const ssize_t count = read(from_.get(), bytes.data(), bytes.size());
      if (count <= 0) return std::nullopt;
      frames_.feed(std::span(bytes).first(static_cast<std::size_t>(count)));
    }
  }
  // The next message of this type; others before it are passed over.
  template <class T>
  std::optional<T> await() {
    while (auto message = hear()) {
      if (auto* wanted = std::get_if<T>(&*message)) return std::move(*wanted);
    }
    ADD_FAILURE() << "the stream ended before the message came";
    return std::nullopt;
  }

 private:
  Descriptor to_, from_;
  FrameReader frames_;
};

// An engine that serves, until this goes.
class Served {
 public:
  Served() {
    Pipe in = make_pipe(), out = make_pipe();
    window_.emplace(std::move(in.write), std::move(out.read));
    thread_ = std::thread([this, from = std::move(in.read), to = std::move(out.write)]() mutable {
      const Descriptor mine = std::move(to);
      code_ = serve(from.get(), mine.get());
    });
  }
  ~Served() { ended(); }
  Served(const Served&) = delete;
  Served& operator=(const Served&) = delete;
  // Waits for the loop to return; gives its exit code.
  int ended() {
    window_->hang_up();
    if (thread_.joinable()) thread_.join();
    return code_;
  }
  int ended_by_itself() {
    thread_.join();
    return code_;
  }
  Window& greeted() {
    window_->say(message::Hello{});
    return *window_;
  }

  std::optional<Window> window_;

 private:
  std::thread thread_;
  int code_ = -1;
};
class Serve : public testing::Test, protected Served {};

inline constexpr const char* kProgram = "buffer x 1MiB\nstream A\nA: h2d x\nA: axpb x fma=4\nA: d2h x\n";

inline message::StartRun request(std::uint64_t id, int runs = 1) {
  message::StartRun run{id, "model", kProgram, "name = \"kept\"\n", {}};
  run.options.runs = runs;
  return run;
}

// A stopped run ends with what it had measured, or as cancelled where that was nothing yet.
inline void expect_stopped(Window& window, std::uint64_t id) {
  while (const auto message = window.hear()) {
    if (const auto* done = std::get_if<message::Done>(&*message)) {
      EXPECT_EQ(done->id, id);
      EXPECT_LT(done->run.runs, 1'000'000);
      EXPECT_THAT(trace::texts(done->run.notes), testing::Contains(testing::HasSubstr("Stopped after")));
      return;
    }
    if (const auto* failed = std::get_if<message::Failed>(&*message)) {
      EXPECT_EQ(failed->id, id);
      EXPECT_EQ(failed->error.kind, ErrorKind::cancelled);
      return;
    }
  }
  ADD_FAILURE() << "the stream ended before the run did";
}

}  // namespace streamscope::remote
