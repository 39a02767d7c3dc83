#include "engine/device/cuda/clocks/measure_dispatch_latency.h"

#include <algorithm>
#include <array>
#include <cstdint>
#include <utility>

#include "engine/base/translate.h"
#include "engine/device/cuda/runtime/cuda_error.h"
#include "engine/device/cuda/runtime/handle.h"
#include "engine/device/cuda/runtime/pcie_link.h"
#include "kernels/launch.h"

namespace streamscope::cuda {
namespace {

constexpr const char* kMeasuring = tr_later("while measuring how fast the device copies");
constexpr std::uint64_t kSmall = 256 << 10;
constexpr int kCopies = 4, kChains = 9, kMostTurns = 20;
// Copies that take far longer than the link allows are disturbed by other traffic: it may be over soon.
constexpr Nanoseconds kTryAgainFor = 100'000'000;

struct CopyBench {
  std::uint64_t large = 0;
  char* host = nullptr;
  char* device = nullptr;  // 2 * large bytes each: one half for each direction
  cudaStream_t first = nullptr, second = nullptr;
  cudaEvent_t begin = nullptr, end = nullptr, other_end = nullptr;

  Result<void> copy(cudaMemcpyKind direction, std::uint64_t bytes, cudaStream_t stream) const {
    char* const from = direction == cudaMemcpyHostToDevice ? host : device + large;
    char* const to = direction == cudaMemcpyDeviceToHost ? host + large : device;
    for (int i = 0; i < kCopies; ++i) CUDA_TRY(cudaMemcpyAsync(to, from, bytes, direction, stream), tr(kMeasuring));
    return {};
  }
};

Result<double> nanoseconds(cudaEvent_t from, cudaEvent_t to) {
  float milliseconds = 0;
  CUDA_TRY(cudaEventElapsedTime(&milliseconds, from, to), tr(kMeasuring));
  return static_cast<double>(milliseconds) * 1e6;
}

// The shortest of several: disturbances only make it longer, and a link that slept takes a while to be as fast as it
// can. Enough once three came within a hundredth of it and it is not `too_long`. `issue` puts work on `on.first`.
template <class Issue, class TooLong>
Result<double> shortest(const CopyBench& on, const Issue& issue, const TooLong& too_long) {
  double lowest = 0;
  int near = 0;
  const Nanoseconds until = host_now() + kTryAgainFor;
  const auto again = [&](int turn) {
    if (turn == 0) return true;
    return (turn < kMostTurns && near < 3) || (too_long(lowest) && host_now() < until);
  };
  for (int turn = 0; again(turn); ++turn) {
    CUDA_TRY(cudaEventRecord(on.begin, on.first), tr(kMeasuring));
    TRY(issue());
    CUDA_TRY(cudaEventRecord(on.end, on.first), tr(kMeasuring));
    CUDA_TRY(cudaStreamSynchronize(on.first), tr(kMeasuring));
    const auto took = TRY(nanoseconds(on.begin, on.end));
    if (turn == 0 || took < lowest) {
      near = turn > 0 && took > 0.99 * lowest ? near + 1 : 1;
      lowest = took;
    } else if (took < 1.01 * lowest) {
      ++near;
    }
  }
  return lowest;
}

template <class Issue>
Result<double> shortest(const CopyBench& on, const Issue& issue) {
  return shortest(on, issue, [](double) { return false; });
}

// The rate follows from the difference of a large and a small copy; the rest of the small one is the setup.
Result<device::CopyTime> copy_time(const CopyBench& on, cudaMemcpyKind direction, double link) {
  const double bytes = kCopies * static_cast<double>(on.large);
  const auto large = TRY(shortest(
      on, [&] { return on.copy(direction, on.large, on.first); },
      [&](double took) { return far_below(took / bytes, link); }));
  const auto small = TRY(shortest(on, [&] { return on.copy(direction, kSmall, on.first); }));
  device::CopyTime time;
  time.alone = time.both = std::max(0.0, (large - small) / (kCopies * static_cast<double>(on.large - kSmall)));
  time.least = least_time(time.alone, link);
  time.setup = static_cast<Nanoseconds>(std::max(0.0, small / kCopies - time.alone * static_cast<double>(kSmall)));
  return time;
}

// Nanoseconds per byte with both directions at once; the two streams begin together, behind one event.
Result<std::array<double, 2>> both_ways(const CopyBench& on) {
  CUDA_TRY(cudaEventRecord(on.begin, on.first), tr(kMeasuring));
  CUDA_TRY(cudaStreamWaitEvent(on.second, on.begin, 0), tr(kMeasuring));
  TRY(on.copy(cudaMemcpyHostToDevice, on.large, on.first));
  CUDA_TRY(cudaEventRecord(on.end, on.first), tr(kMeasuring));
  TRY(on.copy(cudaMemcpyDeviceToHost, on.large, on.second));
  CUDA_TRY(cudaEventRecord(on.other_end, on.second), tr(kMeasuring));
  CUDA_TRY(cudaStreamSynchronize(on.first), tr(kMeasuring));
  CUDA_TRY(cudaStreamSynchronize(on.second), tr(kMeasuring));
  const auto in = TRY(nanoseconds(on.begin, on.end));
  const auto out = TRY(nanoseconds(on.begin, on.other_end));
  const double bytes = kCopies * static_cast<double>(on.large);
  return std::array{in / bytes, out / bytes};
}

// From a kernel's stamp through a copy to the next kernel's stamp: the copy, and twice the handoff between engines.
Result<Nanoseconds> through_a_copy(const CopyBench& on, std::uint64_t* stamps) {
  std::array<Nanoseconds, kChains> ways{};
  for (Nanoseconds& way : ways) {
    CUDA_TRY(kernels::stamp(stamps, on.first), tr(kMeasuring));
    CUDA_TRY(cudaMemcpyAsync(on.device, on.host, kSmall, cudaMemcpyHostToDevice, on.first), tr(kMeasuring));
    CUDA_TRY(kernels::stamp(stamps + 1, on.first), tr(kMeasuring));
    std::uint64_t seen[2] = {};
    CUDA_TRY(cudaMemcpyAsync(seen, stamps, sizeof seen, cudaMemcpyDeviceToHost, on.first), tr(kMeasuring));
    CUDA_TRY(cudaStreamSynchronize(on.first), tr(kMeasuring));
    way = static_cast<Nanoseconds>(seen[1] - seen[0]);
  }
  std::sort(ways.begin(), ways.end());
  return ways[kChains / 2];
}

// Nanoseconds per byte, from the difference of `bytes` and half of them; 0 where the clock sees none.
template <class Issue>
Result<double> per_byte(const CopyBench& on, std::uint64_t bytes, const Issue& issue) {
  const auto whole = TRY(shortest(on, [&] { return issue(bytes); }));
  const auto half = TRY(shortest(on, [&] { return issue(bytes / 2); }));
  return std::max(0.0, (whole - half) / static_cast<double>(bytes - bytes / 2));
}

// Copies and memsets of `in_cache` bytes and of `in_memory`, of which there is half on each side.
Result<void> measure_memory(const CopyBench& on, char* memory, std::uint64_t in_memory,
                            device::DispatchLatency& found) {
  const std::uint64_t in_cache = std::min(in_memory, found.cache_bytes / 4);
  const auto copy = [&](std::uint64_t bytes) -> Result<void> {
    CUDA_TRY(cudaMemcpyAsync(memory + in_memory, memory, bytes, cudaMemcpyDeviceToDevice, on.first), tr(kMeasuring));
    return {};
  };
  const auto set = [&](std::uint64_t bytes) -> Result<void> {
    CUDA_TRY(cudaMemsetAsync(memory, 0, bytes, on.first), tr(kMeasuring));
    return {};
  };
  found.copy = {TRY(per_byte(on, in_cache, copy)), TRY(per_byte(on, in_memory, copy))};
  found.set = {TRY(per_byte(on, in_cache, set)), TRY(per_byte(on, in_memory, set))};
  return {};
}

// As much as the device has to spare, up to `most`, twice.
Result<Memory> spare_memory(MemoryPool& pool, std::uint64_t& most) {
  std::size_t free = 0, total = 0;
  CUDA_TRY(cudaMemGetInfo(&free, &total), tr(kMeasuring));
  while (most > kSmall && free + pool.idle_bytes(MemoryKind::device) < 4 * most) most /= 2;
  return pool.take(MemoryKind::device, 2 * most, tr(kMeasuring));
}

}  // namespace

Result<device::DispatchLatency> measure_dispatch_latency(MemoryPool& pool, cudaStream_t stream,
                                                         const MeasuredSizes& sizes, double link) {
  const std::uint64_t large = sizes.large;
  constexpr const char* kPurpose = tr_later("to measure copies");
  auto host = TRY(pool.take(MemoryKind::pinned, 2 * large, tr(kPurpose)));
  auto device = TRY(pool.take(MemoryKind::device, 2 * large, tr(kPurpose)));
  auto stamps = TRY(pool.take(MemoryKind::device, 2 * sizeof(std::uint64_t), tr(kPurpose)));
  auto second = TRY(make_stream(cudaStreamNonBlocking, 0));
  std::array<UniqueEvent, 3> events;
  for (UniqueEvent& event : events) {
    event = TRY(make_event());
  }
  const CopyBench on{large,        host.as<char>(), device.as<char>(), stream,
                     second.get(), events[0].get(), events[1].get(),   events[2].get()};
  // All memory is touched once before it is timed.
  CUDA_TRY(cudaMemsetAsync(on.device, 0, 2 * large, stream), tr(kMeasuring));
  CUDA_TRY(cudaMemcpyAsync(on.host, on.device, 2 * large, cudaMemcpyDeviceToHost, stream), tr(kMeasuring));
  CUDA_TRY(cudaStreamSynchronize(stream), tr(kMeasuring));

  device::DispatchLatency found;
  for (const auto& [direction, time] :
       {std::pair{cudaMemcpyHostToDevice, &found.h2d}, {cudaMemcpyDeviceToHost, &found.d2h}}) {
    *time = TRY(copy_time(on, direction, link));
  }
  found.after_copy = std::min(found.h2d.setup, found.d2h.setup);
  const auto both = TRY(both_ways(on));
  found.h2d.both = std::max(both[0], found.h2d.alone);
  found.d2h.both = std::max(both[1], found.d2h.alone);
  const auto way = TRY(through_a_copy(on, stamps.as<std::uint64_t>()));
  const Nanoseconds copy = found.h2d.setup + static_cast<Nanoseconds>(found.h2d.alone * static_cast<double>(kSmall));
  found.after_dependency = std::max<Nanoseconds>(0, (way - copy) / 2);

  found.cache_bytes = sizes.cache;
  std::uint64_t in_memory = sizes.in_memory;
  const auto memory = TRY(spare_memory(pool, in_memory));
  // Memory that was never written may not be backed by pages of its own.
  CUDA_TRY(cudaMemsetAsync(memory.data(), 0, 2 * in_memory, stream), tr(kMeasuring));
  TRY(measure_memory(on, memory.as<char>(), in_memory, found));
  return found;
}

}  // namespace streamscope::cuda
