// The streams that calls gave work last. What the driver keeps of a stream stays in the host's caches as long as few
// others are used in between; a call that gives work to another one takes longer (H200: each of the launches that go
// round 9 to 16 streams takes as long as round 8, round 24 to 160 some 0.15 us more).
#pragma once

#include <algorithm>
#include <cstddef>
#include <vector>

#include "engine/program/program.h"

namespace streamscope::model {

class RecentStreams {
 public:
  // As the pass before has left them: passes are repeated.
  explicit RecentStreams(const program::Program& program) {
    if (program.streams.size() <= kRecent) return;
    for (auto at = program.operations.rbegin(); at != program.operations.rend() && streams_.size() < kRecent; ++at) {
      const auto stream = program::ordered_in(*at);
      if (stream && std::find(streams_.begin(), streams_.end(), *stream) == streams_.end()) streams_.push_back(*stream);
    }
    std::reverse(streams_.begin(), streams_.end());
  }

  // A call gives this stream work. Returns whether it was one of them, or is one of so few that all are.
  bool use(StreamId stream) {
    const auto at = std::find(streams_.begin(), streams_.end(), stream);
    const bool recent = at != streams_.end() || streams_.size() < kRecent;
    if (at != streams_.end()) {
      streams_.erase(at);
    } else if (!recent) {
      streams_.erase(streams_.begin());
    }
    streams_.push_back(stream);
    return recent;
  }

 private:
  static constexpr std::size_t kRecent = 16;
  std::vector<StreamId> streams_;  // the latest last
};

}  // namespace streamscope::model
