// What the engine's threads share: the jobs asked for, the run in progress, the way out, and whether it is all over.
#pragma once

#include <condition_variable>
#include <cstddef>
#include <deque>
#include <map>
#include <mutex>
#include <optional>

#include "engine/base/stop_source.h"
#include "engine/remote/descriptor.h"
#include "engine/remote/message_writer.h"

namespace streamscope::remote {

// A run to be done, or a question for the devices.
struct Job {
  std::optional<message::StartRun> run;
  StopSource stop;
};

// What may wait at a time: a window has one run in progress and none behind it, so only one that is none reaches it.
inline constexpr std::size_t kMostWaiting = 128u << 20;  // bytes

class Connection {
 public:
  explicit Connection(Descriptor out);

  // For the thread that reads.
  [[nodiscard]] bool ask(Job job);  // false: more than kMostWaiting would wait
  void stop(std::uint64_t run);     // in progress or waiting; 0: the one in progress
  bool busy();
  void beat();                                           // says once more how far the run in progress is
  int ended_descriptor() const { return ended_.get(); }  // readable once there is no point in reading on
  void end(int code);                                    // stops all; the first code counts
  std::optional<int> ended();

  // For the thread that works.
  std::optional<Job> next();  // waits; nothing: it is over
  void progress(int done, int total);
  void finished();  // with the job
  void gone();      // the thread itself is about to end
  bool wait_until_gone(Nanoseconds limit);

 private:
  const Descriptor out_, ended_;
  std::mutex mutex_;
  std::condition_variable changed_;
  std::deque<Job> jobs_;
  std::map<std::uint64_t, StopSource> stops_;  // of the runs among them, by number: many may be stopped at once
  std::size_t waiting_ = 0;                    // bytes
  std::optional<Job> current_;
  message::Passes passes_;
  std::optional<int> code_;
  bool gone_ = false;

 public:
  MessageWriter writer;  // last, so that its thread ends before what it uses
};

// The thread that touches devices: takes one job after the other until the connection ends.
void run_worker(Connection& connection);

}  // namespace streamscope::remote
