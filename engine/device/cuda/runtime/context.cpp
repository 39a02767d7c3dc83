#include "engine/device/cuda/runtime/context.h"

#include <fmt/format.h>

#include <array>
#include <cstdlib>

#include "engine/base/translate.h"
#include "engine/device/cuda/runtime/cuda_error.h"
#include "engine/device/cuda/runtime/gpu_list.h"
#include "engine/device/cuda/runtime/pcie_link.h"
#include "kernels/launch.h"

namespace streamscope::cuda {
namespace {

Result<device::DeviceInfo> info_of(int index) {
  const device::DeviceList found = cuda_devices();
  const std::string id = fmt::format("cuda:{}", index);
  for (const device::DeviceInfo& info : found.devices)
    if (info.id == id) return info;
  for (const device::SkippedGpu& gpu : found.skipped)
    if (gpu.id == id) return fail(ErrorKind::no_device, tr("{} cannot be used: {}.", id, gpu.why));
  const std::size_t all = found.devices.size() + found.skipped.size();
  if (all == 0) return fail(ErrorKind::no_device, found.why_no_gpu);
  return fail(ErrorKind::no_device, tr("There is no {}; the last one is cuda:{}.", id, all - 1));
}

// Code for 8.0 has all that 8.9 has for these kernels: it counts as the GPU's own.
std::string compiled_for(const std::string& capability) {
  const int number = static_cast<int>(100 * std::strtod(capability.c_str(), nullptr) + 0.5);
  const int code = kernels::architecture_for(number);
  return code / 100 == number / 100 ? capability : fmt::format("{}.{}", code / 100, code % 100 / 10);
}

}  // namespace

Result<void> CudaContext::use() const {
  CUDA_TRY(cudaSetDevice(index), tr("to use {}", info.id));
  return {};
}

void CudaContext::abandon_spins() noexcept {
  abandoning = true;
  if (cudaSetDevice(index) != cudaSuccess) return;
  cudaMemcpyAsync(abandon.data(), abandon_values.as<std::uint32_t>() + 1, sizeof(std::uint32_t), cudaMemcpyHostToDevice,
                  control.get());
}

Result<void> CudaContext::stop_abandoning() {
  if (!abandoning.exchange(false)) return {};
  constexpr const char* kDoing = tr_later("while making the device ready for a run");
  CUDA_TRY(cudaMemcpyAsync(abandon.data(), abandon_values.data(), sizeof(std::uint32_t), cudaMemcpyHostToDevice,
                           control.get()),
           tr(kDoing));
  CUDA_TRY(cudaStreamSynchronize(control.get()), tr(kDoing));
  return {};
}

Result<void> CudaContext::keep_stream_ordered() {
  constexpr const char* kDoing = tr_later("while making cudaMallocAsync's pool ready");
  cudaMemPool_t stream_ordered = nullptr;
  CUDA_TRY(cudaDeviceGetDefaultMemPool(&stream_ordered, index), tr(kDoing));
  std::uint64_t threshold = ~0ull;
  CUDA_TRY(cudaMemPoolSetAttribute(stream_ordered, cudaMemPoolAttrReleaseThreshold, &threshold), tr(kDoing));
  return {};
}

void CudaContext::trim_stream_ordered() noexcept {
  cudaMemPool_t stream_ordered = nullptr;
  if (cudaDeviceGetDefaultMemPool(&stream_ordered, index) == cudaSuccess) cudaMemPoolTrimTo(stream_ordered, 0);
}

Result<std::shared_ptr<CudaContext>> open_context(int index, const OpenOptions& options) {
  auto info = TRY(info_of(index));
  auto context = std::make_shared<CudaContext>();
  context->index = index;
  context->options = options;
  context->info = std::move(info);
  const std::string opening = tr("while opening {} ({})", context->info.id, context->info.name);
  if (const auto used = context->use(); !used) {
    Error error = used.error();
    error.kind = ErrorKind::no_device;  // taken by another process, or lost
    return fail(std::move(error));
  }

  context->compiled_for = compiled_for(context->info.compute_capability);
  std::array<char, 32> bus{};
  CUDA_TRY(cudaDeviceGetPCIBusId(bus.data(), bus.size(), index), opening);
  context->pci_bus_id = bus.data();
  const auto attribute = [&](cudaDeviceAttr which) -> Result<int> {
    int value = 0;
    CUDA_TRY(cudaDeviceGetAttribute(&value, which, index), opening);
    return value;
  };
  const int shared = TRY(attribute(cudaDevAttrMaxSharedMemoryPerBlockOptin));
  context->shared_bytes_limit = static_cast<std::size_t>(shared);
  const int kilohertz = TRY(attribute(cudaDevAttrClockRate));
  context->info.limits.clock_mhz = kilohertz / 1000;
  context->cycle_picoseconds = kilohertz > 0 ? 1'000'000'000 / kilohertz : 1000;
  context->managed = TRY(attribute(cudaDevAttrConcurrentManagedAccess)) != 0;
  context->memory_pools = TRY(attribute(cudaDevAttrMemoryPoolsSupported)) != 0;
  CUDA_TRY(cudaDeviceGetStreamPriorityRange(&context->info.lowest_priority, &context->info.highest_priority), opening);
  if (const auto code = static_cast<cudaError_t>(kernels::prepare()); code == cudaErrorNoKernelImageForDevice) {
    cudaGetLastError();
    return fail(ErrorKind::no_device,
                tr("{} cannot be used: {}.", context->info.id, without_kernels(context->info.compute_capability)));
  } else if (code != cudaSuccess) {
    return fail(cuda_error(code, "kernels::prepare", opening));
  }

  context->pool = std::make_shared<MemoryPool>(index);
  context->control = TRY(make_stream(cudaStreamNonBlocking, context->info.highest_priority));

  context->abandon = TRY(context->pool->take(MemoryKind::device, sizeof(std::uint32_t), opening));
  context->abandon_values = TRY(context->pool->take(MemoryKind::pinned, 2 * sizeof(std::uint32_t), opening));
  context->abandon_values.as<std::uint32_t>()[0] = 0;
  context->abandon_values.as<std::uint32_t>()[1] = 1;
  TRY(context->stop_abandoning());

  context->clock = TRY(DeviceClock::open(*context->pool, context->control.get(), options.host_clock));
  const int cache = TRY(attribute(cudaDevAttrL2CacheSize));
  const auto link = pcie_link(context->pci_bus_id);
  context->dispatch = TRY(measure_dispatch_latency(
      *context->pool, context->control.get(),
      {options.large_copy, options.device_copy, static_cast<std::uint64_t>(std::max(0, cache))},
      link ? least_time(*link) : 0));
  return context;
}

}  // namespace streamscope::cuda
