// An engine that does real runs, up to one.
//
//   frail_engine N HOW
//
// At the Nth run that it is asked for, counted from 1, it dies (by a signal), says garbage, hangs (only a kill ends
// it), or says that the run failed on the device: of that run (fails), or of that and all later ones (keeps-failing).
// Or it says of that and all later ones that its device is gone (loses-device).
// With one-device it runs all, but those of several devices, for which it says that it has none.
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <csignal>
#include <cstdint>
#include <cstdlib>
#include <span>
#include <string>
#include <variant>
#include <vector>

#include "engine/remote/serve.h"
#include "engine/remote/wire.h"

namespace {

using namespace streamscope;

void put(int to, std::span<const std::uint8_t> bytes) {
  while (!bytes.empty()) {
    const ssize_t written = write(to, bytes.data(), bytes.size());
    if (written <= 0) std::_Exit(9);
    bytes = bytes.subspan(static_cast<std::size_t>(written));
  }
}

// It has no run just now, so that nothing else is written.
void go_wrong(const std::string& how, std::uint64_t run) {
  if (how == "dies") std::raise(SIGKILL);
  if (how == "garbage") put(STDOUT_FILENO, std::vector<std::uint8_t>(4096, 0xFF));
  if (how == "hangs" || how == "garbage")
    for (;;) pause();
  const Error error = how == "loses-device" ? Error{ErrorKind::no_device, "The GPU is gone."}
                                            : Error{ErrorKind::device_failed, "An illegal address was touched."};
  put(STDOUT_FILENO, remote::encode(remote::message::Failed{run, error}));
}

}  // namespace

int main(int argc, char** argv) {
  if (argc != 3) return 2;
  const int from = std::atoi(argv[1]);
  const std::string how = argv[2];
  const bool keeps = how == "keeps-failing" || how == "loses-device";
  int pipe_to_engine[2];
  if (pipe(pipe_to_engine) != 0) return 2;
  const pid_t engine = fork();
  if (engine == 0) {
    close(pipe_to_engine[1]);
    return remote::serve(pipe_to_engine[0], STDOUT_FILENO);
  }
  close(pipe_to_engine[0]);
  remote::FrameReader heard;
  std::array<std::uint8_t, 4096> bytes;
  for (int runs = 0;;) {
    const auto message = heard.next();
    if (!message) return 8;
    if (!*message) {
      const ssize_t count = read(STDIN_FILENO, bytes.data(), bytes.size());
      if (count <= 0) break;
      heard.feed(std::span(bytes).first(static_cast<std::size_t>(count)));
      continue;
    }
    const auto* const run = std::get_if<remote::message::StartRun>(&**message);
    if (run != nullptr && how == "one-device" && run->program.find("device=1") != std::string::npos) {
      put(STDOUT_FILENO, remote::encode(remote::message::Failed{
                             run->id, Error{ErrorKind::no_device, "The program is for 2 devices, here is one."}}));
    } else if (run != nullptr && how != "one-device" && (++runs == from || (runs > from && keeps))) {
      go_wrong(how, run->id);
    } else {
      put(pipe_to_engine[1], remote::encode(**message));
    }
  }
  close(pipe_to_engine[1]);
  return waitpid(engine, nullptr, 0) == engine ? 0 : 1;
}
