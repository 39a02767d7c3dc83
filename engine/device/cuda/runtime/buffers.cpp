#include "engine/device/cuda/runtime/buffers.h"

#include <fmt/format.h>

#include <utility>

#include "engine/base/translate.h"
#include "engine/device/cuda/runtime/cuda_error.h"
#include "engine/device/cuda/runtime/prefetch.h"
#include "engine/device/cuda/verify/pattern_data.h"
#include "engine/program/diagnostic.h"
#include "kernels/launch.h"

namespace streamscope::cuda {
namespace {

MemoryKind memory_kind(program::HostMemory host) {
  switch (host) {
    case program::HostMemory::pinned: return MemoryKind::pinned;
    case program::HostMemory::pageable: return MemoryKind::pageable;
    case program::HostMemory::write_combined: return MemoryKind::write_combined;
    case program::HostMemory::mapped: return MemoryKind::mapped;
    case program::HostMemory::managed: return MemoryKind::managed;
  }
  return MemoryKind::pinned;
}

}  // namespace

ProgramBuffers::ProgramBuffers(std::shared_ptr<const CudaContext> context, const program::Program& program)
    : context_(std::move(context)),
      program_(&program),
      host_(program.buffers.size(), nullptr),
      device_(program.buffers.size(), nullptr),
      registered_(program.buffers.size(), 0),
      host_written_(program.buffers.size(), false) {
  for (const program::Operation& operation : program.operations) {
    const auto* copy = std::get_if<program::op::Copy>(&operation.work);
    if (copy != nullptr && copy->direction == program::Direction::d2h) host_written_[copy->host.buffer.value] = true;
  }
}

Result<ProgramBuffers> ProgramBuffers::make(std::shared_ptr<const CudaContext> context,
                                            const program::Program& program) {
  ProgramBuffers buffers(std::move(context), program);
  for (std::uint32_t b = 0; b < program.buffers.size(); ++b) {
    if (program.buffers[b].made_in_run) continue;
    TRY(buffers.take_memory(BufferId{b}));
  }
  return buffers;
}

Result<void> ProgramBuffers::take_memory(BufferId id) {
  const program::Buffer& buffer = program_->buffers[id.value];
  char*& host = host_[id.value];
  char*& device = device_[id.value];
  const std::string purpose = program::at_line(buffer.line, tr("buffer {}", buffer.name));
  const auto take = [&](MemoryKind kind) -> Result<char*> {
    auto memory = TRY(context_->pool->take(kind, buffer.bytes, purpose));
    memory_.push_back(std::move(memory));
    return memory_.back().as<char>();
  };
  if (!program::is_shared(buffer.host)) {
    device = TRY(take(MemoryKind::device));
  }
  host = TRY(take(memory_kind(buffer.host)));
  if (buffer.host == program::HostMemory::managed) device = host;
  if (buffer.host == program::HostMemory::mapped) {
    device = TRY(device_view(host, purpose));
  }
  return {};
}

// The device generates the pattern for the host side too: 256 MiB take 5 ms, on a CPU a quarter of a second.
Result<void> ProgramBuffers::fill(bool all_hosts) {
  const cudaStream_t stream = context_->control.get();
  for (std::uint32_t b = 0; b < program_->buffers.size(); ++b) {
    const program::Buffer& buffer = program_->buffers[b];
    if (buffer.made_in_run) continue;
    const BufferId id{b};
    const std::string doing = tr("while filling buffer {}, line {}", buffer.name, buffer.line);
    if (program::is_shared(buffer.host)) {
      TRY(fill_shared(id, doing));
      continue;
    }
    if (all_hosts || host_written_[b]) {
      CUDA_TRY(kernels::fill(device_[b], buffer.bytes, host_seed(id), stream), doing);
      CUDA_TRY(cudaMemcpyAsync(host_[b], device_[b], buffer.bytes, cudaMemcpyDeviceToHost, stream), doing);
    }
    CUDA_TRY(kernels::fill(device_[b], buffer.bytes, device_seed(id), stream), doing);
  }
  CUDA_TRY(cudaStreamSynchronize(stream), tr("while filling the buffers"));
  return {};
}

// Afterwards managed memory is on the host, whatever touched it before, so that every run has the same migrations.
Result<void> ProgramBuffers::fill_shared(BufferId id, const std::string& doing) {
  const program::Buffer& buffer = program_->buffers[id.value];
  const cudaStream_t stream = context_->control.get();
  char* const data = device_[id.value];
  CUDA_TRY(kernels::fill(data, buffer.bytes, host_seed(id), stream), doing);
  if (buffer.host != program::HostMemory::managed) return {};
  const cudaError_t moved = prefetch(data, buffer.bytes, cudaCpuDeviceId, stream);
  if (moved != cudaSuccess) return fail(cuda_error(moved, "cudaMemPrefetchAsync", doing));
  return {};
}

void ProgramBuffers::free_what_the_run_made() noexcept {
  for (std::size_t b = 0; b < device_.size(); ++b) {
    if (std::exchange(registered_[b], 0) != 0) cudaHostUnregister(host_[b]);
    if (!program_->buffers[b].made_in_run) continue;
    if (device_[b] != nullptr) cudaFree(std::exchange(device_[b], nullptr));
    if (host_[b] != nullptr) cudaFreeHost(std::exchange(host_[b], nullptr));
  }
}

}  // namespace streamscope::cuda
