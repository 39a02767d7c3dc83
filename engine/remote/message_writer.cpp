#include "engine/remote/message_writer.h"

#include <fmt/core.h>
#include <poll.h>
#include <sys/eventfd.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <chrono>
#include <utility>

#include "engine/base/translate.h"
#include "engine/remote/wire.h"

namespace streamscope::remote {
namespace {

constexpr std::size_t kWaiting = 8;
// A pipe or socket that poll() calls writable takes this much without blocking (pipe(7): PIPE_BUF). The descriptor is
// not made non-blocking instead, as that would change it for every process that shares it.
constexpr std::size_t kPiece = 4096;

std::uint64_t run_of(const Message& message) {
  if (const auto* done = std::get_if<message::Done>(&message)) return done->id;
  if (const auto* failed = std::get_if<message::Failed>(&message)) return failed->id;
  return 0;
}

// What the other end would refuse is shortened.
std::vector<std::uint8_t> bounded_frame(const Message& message) {
  auto frame = encode(message);
  if (frame.size() - 4 <= kMaximumFrame) return frame;
  return encode(message::Failed{
      run_of(message), Error{ErrorKind::bad_input, tr("The result takes a message of {} bytes; {} are allowed.",
                                                      frame.size() - 4, kMaximumFrame)}});
}

}  // namespace

MessageWriter::MessageWriter(int out, int broken)
    : out_(out), broken_(broken), closing_(eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK)), writer_([this] { write_all(); }) {}

MessageWriter::~MessageWriter() {
  close();
  writer_.join();
  if (closing_ >= 0) ::close(closing_);
}

void MessageWriter::send(Message message) {
  std::unique_lock lock(mutex_);
  changed_.wait(lock, [&] { return closed_ || waiting_.size() < kWaiting; });
  if (closed_) return;
  waiting_.push_back(std::move(message));
  changed_.notify_all();
}

void MessageWriter::offer(Message message) {
  const std::lock_guard lock(mutex_);
  if (closed_ || waiting_.size() >= kWaiting) return;
  waiting_.push_back(std::move(message));
  changed_.notify_all();
}

void MessageWriter::finish(Nanoseconds limit) {
  {
    std::unique_lock lock(mutex_);
    changed_.wait_for(lock, std::chrono::nanoseconds(limit),
                      [&] { return closed_ || (waiting_.empty() && !writing_); });
  }
  close();
}

void MessageWriter::close() {
  const std::lock_guard lock(mutex_);
  if (closed_) return;
  closed_ = true;
  eventfd_write(closing_, 1);
  changed_.notify_all();
}

void MessageWriter::write_all() {
  for (;;) {
    Message message;
    {
      std::unique_lock lock(mutex_);
      writing_ = false;
      changed_.notify_all();
      changed_.wait(lock, [&] { return closed_ || !waiting_.empty(); });
      if (closed_) return;
      writing_ = true;
      message = std::move(waiting_.front());
      waiting_.pop_front();
      changed_.notify_all();
    }
    if (write_frame(bounded_frame(message))) continue;
    close();
    eventfd_write(broken_, 1);
    return;
  }
}

bool MessageWriter::write_frame(const std::vector<std::uint8_t>& frame) const {
  std::size_t written = 0;
  while (written < frame.size()) {
    pollfd watched[2] = {{out_, POLLOUT, 0}, {closing_, POLLIN, 0}};
    if (poll(watched, 2, -1) < 0) {
      if (errno == EINTR) continue;
      return false;
    }
    if (watched[1].revents != 0) return false;
    const ssize_t count = write(out_, frame.data() + written, std::min(kPiece, frame.size() - written));
    if (count < 0) {
      if (errno == EINTR || errno == EAGAIN) continue;
      return false;
    }
    written += static_cast<std::size_t>(count);
  }
  return true;
}

}  // namespace streamscope::remote
