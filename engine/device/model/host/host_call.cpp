#include "engine/device/model/host/host_call.h"

#include <algorithm>
#include <vector>

#include "engine/base/int128.h"
#include "engine/device/model/hardware/bus.h"

namespace streamscope::model {
namespace {

// `data`: how much pageable memory the program copies in all (pageable_data).
Nanoseconds pageable_time(const Profile& profile, const TimeBySize& table, std::uint64_t bytes, std::uint64_t data) {
  const Nanoseconds alone = table.at(bytes);
  if (data <= bytes) return moved_by_host(profile, alone);
  const auto share = static_cast<__int128>(table.at(data)) * bytes / data;
  return moved_by_host(profile, std::max(alone, static_cast<Nanoseconds>(share)));
}

// A call that queues work hands over an address and a size: of more bytes than any that was timed it takes no longer.
Nanoseconds call_time(const TimeBySize& table, std::uint64_t bytes) {
  return table.at(std::min(bytes, table.points.back().bytes));
}

bool is_pinned(const program::Program& program, const program::op::Copy& copy) {
  const program::HostMemory host = program::host_memory(program, copy);
  return host == program::HostMemory::pinned || host == program::HostMemory::write_combined;
}

// Whether the host writes a copy of pinned memory into the command stream, which is quicker when the stream is idle.
bool is_by_host(const Profile& profile, const program::Program& program, const program::op::Copy& copy, bool idle) {
  return idle && copy.host.pitch == 0 && copy.host.bytes > profile.copies.inlined &&
         copy.host.bytes <= profile.copies.by_host && is_pinned(program, copy);
}

// No profile has them. Of streams the driver's time on an H200 (docs/cuda-rules.md 4); of events assumed.
constexpr Nanoseconds kStreamCall = 10'000, kEventCall = 1'000;
// Nor this. To allocate pinned memory takes 100 ms for 256 MiB (H200; an H100 22 ms for 64 MiB). Beside that the others
// were measured at 64 MiB on an H100: 9.5 ms to free it, 4.3 to register pageable memory, 1.6 to unregister it. The
// least of each, which was 10 to 45 us there, is assumed. A reset took 54 to 73 ms on an H100.
constexpr Nanoseconds kPinTime = 100'000'000, kLeastPinTime = 10'000, kResetTime = 60'000'000;
constexpr std::uint64_t kPinnedIn = 256 << 20;
constexpr double kFree = 0.4, kRegister = 0.17, kUnregister = 0.065;  // of the time to allocate as much

// Nor of captures: times of an H100 (CUDA 13.0, 2026; 188 us to instantiate 101 nodes, whose first launch took 136 us
// longer than the second). Each call into a captured stream took from 0.4 to 1.7 us.
constexpr Nanoseconds kBeginCapture = 1'000, kCapturedCall = 900, kEndCapture = 600, kEndNode = 45;
constexpr Nanoseconds kInstantiate = 10'000, kInstantiateNode = 1'800, kUploadNode = 1'350;

// Of a copy between devices that is staged through the host, whose call queues the first pieces: at least this, and of
// 4 MiB and more this part of the copy's time (two H100s, 2026: 9 us up to 1 MiB, 26, 98, 358 and 1249 us at 4, 16, 64
// and 256 MiB).
constexpr Nanoseconds kStagedCall = 9'000;
constexpr double kStagedCallPart = 0.18;

Nanoseconds pin_time(std::uint64_t bytes, double part = 1) {
  const double all = part * static_cast<double>(kPinTime) * (static_cast<double>(bytes) / kPinnedIn);
  return kLeastPinTime + static_cast<Nanoseconds>(std::min(all, static_cast<double>(kLongestModelled - kLeastPinTime)));
}

struct CallOf {
  const Profile& profile;
  const program::Program& program;
  OperationIndex index;
  std::uint64_t data;
  bool idle, reached;
  const Profile::Host& costs = profile.host;

