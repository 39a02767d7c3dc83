// What the host does for each operation: plain values, from the program and the profile.
//
//   wait for `before` | `enter` passes, and what is submitted is submitted | wait for `until`, and if that took time
//   `wake` more | `leave` passes
#pragma once

#include <cstdint>

#include "engine/device/model/profile/profile.h"
#include "engine/program/program.h"

namespace streamscope::model {

enum class HostWait : std::uint8_t {
  nothing,
  room,       // in the queue of the operation's stream
  staging,    // and in the staging room for pageable copies
  operation,  // the operation itself
  device,     // all work
  stream,     // of the stream in `stream`; the legacy default stream is done when all blocking streams are
  record,     // the record that an event names
  thread,     // another host thread, to its end
};

struct HostCall {
  HostWait before = HostWait::nothing;
  Nanoseconds enter = 0;
  bool submits = false;
  bool is_call = true;  // to the CUDA driver, where calls of several threads take turns
  HostWait until = HostWait::nothing;
  StreamId stream{};
  OperationIndex record = kNoOperation;
  ThreadId thread{};
  Nanoseconds wake = 0;
  Nanoseconds leave = 0;
  Nanoseconds poll = 0;  // asks again and again, so long after each answer; 0 for no poll
};

// Bytes of pageable memory that the program's copies touch. The host moves what its caches hold faster than what they
// cannot, so that small copies of much data take as long by the byte as one large copy.
std::uint64_t pageable_data(const program::Program& program);

// cuda-rules 7 to 12, 16 and 4. What depends on where managed pages are is not in it. `idle`: the operation's stream
// has nothing left to do.
HostCall host_call(const Profile& profile, const program::Program& program, OperationIndex index,
                   std::uint64_t pageable_data, bool idle);

bool is_pageable(const program::Program& program, const program::Range& range);
// A copy that no copy engine takes over, but the host's commands carry along.
bool goes_with_commands(const Profile& profile, const program::Program& program, const program::Work& work, bool idle);
// How much of the staging room the operation takes until it ends.
std::uint64_t staged_bytes(const Profile& profile, const program::Program& program, const program::Work& work);
// Of what carries the copy out on the device.
Nanoseconds copy_time(const Profile& profile, const program::Program& program, program::Direction direction,
                      const program::Range& range, std::uint64_t pageable_data, bool with_commands);

}  // namespace streamscope::model
