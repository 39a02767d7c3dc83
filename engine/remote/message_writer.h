// The engine's way out: one thread of its own writes, so that messages from several threads never mix and a slow reader
// holds up nobody but those who want to wait.
#pragma once

#include <condition_variable>
#include <cstddef>
#include <deque>
#include <mutex>
#include <thread>

#include "engine/remote/message.h"

namespace streamscope::remote {

class MessageWriter {
 public:
  // The descriptors stay the caller's. `broken` is an eventfd that is written once when nothing gets out any more.
  MessageWriter(int out, int broken);
  ~MessageWriter();
  MessageWriter(const MessageWriter&) = delete;
  MessageWriter& operator=(const MessageWriter&) = delete;

  void send(Message message);   // waits while many wait to be written; lost where the writer is closed
  void offer(Message message);  // never waits; lost where many wait to be written
  // Gives what waits `limit` to be read at the other end, then closes.
  void finish(Nanoseconds limit);
  void close();  // at once; what waits is lost

 private:
  void write_all();
  bool write_frame(const std::vector<std::uint8_t>& frame) const;

  const int out_, broken_;
  int closing_ = -1;  // an eventfd: readable once closed, so that no wait for the reader outlives it
  std::mutex mutex_;
  std::condition_variable changed_;
  std::deque<Message> waiting_;
  bool writing_ = false, closed_ = false;
  std::thread writer_;
};

}  // namespace streamscope::remote
