// Strong ids: an index into one table that cannot be mistaken for an index into another.
#pragma once

#include <compare>
#include <cstdint>

namespace streamscope {

template <class Tag>
struct Id {
  std::uint32_t value = 0;
  friend constexpr auto operator<=>(Id, Id) = default;
};

using StreamId = Id<struct StreamTag>;
using EventId = Id<struct EventTag>;
using BufferId = Id<struct BufferTag>;
using ThreadId = Id<struct ThreadTag>;  // 0 is the main host thread
using GraphId = Id<struct GraphTag>;
using DeviceId = Id<struct DeviceTag>;  // of those that a program runs on; 0 is the first

// Operations are counted from 0 in the order in which the program issues them.
using OperationIndex = std::uint32_t;
inline constexpr OperationIndex kNoOperation = 0xFFFFFFFFu;

// Every program has these two streams without declaring them.
inline constexpr StreamId kLegacyStream{0};     // `default`: cudaStreamLegacy
inline constexpr StreamId kPerThreadStream{1};  // `per-thread` of the main thread: cudaStreamPerThread

}  // namespace streamscope
