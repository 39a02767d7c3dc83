#include "engine/device/cuda/clocks/measure_peer_link.h"

#include <algorithm>

#include "engine/base/translate.h"
#include "engine/device/cuda/runtime/cuda_error.h"
#include "engine/device/cuda/runtime/peer_access.h"

namespace streamscope::cuda {
namespace {

constexpr const char* kBetween = tr_later("while measuring copies between two GPUs");
constexpr std::uint64_t kLargest = 64 << 20;  // bytes
constexpr int kMostTimes = 20;
// The least of a few copies may be undercut by so much.
constexpr double kLeastTolerance = 1.1;

struct Ends {
  CudaContext& from;
  CudaContext& to;
  const char* source;
  char* target;
  cudaEvent_t begin, end;
};

// The shortest of some copies, ns: disturbances only make them longer. Enough once three came within a hundredth of it.
Result<double> shortest_copy(const Ends& on, std::uint64_t bytes) {
  const cudaStream_t stream = on.from.control.get();
  double lowest = 0;
  int near = 0;
  for (int time = 0; time < kMostTimes && near < 3; ++time) {
    CUDA_TRY(cudaEventRecord(on.begin, stream), tr(kBetween));
    CUDA_TRY(cudaMemcpyPeerAsync(on.target, on.to.index, on.source, on.from.index, bytes, stream), tr(kBetween));
    CUDA_TRY(cudaEventRecord(on.end, stream), tr(kBetween));
    CUDA_TRY(cudaStreamSynchronize(stream), tr(kBetween));
    float milliseconds = 0;
    CUDA_TRY(cudaEventElapsedTime(&milliseconds, on.begin, on.end), tr(kBetween));
    const double took = static_cast<double>(milliseconds) * 1e6;
    if (time == 0 || took < 0.99 * lowest) near = 0;
    if (time == 0 || took < 1.01 * lowest) ++near;
    lowest = time == 0 ? took : std::min(lowest, took);
  }
  return lowest;
}

Result<device::CopyTime> copy_time(const Ends& on, std::uint64_t bytes) {
  const auto whole = TRY(shortest_copy(on, bytes)), half = TRY(shortest_copy(on, bytes / 2));
  device::CopyTime time;
  time.alone = time.both = std::max(0.0, (whole - half) / static_cast<double>(bytes - bytes / 2));
  time.setup = static_cast<Nanoseconds>(std::max(0.0, half - time.alone * static_cast<double>(bytes / 2)));
  time.least = time.alone / kLeastTolerance;
  return time;
}

}  // namespace

Result<void> measure_peer_link(CudaContext& from, CudaContext& to) {
  if (from.to_peer.contains(to.index)) return {};
  const std::uint64_t bytes = std::min(kLargest, from.options.device_copy);
  TRY(to.use());
  const auto target = TRY(to.pool->take(MemoryKind::device, bytes, tr(kBetween)));
  TRY(from.use());
  const auto source = TRY(from.pool->take(MemoryKind::device, bytes, tr(kBetween)));
  const auto begin = TRY(make_event()), end = TRY(make_event());
  CUDA_TRY(cudaMemsetAsync(source.data(), 0, bytes, from.control.get()), tr(kBetween));
  const Ends on{from, to, source.as<char>(), target.as<char>(), begin.get(), end.get()};
  device::PeerTime found;
  found.staged = TRY(copy_time(on, bytes));
  // Over the bus of either, whatever the host does in between.
  found.staged.least = std::max(from.dispatch.d2h.least, to.dispatch.h2d.least);
  int can = 0;
  CUDA_TRY(cudaDeviceCanAccessPeer(&can, from.index, to.index), tr(kBetween));
  if (can != 0) {
    const PeerCall on_call = set_peer_access(from.index, to.index, true);
    if (on_call.code != cudaSuccess) return fail(cuda_error(on_call.code, on_call.call, tr(kBetween)));
    auto direct = copy_time(on, bytes);
    const PeerCall off_call = set_peer_access(from.index, to.index, false);
    found.direct = TRY(std::move(direct));
    if (off_call.code != cudaSuccess) return fail(cuda_error(off_call.code, off_call.call, tr(kBetween)));
  }
  from.to_peer.emplace(to.index, found);
  return {};
}

}  // namespace streamscope::cuda
