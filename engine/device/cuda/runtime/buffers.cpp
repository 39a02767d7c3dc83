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

ProgramBuffers::ProgramBuffers(Gpus gpus, const program::Program& program)
    : gpus_(std::move(gpus)),
      program_(&program),
      host_(program.buffers.size(), nullptr),
      device_(gpus_.size(), std::vector<char*>(program.buffers.size(), nullptr)),
      registered_(program.buffers.size(), 0),
      host_written_(program.buffers.size(), false) {
  for (const program::Operation& operation : program.operations) {
    const auto* copy = std::get_if<program::op::Copy>(&operation.work);
    if (copy != nullptr && copy->direction == program::Direction::d2h) host_written_[copy->host.buffer.value] = true;
  }
}

Result<ProgramBuffers> ProgramBuffers::make(Gpus gpus, const program::Program& program) {
  ProgramBuffers buffers(std::move(gpus), program);
  for (std::uint32_t b = 0; b < program.buffers.size(); ++b) {
    if (program.buffers[b].made_in_run) continue;
    TRY(buffers.take_memory(BufferId{b}));
  }
  return buffers;
}

Result<void> ProgramBuffers::take_memory(BufferId id) {
  const program::Buffer& buffer = program_->buffers[id.value];
  const std::string purpose = program::at_line(buffer.line, tr("buffer {}", buffer.name));
  const auto take = [&](const CudaContext& from, MemoryKind kind) -> Result<char*> {
    auto memory = TRY(from.pool->take(kind, buffer.bytes, purpose));
    memory_.push_back(std::move(memory));
    return memory_.back().as<char>();
  };
  char* shared = nullptr;
  if (program::is_shared(buffer.host)) {
    host_[id.value] = shared = TRY(take(gpus_.first(), memory_kind(buffer.host)));
    if (buffer.host == program::HostMemory::mapped) {
      shared = TRY(device_view(shared, purpose));
    }
  }
  for (std::size_t d = 0; d < gpus_.size(); ++d) {
    if (!program::has_side(buffer, device_id(d))) continue;
    TRY(gpus_[device_id(d)].use());
    device_[d][id.value] = shared != nullptr ? shared : TRY(take(gpus_[device_id(d)], MemoryKind::device));
  }
  TRY(gpus_.first().use());
  if (shared == nullptr) {
    host_[id.value] = TRY(take(gpus_.first(), memory_kind(buffer.host)));
  }
  return {};
}

// The device generates the pattern for the host side too: 256 MiB take 5 ms, on a CPU a quarter of a second.
Result<void> ProgramBuffers::fill(bool all_hosts) {
  for (std::size_t d = gpus_.size(); d-- > 0;) {
    TRY(fill_on(device_id(d), all_hosts));
  }
  return {};
}

Result<void> ProgramBuffers::fill_on(DeviceId device, bool all_hosts) {
  TRY(gpus_[device].use());
  const cudaStream_t stream = gpus_[device].control.get();
  for (std::uint32_t b = 0; b < program_->buffers.size(); ++b) {
    const program::Buffer& buffer = program_->buffers[b];
    char* const side = device_[device.value][b];
    if (buffer.made_in_run || side == nullptr) continue;
    const BufferId id{b};
    const std::string doing = tr("while filling buffer {}, line {}", buffer.name, buffer.line);
    const bool fills_host = buffer.device == device;
    if (program::is_shared(buffer.host)) {
      if (!fills_host) continue;
      TRY(fill_shared(id, doing));
      continue;
    }
    if (fills_host && (all_hosts || host_written_[b])) {
      CUDA_TRY(kernels::fill(side, buffer.bytes, host_seed(id), stream), doing);
      CUDA_TRY(cudaMemcpyAsync(host_[b], side, buffer.bytes, cudaMemcpyDeviceToHost, stream), doing);
    }
    CUDA_TRY(kernels::fill(side, buffer.bytes, device_seed(id, device), stream), doing);
  }
  CUDA_TRY(cudaStreamSynchronize(stream), tr("while filling the buffers"));
  return {};
}

// Afterwards managed memory is on the host, whatever touched it before, so that every run has the same migrations.
Result<void> ProgramBuffers::fill_shared(BufferId id, const std::string& doing) {
  const program::Buffer& buffer = program_->buffers[id.value];
  const cudaStream_t stream = gpus_[buffer.device].control.get();
  char* const data = device_[buffer.device.value][id.value];
  CUDA_TRY(kernels::fill(data, buffer.bytes, host_seed(id), stream), doing);
  if (buffer.host != program::HostMemory::managed) return {};
  const cudaError_t moved = prefetch(data, buffer.bytes, cudaCpuDeviceId, stream);
  if (moved != cudaSuccess) return fail(cuda_error(moved, "cudaMemPrefetchAsync", doing));
  return {};
}

void ProgramBuffers::free_what_the_run_made() noexcept {
  for (std::size_t b = 0; b < host_.size(); ++b) {
    if (std::exchange(registered_[b], 0) != 0) cudaHostUnregister(host_[b]);
    if (!program_->buffers[b].made_in_run) continue;
    char*& device = device_[program_->buffers[b].device.value][b];
    if (device != nullptr) cudaFree(std::exchange(device, nullptr));
    if (host_[b] != nullptr) cudaFreeHost(std::exchange(host_[b], nullptr));
  }
}

}  // namespace streamscope::cuda
