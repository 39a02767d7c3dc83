#include "engine/device/cuda/before_load.h"

#include <algorithm>

#include "engine/base/translate.h"
#include "engine/device/cuda/clocks/measure_peer_link.h"
#include "engine/device/cuda/runtime/cuda_error.h"
#include "engine/device/cuda/runtime/limits.h"
#include "engine/device/cuda/runtime/peer_access.h"

namespace streamscope::cuda {
namespace {

// What is available on the host, including idle blocks of the pool.
std::uint64_t available_host_memory(const MemoryPool& pool) {
  std::uint64_t bytes = host_memory_available();
  for (const MemoryKind kind :
       {MemoryKind::pinned, MemoryKind::write_combined, MemoryKind::pageable, MemoryKind::mapped}) {
    if (__builtin_add_overflow(bytes, pool.idle_bytes(kind), &bytes)) bytes = ~0ull;
  }
  return bytes;
}

}  // namespace

Result<void> check_fits(const Gpus& gpus, const program::Program& program, const device::LoadOptions& options) {
  if (auto why = why_process_is_shared(program); why && !options.own_process)
    return fail(ErrorKind::bad_input, std::move(*why));
  const std::uint64_t on_host = available_host_memory(*gpus.first().pool);
  for (std::size_t d = gpus.size(); d-- > 0;) {
    const DeviceId device = device_id(d);
    CudaContext& context = gpus[device];
    TRY(context.use());
    std::size_t free_bytes = 0, total_bytes = 0;
    CUDA_TRY(cudaMemGetInfo(&free_bytes, &total_bytes), tr("while looking how much memory the device has free"));
    const std::uint64_t available = free_bytes + context.pool->idle_bytes(MemoryKind::device);
    if (auto cannot =
            beyond_device(program, context.info, available, context.cycle_picoseconds, options, on_host, device)) {
      return fail(std::move(*cannot));
    }
    if (auto lacks = lacking(program, context, device)) return fail(ErrorKind::bad_input, std::move(*lacks));
    if (allocates_in_streams(program)) {
      TRY(context.keep_stream_ordered());
    }
  }
  return check_peer_access(program, gpus);
}

Result<void> measure_links(const Gpus& gpus, const program::Program& program) {
  for (const program::Operation& operation : program.operations) {
    const auto* peer = std::get_if<program::op::PeerCopy>(&operation.work);
    if (peer == nullptr) continue;
    TRY(measure_peer_link(gpus[peer->from_device], gpus[peer->to_device]));
  }
  return {};
}

Result<void> give_back_idle_memory(const Gpus& gpus, const program::Program& program) {
  const bool turns_it_on =
      std::any_of(program.operations.begin(), program.operations.end(), [](const program::Operation& operation) {
        return std::holds_alternative<program::op::PeerAccess>(operation.work);
      });
  if (!turns_it_on) return {};
  for (const auto& gpu : gpus) {
    TRY(gpu->use());
    gpu->pool->trim(MemoryKind::device, 0);
  }
  return gpus.first().use();
}

}  // namespace streamscope::cuda
