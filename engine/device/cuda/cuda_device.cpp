#include "engine/device/cuda/cuda_device.h"

#include "engine/device/cuda/loaded_program.h"
#include "engine/device/cuda/runtime/context.h"

namespace streamscope::cuda {
namespace {

class CudaDevice final : public device::Device {
 public:
  explicit CudaDevice(std::shared_ptr<CudaContext> context) : context_(std::move(context)) {}

  const device::DeviceInfo& info() const override { return context_->info; }

  Result<std::unique_ptr<device::LoadedProgram>> load(const program::Program& program,
                                                      const device::LoadOptions& options) override {
    auto loaded = TRY(CudaProgram::load(context_, program, options));
    return std::unique_ptr<device::LoadedProgram>(std::move(loaded));
  }
  void release_memory() noexcept override {
    if (!context_->use()) return;
    for (std::size_t kind = 0; kind < kMemoryKinds; ++kind) context_->pool->trim(static_cast<MemoryKind>(kind), 0);
    context_->trim_stream_ordered();
  }

 private:
  std::shared_ptr<CudaContext> context_;
};

}  // namespace

Result<std::unique_ptr<device::Device>> open_cuda_device(int index, const OpenOptions& options) {
  auto context = TRY(open_context(index, options));
  return std::unique_ptr<device::Device>(std::make_unique<CudaDevice>(std::move(context)));
}

}  // namespace streamscope::cuda
