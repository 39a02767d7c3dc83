#include <algorithm>

#include "engine/reconstruct/reconstruction.h"

namespace streamscope::reconstruct {
namespace {

using program::HostMemory;

// What was measured when the device was opened is the fastest of a few turns; by these factors it may be faster yet.
constexpr double kMemoryTolerance = 1.1, kCacheTolerance = 1.5;
// A usual time may be this much longer: where the bar is put, not what is stated.
constexpr double kBusTolerance = 1.03;
constexpr Nanoseconds kSetupTolerance = 1'000;
constexpr Nanoseconds kSetupOnDevice = 1'000;
// Pageable memory up to this size may be sent with the command itself (CUDA Runtime API, "API synchronization
// behavior").
constexpr std::uint64_t kSentWithCommand = 64 << 10;

Nanoseconds rounded(double time) { return static_cast<Nanoseconds>(time); }

HostMemory memory_of(const Reconstruction& run, const program::Range& range) {
  return run.program.buffers[range.buffer.value].host;
}

// The bus carries a copy between host and device, at its best alone.
TransferTime over_the_bus(const device::CopyTime& time, std::uint64_t size, bool both_ways) {
  if (!time.known()) return {};
  const auto bytes = static_cast<double>(size);
  const Nanoseconds usual = time.setup + rounded(bytes * (both_ways ? time.both : time.alone));
  return {rounded(bytes * time.least), rounded(static_cast<double>(usual) * kBusTolerance) + kSetupTolerance, usual};
}

// What the cache can hold may come from there; the rest is in memory.
TransferTime within_memory(const device::DispatchLatency& on, const device::MemoryTime& time, std::uint64_t size) {
  if (!time.known()) return {};
  const auto cached = static_cast<double>(std::min(size, on.cache_bytes));
  const auto beyond = static_cast<double>(size) - cached;
  const double usual = size <= on.cache_bytes / 2 ? time.in_cache : time.in_memory;
  const Nanoseconds typical = kSetupOnDevice + rounded(static_cast<double>(size) * usual);
  return {rounded(cached * std::min(time.in_cache, time.in_memory) / kCacheTolerance +
                  beyond * time.in_memory / kMemoryTolerance),
          rounded(static_cast<double>(typical) * kCacheTolerance), typical};
}

TransferTime slower(const TransferTime& a, const TransferTime& b) { return a.shortest > b.shortest ? a : b; }

// Of a piece of memory that the device itself reads (`in`) or writes, besides what it costs in its own memory.
TransferTime to_host_memory(const Reconstruction& run, OperationIndex i, const program::Range& range, bool in) {
  if (memory_of(run, range) != HostMemory::mapped) return {};
  return over_the_bus(in ? run.dispatch(i).h2d : run.dispatch(i).d2h, program::moved_bytes(range), false);
}

// Managed memory lies where it was touched last, or part of it: it can be as fast as device memory and is often far
// slower.
TransferTime if_managed(const Reconstruction& run, TransferTime time, std::initializer_list<program::Range> ranges) {
  for (const program::Range& range : ranges) {
    if (memory_of(run, range) == HostMemory::managed) time.longest = TransferTime::kUnbounded;
  }
  return time;
}

TransferTime time_of(const Reconstruction& run, OperationIndex i, const program::op::Copy& copy, bool both_ways) {
  TransferTime time =
      over_the_bus(copy.direction == program::Direction::h2d ? run.dispatch(i).h2d : run.dispatch(i).d2h,
                   program::moved_bytes(copy.host), both_ways);
  if (copy.host.pitch != 0) time.longest = TransferTime::kUnbounded;  // row by row
  if (!program::call_waits_for_copy(run.program, copy)) return time;
  // The host does part of the work, in pieces.
  if (program::moved_bytes(copy.host) <= kSentWithCommand) time.shortest = 0;
  time.longest = TransferTime::kUnbounded;
  return time;
}

TransferTime time_of(const Reconstruction& run, OperationIndex i, const program::op::CopyOnDevice& copy, bool) {
  TransferTime time = within_memory(run.dispatch(i), run.dispatch(i).copy, program::moved_bytes(copy.to));
  if (copy.to.pitch != 0) time.longest = TransferTime::kUnbounded;
  time = slower(time, slower(to_host_memory(run, i, copy.from, true), to_host_memory(run, i, copy.to, false)));
  return if_managed(run, time, {copy.from, copy.to});
}

TransferTime time_of(const Reconstruction& run, OperationIndex i, const program::op::Memset& memset, bool) {
  const TransferTime time = within_memory(run.dispatch(i), run.dispatch(i).set, memset.range.bytes);
  return if_managed(run, slower(time, to_host_memory(run, i, memset.range, false)), {memset.range});
}

// Over the link between them, or through the host.
TransferTime time_of(const Reconstruction& run, OperationIndex i, const program::op::PeerCopy& copy, bool) {
  const std::size_t pair = copy.from_device.value * (run.circumstances.others.size() + 1) + copy.to_device.value;
  if (pair >= run.circumstances.peers.size()) return {};
  const device::PeerTime& time = run.circumstances.peers[pair];
  TransferTime found = over_the_bus(run.reach[i] == Reach::staged ? time.staged : time.direct, copy.to.bytes, false);
  if (run.reach[i] != Reach::direct) found.longest = TransferTime::kUnbounded;  // the host does part of the work
  return found;
}

template <class Work>
TransferTime time_of(const Reconstruction&, OperationIndex, const Work&, bool) {
  return {};
}

}  // namespace

TransferTime transfer_time(const Reconstruction& run, OperationIndex i, bool both_ways) {
  return std::visit([&](const auto& work) { return time_of(run, i, work, both_ways); }, run.operation(i).work);
}

}  // namespace streamscope::reconstruct
