// The channels that lead to an engine. There are few of them, and streams that have work share them: a stream keeps its
// channel as long as no other stream needs it, and one without a channel gets the one that was used longest ago. Work
// leaves a channel in the order in which it came: what still waits for its stream holds up other streams' work behind
// it (cuda-rules 16; H200: kernels of 8 to 14 streams, copies of 2 to 16).
#pragma once

#include <cstdint>
#include <deque>
#include <vector>

#include "engine/base/id.h"

namespace streamscope::model {

class Channels {
 public:
  explicit Channels(std::uint32_t count) : channels_(count) {}

  // Work was issued; tells the channel that it goes through.
  std::uint32_t issue(OperationIndex operation, StreamId stream);
  bool is_first(std::uint32_t channel, OperationIndex operation) const {
    return channels_[channel].work.front() == operation;
  }
  // The first work of the channel has begun. Tells what is first now; kNoOperation where there is none.
  OperationIndex next(std::uint32_t channel);

 private:
  struct Channel {
    StreamId stream{};
    std::uint64_t used = 0;  // 0: by nobody yet
    std::deque<OperationIndex> work;
  };
  std::vector<Channel> channels_;
  std::uint64_t uses_ = 0;
};

}  // namespace streamscope::model
