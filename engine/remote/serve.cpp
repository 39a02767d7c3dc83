#include "engine/remote/serve.h"

#include <fcntl.h>
#include <poll.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <csignal>
#include <cstdio>
#include <memory>
#include <thread>
#include <utility>

#include "engine/base/quantity.h"
#include "engine/base/time.h"
#include "engine/base/translate.h"
#include "engine/remote/connection.h"
#include "engine/remote/wire.h"

namespace streamscope::remote {
namespace {

constexpr Nanoseconds kBeat = 1'000'000'000;
constexpr Nanoseconds kLastWords = 1'000'000'000;  // for what was said last to be read
// Together well below the 5 s after which a person takes it for left behind.
constexpr Nanoseconds kWorkEnds = 2'000'000'000;  // for a run to notice that it shall stop
constexpr unsigned kExitSeconds = 2;              // for a process whose device hangs to clean up

// A descriptor of the protocol's own; what was standard output becomes standard error.
Descriptor take_over(int out) {
  Descriptor own(fcntl(out, F_DUPFD_CLOEXEC, 3));
  if (out == STDOUT_FILENO && own.get() >= 0) {
    std::fflush(stdout);
    if (dup2(STDERR_FILENO, STDOUT_FILENO) < 0) {
      const Descriptor nowhere(open("/dev/null", O_WRONLY | O_CLOEXEC));
      dup2(nowhere.get(), STDOUT_FILENO);
    }
  }
  return own;
}

class MessageReader {
 public:
  MessageReader(int in, Connection& connection) : in_(in), connection_(connection) {}

  // Reads until the connection ends.
  void read_all() {
    while (!connection_.ended()) {
      if (!wait()) continue;
      const ssize_t count = read(in_, buffer_.data(), buffer_.size());
      if (count < 0 && (errno == EINTR || errno == EAGAIN)) continue;
      if (count <= 0) return connection_.end(kEndedByInput);
      frames_.feed(std::span<const std::uint8_t>(buffer_.data(), static_cast<std::size_t>(count)));
      take_messages();
    }
  }

 private:
  // True: there is something to read. Says in between that the run in progress goes on.
  bool wait() {
    // Jobs come in on this thread only, so that a wait without end that begins idle misses no run.
    const bool busy = connection_.busy();
    if (!busy) next_beat_ = host_now() + kBeat;
    pollfd watched[2] = {{in_, POLLIN, 0}, {connection_.ended_descriptor(), POLLIN, 0}};
    const int ready = poll(watched, 2, busy ? static_cast<int>(kBeat / 1'000'000) : -1);
    if (ready < 0 && errno != EINTR) connection_.end(kEndedByInput);
    if (host_now() >= next_beat_) {
      connection_.beat();
      next_beat_ = host_now() + kBeat;
    }
    if (watched[1].revents != 0) connection_.end(kEndedByInput);  // the first code counts: this is for a broken output
    return ready > 0 && watched[0].revents != 0;
  }

  void take_messages() {
    for (;;) {
      auto message = frames_.next();
      if (!message) return refuse(std::move(message.error()));
      if (!*message) return;
      if (auto taken = take(std::move(**message)); !taken) return refuse(std::move(taken.error()));
    }
  }

  Result<void> take(Message message) {
    if (const auto* hello = std::get_if<message::Hello>(&message)) {
      if (hello->protocol != kProtocol) {
        return fail(ErrorKind::bad_input,
                    tr("The window speaks protocol {}, this engine {}: install the same version of "
                       "Streamscope on both ends.",
                       hello->protocol, kProtocol));
      }
      greeted_ = true;
      return {};
    }
    if (!greeted_) return fail(ErrorKind::bad_input, tr("The first message to an engine must be a hello."));
    if (std::holds_alternative<message::AskDevices>(message)) return ask(Job{});
    if (auto* run = std::get_if<message::StartRun>(&message)) return ask(Job{std::move(*run), {}});
    if (const auto* stop = std::get_if<message::Stop>(&message)) {
      connection_.stop(stop->id);
      return {};
    }
    return fail(ErrorKind::bad_input, tr("An engine does not take messages that only engines send."));
  }

  Result<void> ask(Job job) {
    if (connection_.ask(std::move(job))) return {};
    return fail(ErrorKind::bad_input, tr("More runs were asked for than an engine keeps waiting ({} of text at most).",
                                         display_bytes(kMostWaiting)));
  }

  void refuse(Error error) {
    connection_.writer.offer(message::Failed{0, std::move(error)});
    connection_.end(kProtocolError);
  }

  const int in_;
  Connection& connection_;
  FrameReader frames_;
  std::array<std::uint8_t, 64 << 10> buffer_{};
  Nanoseconds next_beat_ = 0;
  bool greeted_ = false;
};

}  // namespace

int serve(int in, int out) {
  std::signal(SIGPIPE, SIG_IGN);
  // Shared with the working thread, which stays behind where a driver never comes back to it.
  const auto connection = std::make_shared<Connection>(take_over(out));
  connection->writer.send(message::Hello{kProtocol, "streamscope " STREAMSCOPE_VERSION});
  std::thread worker([connection] {
    run_worker(*connection);
    connection->gone();
  });
  std::make_unique<MessageReader>(in, *connection)->read_all();

  const int code = connection->ended().value_or(kEndedByInput);
  if (code != kEndedByInput) connection->writer.finish(kLastWords);
  connection->writer.close();
  if (connection->wait_until_gone(kWorkEnds)) {
    worker.join();
    return code;
  }
  // A device that hangs may also hang the process's end; the alarm's signal ends it all the same.
  worker.detach();
  std::signal(SIGALRM, SIG_DFL);  // whoever started this may have had it ignored
  alarm(kExitSeconds);
  return kEndedAfterFailure;
}

}  // namespace streamscope::remote