  HostCall operator()(const program::op::CopyOnDevice&) const { return queued(costs.copy_on_device); }
  HostCall operator()(const program::op::Memset& memset) const {
    return queued(call_time(costs.memset, memset.range.bytes));
  }
  HostCall operator()(const program::op::Kernel&) const { return queued(costs.launch); }
  HostCall operator()(const program::op::Record&) const { return queued(costs.record); }
  HostCall operator()(const program::op::Wait&) const { return queued(costs.wait); }
  HostCall operator()(const program::op::HostFunction&) const { return queued(costs.host_function); }
  HostCall operator()(const program::op::Prefetch&) const { return queued(costs.prefetch); }
  HostCall operator()(const program::op::MallocAsync&) const { return queued(costs.malloc_async); }
  HostCall operator()(const program::op::FreeAsync&) const { return queued(costs.free_async); }
  HostCall operator()(const program::op::Launch& launch) const {
    const auto nodes = static_cast<Nanoseconds>(program.graphs[launch.graph.value].nodes.size());
    return queued(costs.graph_launch + nodes * costs.graph_node);
  }
  HostCall operator()(const program::op::HostWork& work) const {
    HostCall call = alone(costs.work + work.duration);
    call.is_call = false;
    return call;
  }
  HostCall operator()(const program::op::SyncDevice& sync) const {
    HostCall call = waits(HostWait::device, costs.sync_device);
    call.device = sync.device;
    return call;
  }
  HostCall operator()(const program::op::PeerCopy& copy) const {
    if (reached) return queued(profile.links.copy_call);
    HostCall call = queued(kStagedCall);
    const double all = kStagedCallPart * static_cast<double>(profile.links.staged.at(copy.to.bytes));
    call.leave += std::max<Nanoseconds>(0, static_cast<Nanoseconds>(all) - kStagedCall);
    return call;
  }
  HostCall operator()(const program::op::SetDevice&) const {
    HostCall call = alone(profile.links.set_device);
    call.is_call = false;  // it asks nothing of the driver
    return call;
  }
  HostCall operator()(const program::op::PeerAccess&) const { return alone(profile.links.access); }
  HostCall operator()(const program::op::SyncStream& sync) const {
    return waits(HostWait::stream, costs.sync_stream, sync.stream);
  }
  HostCall operator()(const program::op::SyncEvent& sync) const {
    return waits(HostWait::record, costs.sync_event, {}, sync.event);
  }
  HostCall operator()(const program::op::PollStream& poll) const {
    if (poll.once) return asks({.stream = poll.stream});
    return polls(waits(HostWait::stream, costs.query, poll.stream), poll.every);
  }
  HostCall operator()(const program::op::PollEvent& poll) const {
    if (poll.once) return asks({.event = poll.event});
    return polls(waits(HostWait::record, costs.query, {}, poll.event), poll.every);
  }
  HostCall operator()(const program::op::Elapsed&) const { return asks({}); }
  HostCall operator()(const program::op::CreateStream&) const { return alone(kStreamCall); }
  HostCall operator()(const program::op::DestroyStream&) const { return alone(kStreamCall); }
  HostCall operator()(const program::op::CreateEvent&) const { return alone(kEventCall); }
  HostCall operator()(const program::op::DestroyEvent&) const { return alone(kEventCall); }
  HostCall operator()(const program::op::Attributes&) const { return alone(at_pace(profile, costs.query)); }
  HostCall operator()(const program::op::CaptureInfo& info) const { return asks({.stream = info.stream}); }
  HostCall operator()(const program::op::Capture& capture) const {
    const auto nodes = static_cast<Nanoseconds>(program.graphs[capture.graph.value].nodes.size());
    switch (capture.step) {
      case program::CaptureStep::begin: return alone(at_pace(profile, kBeginCapture));
      case program::CaptureStep::call: return alone(at_pace(profile, kCapturedCall));
      case program::CaptureStep::end: return alone(at_pace(profile, kEndCapture + nodes * kEndNode));
      case program::CaptureStep::instantiate: break;
    }
    return alone(at_pace(profile, kInstantiate + nodes * kInstantiateNode));
  }
  HostCall operator()(const program::op::Malloc& made) const {
    return allocates(costs.malloc_waits, costs.malloc, made.buffer);
  }
  HostCall operator()(const program::op::Free& freed) const {
    // Memory of the pool goes back there.
    if (program.buffers[freed.buffer.value].stream_ordered) return alone(costs.free_async);
    return allocates(costs.free_waits, costs.free, freed.buffer);
  }
  HostCall operator()(const program::op::MallocHost& one) const { return alone(pin_time(bytes(one.made))); }
  HostCall operator()(const program::op::FreeHost& one) const { return unasked(pin_time(bytes(one.gone), kFree)); }
  HostCall operator()(const program::op::Register& one) const { return alone(pin_time(bytes(one.memory), kRegister)); }
  HostCall operator()(const program::op::Unregister& one) const {
    return unasked(pin_time(bytes(one.memory), kUnregister));
  }
  HostCall operator()(const program::op::Fault&) const { return queued(costs.launch); }
  HostCall operator()(const program::op::LastError&) const {
    HostCall call = asks({});
    call.is_call = false;
    return call;
  }
  HostCall operator()(const program::op::Reset&) const {
    HostCall call = unasked(kResetTime);
    call.before = HostWait::device;
    return call;
  }
  HostCall operator()(const program::op::Touch& touch) const {
    const program::HostMemory memory = program.buffers[touch.range.buffer.value].host;
    const TimeBySize& table = memory == program::HostMemory::write_combined ? costs.touch_write_combined
                              : memory == program::HostMemory::managed      ? costs.touch_migrated
                                                                            : costs.touch;
    HostCall call = alone(table.at(touch.range.bytes));
    call.is_call = false;
    return call;
  }
  HostCall operator()(const program::op::StartThread&) const { return alone(costs.thread_start); }
  HostCall operator()(const program::op::JoinThread& join) const {
    HostCall call = waits(HostWait::thread, 0);
    call.thread = join.thread;
    call.wake = costs.thread_join;
    call.is_call = false;
    return call;
  }

