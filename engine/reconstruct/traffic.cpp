#include "engine/reconstruct/traffic.h"

#include <algorithm>
#include <limits>

namespace streamscope::reconstruct {
namespace {

using program::HostMemory;

// What an operation other than a copy between host and device writes.
program::Range written(const program::Operation& operation) {
  const program::Work& work = operation.work;
  if (const auto* kernel = std::get_if<program::op::Kernel>(&work)) return kernel->range;
  if (const auto* copy = std::get_if<program::op::CopyOnDevice>(&work)) return copy->to;
  if (const auto* copy = std::get_if<program::op::PeerCopy>(&work)) return copy->to;
  if (const auto* memset = std::get_if<program::op::Memset>(&work)) return memset->range;
  if (const auto* prefetch = std::get_if<program::op::Prefetch>(&work)) return prefetch->range;
  return {};
}

// In a run that goes on, a kernel's end may still be unproved where what comes after it has ended.
bool ready_for_certain(const Reconstruction& run, OperationIndex i) {
  const auto before = run.dependencies.of(i);
  return std::all_of(before.begin(), before.end(),
                     [&](const program::Dependency& on) { return known(run.spans[on.on].end); });
}

}  // namespace

std::uint64_t bytes_to_host(const program::Program& program, const program::Operation& operation) {
  const program::Range range = written(operation);
  // Migrations send both ways: pages, and what the driver and the device tell each other about them.
  if (std::holds_alternative<program::op::Prefetch>(operation.work)) return range.bytes;
  return range.bytes > 0 && program.buffers[range.buffer.value].host == HostMemory::mapped ? program::moved_bytes(range)
                                                                                           : 0;
}

std::uint64_t bytes_within(const program::Program& program, const program::Operation& operation) {
  const program::Range range = written(operation);
  if (std::holds_alternative<program::op::Prefetch>(operation.work)) return range.bytes;
  return range.bytes > 0 && program.buffers[range.buffer.value].host != HostMemory::mapped ? program::moved_bytes(range)
                                                                                           : 0;
}

bool uses_managed(const program::Program& program, const program::Operation& operation) {
  const auto managed = [&](const program::Range& range) {
    return range.bytes > 0 && program.buffers[range.buffer.value].host == HostMemory::managed;
  };
  if (const auto* copy = std::get_if<program::op::Copy>(&operation.work)) return managed(copy->host);
  if (const auto* copy = std::get_if<program::op::CopyOnDevice>(&operation.work))
    return managed(copy->from) || managed(copy->to);
  return managed(written(operation));
}

void BytesOverTime::add(Nanoseconds from, Nanoseconds until, std::uint64_t bytes) {
  begun_.emplace_back(from, bytes);
  ended_.emplace_back(until, bytes);
}

void BytesOverTime::sort() {
  for (Sums* const sums : {&begun_, &ended_}) {
    std::sort(sums->begin(), sums->end());
    std::uint64_t sum = 0;
    for (auto& [time, bytes] : *sums) bytes = sum += bytes;
  }
}

std::uint64_t BytesOverTime::before(const Sums& sums, Nanoseconds time) {
  const auto after = std::lower_bound(sums.begin(), sums.end(), std::pair{time, std::uint64_t{0}});
  return after == sums.begin() ? 0 : std::prev(after)->second;
}

std::uint64_t BytesOverTime::between(Nanoseconds from, Nanoseconds until) const {
  return before(begun_, until) - before(ended_, from);
}

Traffic::Traffic(const Reconstruction& run)
    : rate_(std::max(run.circumstances.dispatch.d2h.alone, run.circumstances.dispatch.d2h.both)),
      cache_(run.circumstances.dispatch.cache_bytes),
      within_(program::device_count(run.program)) {
  for (OperationIndex i = 0; i < run.count(); ++i) {
    const trace::Span& span = run.spans[i];
    if (!known(span.ready) || !ready_for_certain(run, i)) continue;
    // What has not ended yet is under way at all times since.
    const auto until = [&](Nanoseconds later) {
      return known(span.end) ? span.end + later : std::numeric_limits<Nanoseconds>::max();
    };
    if (const std::uint64_t bytes = bytes_to_host(run.program, run.operation(i))) {
      to_host_.add(span.ready, until(drain(bytes)), bytes);
    }
    if (const std::uint64_t bytes = bytes_within(run.program, run.operation(i))) {
      within_[span.kind == OperationKind::peer ? span.to_device : span.device].add(span.ready, until(0), bytes);
    }
    if (uses_managed(run.program, run.operation(i))) {
      // The call of a prefetch moves pages itself.
      managed_.add(span.kind == OperationKind::prefetch ? span.host_begin : span.ready, until(0), 1);
    }
  }
  to_host_.sort();
  for (BytesOverTime& each : within_) each.sort();
  managed_.sort();
}

// No more than the cache holds has been written and not left it.
Nanoseconds Traffic::drain(std::uint64_t bytes) const {
  return static_cast<Nanoseconds>(static_cast<double>(std::min(bytes, cache_)) * rate_);
}

Nanoseconds Traffic::seen_late(Nanoseconds time) const {
  Nanoseconds late = 0;
  // What was under way when it happened may have arrived when it was seen; the earlier, the more of it.
  for (int turn = 0; turn < 4; ++turn) {
    const Nanoseconds now = drain(to_host_.between(time - late, time + 1));
    if (now <= late) break;
    late = now;
  }
  return late;
}

}  // namespace streamscope::reconstruct
