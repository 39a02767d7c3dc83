// What a reader of a trace must know of its devices and of what was launched to say why an operation waited: limits,
// how long hand-overs usually take, and what each sort of launch takes of a multiprocessor.
#pragma once

#include <cstdint>
#include <vector>

#include "engine/base/kind.h"
#include "engine/base/time.h"
#include "engine/trace/span.h"

namespace streamscope::trace {

// From the release of what an operation waited for until it starts. `after` none: of one that waited for nothing, from
// its issue until it starts on an idle device. Engine::none: any engine, and none at all (records and waits).
struct HandOver {
  WaitReason after = WaitReason::none;
  Engine from = Engine::none, to = Engine::none;
  Nanoseconds usual = kAbsent;  // the longest that is usual
  friend bool operator==(const HandOver&, const HandOver&) = default;
};

// 0: not known.
struct DeviceFacts {
  std::uint32_t multiprocessors = 0;
  // What a multiprocessor holds at once.
  std::uint32_t threads = 0, blocks = 0, registers = 0;
  std::uint64_t shared_bytes = 0;
  std::uint64_t block_shared_reserved = 0;  // that the system takes for each block, besides what it asks for
  std::uint32_t kernels = 0;                // that run at once on the device
  std::uint32_t copy_engines = 0;           // 1: both directions share it
  // The rate of copies while others go the other way, in millionths of that alone.
  std::uint32_t h2d_beside_d2h = 0, d2h_beside_h2d = 0;
  std::uint32_t queue_depth = 0;            // operations that a stream's launch queue holds
  std::uint32_t connections = 0;            // hardware queues to the multiprocessors
  std::uint32_t copy_connections = 0;       // the same to the copy engine of each direction, where streams share them
  bool copies_in_issue_order = false;  // an engine waits for the copy that was issued first, though others are ready
  // Copies to the device of at most so many bytes travel with the commands and use no copy engine: from pinned memory;
  // from there into an idle stream; from pageable memory.
  std::uint64_t inlined_bytes = 0, inlined_idle_bytes = 0, inlined_pageable_bytes = 0;
  std::vector<HandOver> hand_overs;
  friend bool operator==(const DeviceFacts&, const DeviceFacts&) = default;
};

// Of the entries of that reason the most specific one: for both engines, for `to`, for `from`, for any. kAbsent where
// there is none.
Nanoseconds usual_hand_over(const std::vector<HandOver>& all, WaitReason after, Engine from, Engine to);
Nanoseconds usual_hand_over(const DeviceFacts& facts, WaitReason after, Engine from, Engine to);

// What launches of a kernel have in common that stand in one line, have one name and work on as many bytes: of those
// that differ otherwise, the first.
struct LaunchShape {
  std::uint32_t line = 0, name = 0;  // as Span's
  std::uint64_t bytes = 0;
  std::uint64_t blocks = 0;          // of the grid
  std::uint32_t threads = 0;         // of a block
  std::uint32_t registers = 0;       // of a thread
  std::uint64_t shared_bytes = 0;    // of a block, without what the system reserves
  std::uint32_t blocks_at_once = 0;  // that a multiprocessor holds
  friend bool operator==(const LaunchShape&, const LaunchShape&) = default;
};
inline constexpr std::size_t kMostLaunchShapes = 65'536;  // those of later launches are left out

bool comes_before(const LaunchShape& a, const LaunchShape& b);  // by line, name and bytes

}  // namespace streamscope::trace
