// The channels (hardware queues) to an engine. There are few of them, so streams share them: a stream keeps its channel
// as long as no other stream needs it, and a stream without one gets the channel that was used longest ago. A channel
// is first in, first out: an operation that still waits for its stream holds up other streams' operations behind it
// (docs/cuda-rules.md 16; H200: kernels of 8 to 14 streams, copies of 2 to 16).
#pragma once

#include <cstdint>
#include <deque>
#include <vector>

#include "engine/base/id.h"

namespace streamscope::trace {

class Channels {
 public:
  explicit Channels(std::uint32_t count) : channels_(count) {}

  // Enters an operation; returns the channel it goes through.
  std::uint32_t issue(OperationIndex operation, StreamId stream);
  // What is right ahead of the operation that entered last; kNoOperation: nothing.
  OperationIndex ahead_of_last(std::uint32_t channel) const {
    const std::deque<OperationIndex>& work = channels_[channel].work;
    return work.size() < 2 ? kNoOperation : work[work.size() - 2];
  }
  bool is_first(std::uint32_t channel, OperationIndex operation) const {
    return channels_[channel].work.front() == operation;
  }
  // The first operation of the channel has begun. Returns the one that is first now, or kNoOperation.
  OperationIndex next(std::uint32_t channel);

 private:
  struct Channel {
    StreamId stream{};
    std::uint64_t used = 0;  // the number of its latest use; 0: never used
    std::deque<OperationIndex> work;
  };
  std::vector<Channel> channels_;
  std::uint64_t uses_ = 0;
};

}  // namespace streamscope::trace
