// What the host's questions were answered in a pass. The room is made before it; each operation's is its own thread's.
#pragma once

#include <algorithm>
#include <vector>

#include "engine/program/program.h"
#include "engine/trace/answers.h"

namespace streamscope::cuda {

class AnswerLog {
 public:
  using OfPoll = std::vector<trace::PollAnswer>;

  explicit AnswerLog(const program::Program& program);

  void reset();                            // before each pass
  OfPoll* poll(OperationIndex operation);  // null where none are kept
  trace::StreamAttributes* attributes(OperationIndex operation);
  trace::CaptureAnswer* capture(OperationIndex operation);
  // With times since `zero`, a time of the host's clock.
  trace::Answers on_axis(Nanoseconds zero) const;

 private:
  std::vector<OperationIndex> polled_;  // ascending
  std::vector<OfPoll> polls_;           // of these
  std::vector<trace::StreamAttributes> streams_;
  std::vector<trace::CaptureAnswer> captures_;
};

}  // namespace streamscope::cuda
