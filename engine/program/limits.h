// How large a stream program may be.
#pragma once

#include <cstdint>

#include "engine/base/time.h"

namespace streamscope::program {

inline constexpr std::uint64_t kMaximumOperations = 10'000'000;
inline constexpr std::uint32_t kMaximumNesting = 32;
inline constexpr std::uint32_t kMaximumStreams = 65'536;
inline constexpr std::uint32_t kMaximumHostThreads = 256;        // with the main one
inline constexpr std::uint64_t kMaximumGraphEdges = 40'000'000;  // between the nodes of graphs, over all launches
inline constexpr std::uint32_t kMaximumNames = 1'000'000;        // declared buffers, and events
inline constexpr std::int64_t kLastDevice = 63;                  // counted from 0
inline constexpr std::uint32_t kMaximumPitch = 2'147'483'647;    // cudaDevAttrMaxPitch of all GPUs so far

// The sum of kMaximumOperations such durations still fits int64 nanoseconds.
inline constexpr Nanoseconds kLongestDuration = 600'000'000'000;
inline constexpr Nanoseconds kShortestPoll = 1'000;  // a query takes the host about that long
inline constexpr Nanoseconds kDefaultPoll = 10'000;

}  // namespace streamscope::program
