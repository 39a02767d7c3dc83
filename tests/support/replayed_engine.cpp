// An engine that says what another one said, up to a byte, and then goes wrong.
//
//   replayed_engine FILE BYTES HOW
//
// FILE has what an engine wrote in a session: its hello, its devices, and all about run 1. Each is said when it is
// asked for. HOW it goes on after BYTES: dies (by a signal), ends, hangs, closes its output, goes on with garbage, or
// says the message that it is at once more (again), and all the rest of it.
#include <unistd.h>

#include <algorithm>
#include <array>
#include <csignal>
#include <cstdint>
#include <cstdlib>
#include <fstream>
#include <iterator>
#include <span>
#include <string>
#include <variant>
#include <vector>

#include "engine/remote/wire.h"

namespace {

using namespace streamscope;

std::size_t left = 0;  // bytes before it goes wrong
std::string how;

void put(const char* bytes, std::size_t count) {
  while (count > 0) {
    const ssize_t written = write(STDOUT_FILENO, bytes, count);
    if (written <= 0) std::_Exit(9);
    bytes += written;
    count -= static_cast<std::size_t>(written);
  }
}

[[noreturn]] void go_wrong() {
  if (how == "dies") std::raise(SIGKILL);
  if (how == "ends") std::_Exit(0);
  if (how == "closes") close(STDOUT_FILENO);
  const std::string garbage(4096, '\xFF');
  while (how == "garbage") put(garbage.data(), garbage.size());
  for (;;) pause();
}

void say(const std::string& frame) {
  if (how != "again") {
    put(frame.data(), std::min(left, frame.size()));
    if (left < frame.size()) go_wrong();
  } else {
    for (int times = left < frame.size() ? 2 : 1; times > 0; --times) put(frame.data(), frame.size());
    if (left < frame.size()) left = SIZE_MAX;
  }
  left -= frame.size();
}

std::vector<std::string> frames_of(const char* file) {
  std::ifstream stream(file, std::ios::binary);
  const std::string all{std::istreambuf_iterator<char>(stream), {}};
  std::vector<std::string> frames;
  for (std::size_t at = 0; at + 4 <= all.size();) {
    std::size_t length = 4;
    for (int i = 0; i < 4; ++i) length += std::size_t{static_cast<unsigned char>(all[at + i])} << (8 * i);
    frames.push_back(all.substr(at, length));
    at += length;
  }
  return frames;
}

// Waits for the next message of this type.
template <class T>
void asked(remote::FrameReader& heard) {
  for (;;) {
    const auto message = heard.next();
    if (!message) std::_Exit(8);
    if (*message) {
      if (std::holds_alternative<T>(**message)) return;
      continue;
    }
    std::array<std::uint8_t, 4096> bytes;
    const ssize_t count = read(STDIN_FILENO, bytes.data(), bytes.size());
    if (count <= 0) std::_Exit(0);
    heard.feed(std::span(bytes).first(static_cast<std::size_t>(count)));
  }
}

}  // namespace

int main(int argc, char** argv) {
  if (argc != 4) return 2;
  const std::vector<std::string> frames = frames_of(argv[1]);
  left = static_cast<std::size_t>(std::atoll(argv[2]));
  how = argv[3];
  if (frames.size() < 3) return 2;
  remote::FrameReader heard;
  say(frames[0]);
  asked<remote::message::Hello>(heard);
  asked<remote::message::AskDevices>(heard);
  say(frames[1]);
  asked<remote::message::StartRun>(heard);
  for (std::size_t i = 2; i < frames.size(); ++i) say(frames[i]);
  if (how == "again") asked<remote::message::Hello>(heard);  // never comes: until the input ends
  go_wrong();
}
