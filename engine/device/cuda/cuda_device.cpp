#include "engine/device/cuda/cuda_device.h"

#include <algorithm>

#include "engine/device/check_devices.h"
#include "engine/device/cuda/loaded_program.h"
#include "engine/device/cuda/runtime/gpu_list.h"
#include "engine/device/device_spec.h"

namespace streamscope::cuda {
namespace {

class CudaDevice final : public device::Device {
 public:
  explicit CudaDevice(std::shared_ptr<CudaContext> context) : gpus_(std::move(context)) {}

  const device::DeviceInfo& info() const override { return gpus_.first().info; }

  Result<std::unique_ptr<device::LoadedProgram>> load(const program::Program& program,
                                                      const device::LoadOptions& options) override {
    TRY(open_as_many(program));
    auto loaded = TRY(CudaProgram::load(gpus_, program, options));
    return std::unique_ptr<device::LoadedProgram>(std::move(loaded));
  }
  void release_memory() noexcept override {
    for (const auto& gpu : gpus_) {
      if (!gpu->use()) continue;
      for (std::size_t kind = 0; kind < kMemoryKinds; ++kind) gpu->pool->trim(static_cast<MemoryKind>(kind), 0);
      gpu->trim_stream_ordered();
    }
  }

 private:
  // The devices of a program are this one and then the others that can be used, by their numbers.
  Result<void> open_as_many(const program::Program& program) {
    const std::size_t named = program::device_count(program);
    if (named <= gpus_.size()) return {};
    const device::DeviceList found = cuda_devices();
    TRY(device::check_devices(program, found.devices.size(), gpus_there_are(found.devices.size(), named)));
    for (const device::DeviceInfo& next : found.devices) {
      const int index = TRY(device::parse_device(next.id)).index;
      const bool is_open =
          std::any_of(gpus_.begin(), gpus_.end(), [&](const auto& gpu) { return gpu->index == index; });
      if (is_open || gpus_.size() == named) continue;
      auto context = TRY(open_context(index, gpus_.first().options));
      gpus_.add(std::move(context));
    }
    return gpus_.first().use();
  }

  Gpus gpus_;
};

}  // namespace

Result<std::unique_ptr<device::Device>> open_cuda_device(int index, const OpenOptions& options) {
  auto context = TRY(open_context(index, options));
  return std::unique_ptr<device::Device>(std::make_unique<CudaDevice>(std::move(context)));
}

}  // namespace streamscope::cuda