  HostCall allocates(bool waits, const TimeBySize& table, BufferId buffer) const {
    HostCall call = alone(0);
    if (waits) call.before = HostWait::device;
    call.device = program.buffers[buffer.value].device;
    call.leave = table.at(program.buffers[buffer.value].bytes);
    return call;
  }
  std::uint64_t bytes(BufferId buffer) const { return program.buffers[buffer.value].bytes; }
  // Waits for the device where freeing its memory does.
  HostCall unasked(Nanoseconds time) const {
    HostCall call = alone(0);
    if (costs.free_waits) call.before = HostWait::device;
    call.leave = time;
    return call;
  }
  static HostCall polls(HostCall call, Nanoseconds every) {
    call.wake = 0;
    call.poll = std::max<Nanoseconds>(1, every);
    return call;
  }
  HostCall asks(HostCall call) const {
    call.enter = at_pace(profile, costs.query);
    call.asks = true;
    return call;
  }
  static HostCall alone(Nanoseconds cost) { return {.enter = cost}; }
  HostCall queued(Nanoseconds cost) const {
    return {.before = HostWait::room, .enter = at_pace(profile, cost), .submits = true};
  }
  HostCall waits(HostWait until, Nanoseconds cost, StreamId stream = {}, std::optional<EventId> event = {}) const {
    return {.enter = at_pace(profile, cost),
            .is_call = false,
            .until = until,
            .stream = stream,
            .event = event,
            .wake = at_pace(profile, costs.wake)};
  }

