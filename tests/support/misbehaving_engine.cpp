// An engine that goes wrong in the way its argument names; "good" does not. What it sends goes to standard output, as
// an engine's does. Where a mode ends in pause(), only a kill ends the program: it does not even notice that its input
// ends.
//
//   before any hello   garbage, silent, dies, killed, stderr, protocol
//   after hello        oversized, truncated, listless, gives-up, long-words, hello-again, devices-again, many-devices
//   in a run           mid-run, mute, deaf, closes, out-of-range, lost-spans, far-times, unasked, poisoned, done-again,
//                      wordy
//   none               good, trickle, chatty
#include <fcntl.h>
#include <unistd.h>

#include <array>
#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <ctime>
#include <string>
#include <vector>

#include "engine/remote/serve.h"
#include "engine/remote/wire.h"

namespace {

using namespace streamscope;

std::string mode;

void put(const std::uint8_t* bytes, std::size_t count) {
  while (count > 0) {
    const ssize_t written = write(STDOUT_FILENO, bytes, count);
    if (written <= 0) std::_Exit(9);
    bytes += written;
    count -= static_cast<std::size_t>(written);
  }
}

void pause_between_bytes() {
  const timespec moment{0, 200'000};
  nanosleep(&moment, nullptr);
}

void send(const remote::Message& message) {
  const auto frame = remote::encode(message);
  if (mode != "trickle") return put(frame.data(), frame.size());
  for (const std::uint8_t byte : frame) {
    put(&byte, 1);
    pause_between_bytes();
  }
}

[[noreturn]] void hang() {
  for (;;) pause();
}

remote::FrameReader frames;

remote::Message hear() {
  for (;;) {
    auto message = frames.next();
    if (!message) std::_Exit(8);
    if (*message) return std::move(**message);
    std::array<std::uint8_t, 4096> bytes;
    const ssize_t count = read(STDIN_FILENO, bytes.data(), bytes.size());
    if (count <= 0) std::_Exit(0);
    frames.feed(std::span(bytes).first(static_cast<std::size_t>(count)));
  }
}

void complain(std::size_t lines) {
  for (std::size_t i = 0; i < lines; ++i) std::fprintf(stderr, "complaint %zu of an engine that talks a lot\n", i);
  std::fflush(stderr);
}

trace::Span span(OperationIndex operation) {
  trace::Span span;
  span.operation = operation;
  span.line = operation + 1;
  span.stream = 0;
  span.kind = OperationKind::h2d;
  span.engine = Engine::h2d;
  span.start = 10 * operation;
  span.end = 10 * operation + 5;
  return span;
}

void run(const remote::message::StartRun& request) {
  const std::uint64_t id = request.id;
  std::vector<trace::Span> spans{span(0), span(1), span(2)};
  remote::message::Done done;
  done.id = id;
  done.spans = spans.size();
  done.run.program = request.program;
  done.run.runs = 1;
  done.run.trace.streams = {{"default"}, {"per-thread"}};
  done.run.trace.threads = {"main"};
  done.run.trace.names = {"H2D"};

  send(remote::message::Passes{id, 0, 2});
  send(remote::message::Spans{id, {span(0)}, false});
  if (mode == "mid-run") {
    std::raise(SIGKILL);
  } else if (mode == "mute") {
    hang();
  } else if (mode == "deaf") {
    for (;;) {
      send(remote::message::Passes{id, 1, 2});
      pause_between_bytes();
    }
  } else if (mode == "closes") {
    close(STDOUT_FILENO);
    hang();
  } else if (mode == "poisoned" && request.program == "poison") {
    send(remote::message::Failed{id,
                                 Error{ErrorKind::device_failed, "An illegal address was touched.",
                                       DeviceFault{"cudaMemcpyAsync", 700, "cudaErrorIllegalAddress", "operation 1"}}});
    std::_Exit(remote::kEndedAfterFailure);
  } else if (mode == "wordy") {
    return send(remote::message::Failed{id, Error{ErrorKind::bad_input, std::string(8u << 20, 'w')}});
  } else if (mode == "out-of-range") {
    const std::string what = request.program;
    if (what == "stream") spans[1].stream = 2;
    if (what == "name") spans[1].name = 1;
    if (what == "thread") spans[1].thread = 1;
    if (what == "operation") spans[1].operation = 3;
    if (what == "waits_for") spans[1].waits_for = 3;
    if (what == "no operation") spans[1].operation = kNoOperation;
    if (what == "runs") done.run.runs = -1;
    if (what == "wall") done.run.wall = trace::Statistic{std::numeric_limits<Nanoseconds>::max(), 0, 0};
  } else if (mode == "lost-spans") {
    done.spans = std::uint64_t{1} << 60;
  } else if (mode == "far-times") {
    spans[2].end = std::numeric_limits<Nanoseconds>::max();
  } else if (mode == "unasked") {
    done.id = id + 1;
  } else if (mode == "chatty") {
    complain(20'000);
  }
  send(remote::message::Spans{id, {spans[0]}, true});
  send(remote::message::Spans{id, {spans[1], spans[2]}, true});
  send(done);
  if (mode == "done-again") send(done);
}

void say_devices() {
  remote::message::Devices devices;
  if (mode == "many-devices") devices.list.devices.resize(2000);
  send(devices);
  if (mode == "devices-again") send(devices);
}

void before_hello() {
  if (mode == "garbage") {
    const std::string text = "Welcome to gpubox\n";
    put(reinterpret_cast<const std::uint8_t*>(text.data()), text.size());
    hang();
  }
  if (mode == "silent") hang();
  if (mode == "dies") {
    std::fprintf(stderr, "no GPU in this drawer\n");
    std::exit(3);
  }
  if (mode == "killed") std::raise(SIGKILL);
  if (mode == "stderr") {
    complain(100'000);
    std::fprintf(stderr, "the very last words\n");
    std::exit(5);
  }
  if (mode == "protocol") {
    send(remote::message::Hello{99, "streamscope 9.9"});
    hang();
  }
}

void after_hello() {
  if (mode == "oversized") {
    const std::uint8_t head[] = {0xFF, 0xFF, 0xFF, 0xFF};
    put(head, sizeof head);
    hang();
  }
  if (mode == "truncated") {
    const auto frame = remote::encode(remote::message::Devices{});
    put(frame.data(), frame.size() / 2);
    std::exit(0);
  }
  if (mode == "listless") hang();
  if (mode == "hello-again") send(remote::message::Hello{remote::kProtocol, "misbehaving " + mode});
  if (mode == "long-words") {
    send(remote::message::Failed{0, Error{ErrorKind::no_device, std::string(8u << 20, 'w')}});
    hang();
  }
  if (mode == "gives-up") {
    send(remote::message::Failed{0, Error{ErrorKind::no_device, "The drawer is locked."}});
    hang();
  }
}

}  // namespace

int main(int argc, char** argv) {
  mode = argc > 1 ? argv[1] : "good";
  before_hello();
  send(remote::message::Hello{remote::kProtocol, "misbehaving " + mode});
  after_hello();
  for (;;) {
    const remote::Message message = hear();
    if (std::holds_alternative<remote::message::AskDevices>(message)) say_devices();
    if (const auto* request = std::get_if<remote::message::StartRun>(&message)) run(*request);
  }
}
