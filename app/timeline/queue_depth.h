// How many operations a stream had been given that were not over: the depth of its launch queue, over time.
#pragma once

#include <cstdint>
#include <vector>

#include "engine/verdict/history.h"

namespace streamscope::timeline {

struct QueueDepth {
  std::uint32_t stream = 0;          // index into Trace::streams
  std::vector<Nanoseconds> at;       // rising; each depth holds until the next
  std::vector<std::uint32_t> depth;  // the last is 0
  std::uint32_t deepest = 0;
  // The greatest of 64 of them each, then of 64 times 64, and so on.
  std::vector<std::vector<std::uint32_t>> most;
};

inline constexpr std::uint32_t kDeepQueue = 32;  // of one less deep its bars say all

// Of each stream that held so many at a time, by stream. O(n log n).
std::vector<QueueDepth> queue_depths(const verdict::History& history);

// The greatest at an instant of [from, to), or at `from`; O(log n) and what the interval's ends leave of a 64.
std::uint32_t depth_in(const QueueDepth& queue, Nanoseconds from, Nanoseconds to);

}  // namespace streamscope::timeline