  HostCall operator()(const program::op::Copy& copy) const {
    const bool in = copy.direction == program::Direction::h2d;
    const std::uint64_t bytes = program::moved_bytes(copy.host);
    HostCall call = queued(call_time(in ? costs.copy_h2d : costs.copy_d2h, bytes));
    if (!is_pageable(program, copy)) {
      const bool by_host = in && is_by_host(profile, program, copy, idle);
      if (by_host) call.enter += profile.copies.h2d_pageable.at(bytes);
      if (copy.blocking) call.enter += by_host ? costs.blocking_copy_by_host : costs.blocking_copy;
      if (copy.blocking) call.until = HostWait::operation;
      call.wake = at_pace(profile, costs.wake);
      return call;
    }
    // To the device the host fills the staging buffer and returns, if the copy fits in; from the device it waits. A
    // blocking copy is staged once its stream is done, and if it is larger the host waits for the last piece, too.
    if (copy.blocking) call.enter += costs.blocking_copy_by_host;
    if (in) {
      call.enter += pageable_time(profile, profile.copies.h2d_pageable, std::min(bytes, profile.copies.staging), data);
      if (copy.blocking) {
        call.before = HostWait::stream;
        call.stream = *program::ordered_in(program.operations[index]);
        if (bytes <= kLastPiece) return call;
      } else if (bytes <= profile.copies.staging) {
        call.before = HostWait::staging;
        return call;
      }
    }
    call.until = HostWait::operation;
    return call;
  }
};

}  // namespace

std::uint64_t pageable_data(const program::Program& program) {
  struct Hull {
    std::uint64_t begin = UINT64_MAX, end = 0;
  };
  std::vector<Hull> touched(program.buffers.size());
  for (const program::Operation& operation : program.operations) {
    const auto* copy = std::get_if<program::op::Copy>(&operation.work);
    if (copy == nullptr || !is_pageable(program, *copy)) continue;
    const program::Range& range = copy->host;
    Hull& hull = touched[range.buffer.value];
    hull = {std::min(hull.begin, range.offset), std::max(hull.end, range.offset + range.bytes)};
  }
  std::uint64_t bytes = 0;
  for (const Hull& hull : touched) bytes += hull.end > hull.begin ? hull.end - hull.begin : 0;
  return bytes;
}

HostCall host_call(const Profile& profile, const program::Program& program, OperationIndex index,
                   std::uint64_t pageable_data, bool idle, bool reached) {
  return std::visit(CallOf{profile, program, index, pageable_data, idle, reached}, program.operations[index].work);
}

Nanoseconds upload_time(const Profile& profile, const program::Graph& graph) {
  return at_pace(profile, static_cast<Nanoseconds>(graph.nodes.size()) * kUploadNode);
}

Nanoseconds at_pace(const Profile& profile, Nanoseconds time) {
  return static_cast<Nanoseconds>(static_cast<Int128>(time) * profile.host.pace / 1'000'000);
}

Nanoseconds moved_by_host(const Profile& profile, Nanoseconds time) {
  constexpr int kOfItsPace = 2;
  const Int128 pace = 1'000'000 + (static_cast<Int128>(profile.host.pace) - 1'000'000) / kOfItsPace;
  return static_cast<Nanoseconds>(std::min<Int128>(time * pace / 1'000'000, kLongestModelled));
}

Nanoseconds host_memory_time(std::uint64_t bytes) { return pin_time(bytes); }

bool is_pageable(const program::Program& program, const program::op::Copy& copy) {
  return program::host_memory(program, copy) == program::HostMemory::pageable;
}

bool goes_with_commands(const Profile& profile, const program::Program& program, const program::Work& work, bool idle) {
  const auto* copy = std::get_if<program::op::Copy>(&work);
  if (copy == nullptr || copy->direction != program::Direction::h2d || copy->host.pitch != 0) return false;
  return copy->host.bytes <= (is_pageable(program, *copy) ? kLastPiece : profile.copies.inlined) ||
         is_by_host(profile, program, *copy, idle);
}

std::uint64_t staged_bytes(const Profile& profile, const program::Program& program, const program::Work& work) {
  const auto* copy = std::get_if<program::op::Copy>(&work);
  const bool staged = copy != nullptr && copy->direction == program::Direction::h2d && is_pageable(program, *copy) &&
                      program::moved_bytes(copy->host) <= profile.copies.staging;
  return staged ? program::moved_bytes(copy->host) : 0;
}

Nanoseconds copy_time(const Profile& profile, const program::Program& program, const program::op::Copy& copy,
                      std::uint64_t pageable_data, bool with_commands) {
  const Profile::Copies& copies = profile.copies;
  const std::uint64_t bytes = carried_bytes(copy.host);
  const bool in = copy.direction == program::Direction::h2d;
  if (with_commands && bytes > copies.inlined) return copies.h2d_staged.at(bytes);
  if (!is_pageable(program, copy)) return (in ? copies.h2d : copies.d2h).at(bytes);
  if (!in) return pageable_time(profile, copies.d2h_pageable, bytes, pageable_data);
  // While the host still fills the staging buffer all but its last piece moves; what does not fit in moves at the pace
  // of the host.
  if (bytes <= copies.staging) return copies.h2d_staged.at(std::min(bytes, kLastPiece));
  return pageable_time(profile, copies.h2d_pageable, bytes, pageable_data) -
         pageable_time(profile, copies.h2d_pageable, copies.staging, pageable_data);
}

}  // namespace streamscope::model
