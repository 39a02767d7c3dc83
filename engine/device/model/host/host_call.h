// What the host does for each operation, as plain values from the program and the profile. The steps of a call:
//
//   wait for `before`; spend `enter`; submit the operation; wait for `until`, and if that took time spend `wake`; spend
//   `leave`
#pragma once

#include <cstdint>
#include <optional>

#include "engine/device/model/profile/profile.h"
#include "engine/program/program.h"

namespace streamscope::model {

// Pageable copies to the device up to this size travel in the command stream; the last piece of a larger one has this
// size.
inline constexpr std::uint64_t kLastPiece = 64 << 10;

enum class HostWait : std::uint8_t {
  nothing,
  room,       // a free entry in the queue of the operation's stream
  staging,    // the same, and room in the staging buffer for pageable copies
  operation,  // the end of the operation itself
  device,     // the end of all work of `device`
  stream,     // the end of all work in `stream`; the legacy default stream is done when all blocking streams are
  record,     // the end of `record`, the latest of `event`
  thread,     // the end of another host thread
};

struct HostCall {
  HostWait before = HostWait::nothing;
  Nanoseconds enter = 0;
  bool submits = false;
  bool is_call = true;  // of the CUDA driver, where calls of several threads take turns
  HostWait until = HostWait::nothing;
  StreamId stream{};
  DeviceId device{};
  std::optional<EventId> event{};
  OperationIndex record = kNoOperation;  // known when the call is made; kNoOperation: none so far
  ThreadId thread{};
  Nanoseconds wake = 0;
  Nanoseconds leave = 0;
  Nanoseconds poll = 0;  // host work between two polls; 0: no poll
  bool asks = false;     // for the state of `stream`, or of `record`, as it is when the call is made
};

// Bytes of pageable memory that the program's copies touch. The host's caches speed copies up only if they hold all of
// it: small copies of much data take as long per byte as one large copy.
std::uint64_t pageable_data(const program::Program& program);

// docs/cuda-rules.md 4, 7 to 12 and 16. The migration of managed pages is not included. `idle`: the operation's stream
// has nothing left to do; `reached`: of a copy between devices, peer access is on.
HostCall host_call(const Profile& profile, const program::Program& program, OperationIndex index,
                   std::uint64_t pageable_data, bool idle, bool reached = false);

// What the first launch of a graph takes longer that the run has captured: it is uploaded then.
Nanoseconds upload_time(const Profile& profile, const program::Graph& graph);
// The longest that a call takes which allocates, frees, registers or unregisters so much pinned memory.
Nanoseconds host_memory_time(std::uint64_t bytes);
bool is_pageable(const program::Program& program, const program::op::Copy& copy);
// Whether the data of a copy travels in the command stream, so that no copy engine is used.
bool goes_with_commands(const Profile& profile, const program::Program& program, const program::Work& work, bool idle);
// How much of the staging buffer the operation holds until it ends.
std::uint64_t staged_bytes(const Profile& profile, const program::Program& program, const program::Work& work);
// How long a call that queues work, waits or asks takes at the host's pace, or a host that waited to wake.
Nanoseconds at_pace(const Profile& profile, Nanoseconds time);
// The time in which the host itself moves data of pageable memory. Where its calls take longer, so does this, but by
// half as much: its memory is no slower (H200: 43 such copies alone, on hosts of a pace from 0.96 to 1.44).
Nanoseconds moved_by_host(const Profile& profile, Nanoseconds time);
// The time of a copy on what executes it on the device.
Nanoseconds copy_time(const Profile& profile, const program::Program& program, const program::op::Copy& copy,
                      std::uint64_t pageable_data, bool with_commands);

}  // namespace streamscope::model
