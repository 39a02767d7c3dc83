#include "engine/device/cuda/instrument/kept_stamps.h"

#include <cuda_runtime_api.h>

#include <atomic>
#include <cstdlib>
#include <cstring>

#include "engine/base/translate.h"
#include "engine/device/cuda/runtime/cuda_error.h"

namespace streamscope::cuda {

Result<std::unique_ptr<KeptStamps>> KeptStamps::make(std::size_t count) {
  constexpr std::size_t kPage = 4096;
  constexpr const char* kDoing = tr_later("while making room for stamps that outlive the device");
  std::unique_ptr<KeptStamps> made(new KeptStamps);
  const std::size_t bytes = (count * sizeof(kernels::Stamp) / kPage + 1) * kPage;
  made->memory_ = std::aligned_alloc(kPage, bytes);
  if (made->memory_ == nullptr) {
    return fail(ErrorKind::device_failed, tr("There is no memory for the stamps of {} kernels.", count));
  }
  std::memset(made->memory_, 0, bytes);
  CUDA_TRY(cudaHostRegister(made->memory_, bytes, cudaHostRegisterMapped | cudaHostRegisterPortable), tr(kDoing));
  made->registered_ = true;
  void* on_device = nullptr;
  CUDA_TRY(cudaHostGetDevicePointer(&on_device, made->memory_, 0), tr(kDoing));
  made->on_device_ = static_cast<kernels::Stamp*>(on_device);
  return made;
}

KeptStamps::~KeptStamps() {
  if (registered_) cudaHostUnregister(memory_);
  std::free(memory_);
}

kernels::Stamp KeptStamps::read(std::size_t slot) const {
  kernels::Stamp& stamp = static_cast<kernels::Stamp*>(memory_)[slot];
  return {std::atomic_ref(stamp.start).load(std::memory_order_acquire),
          std::atomic_ref(stamp.end).load(std::memory_order_acquire)};
}

}  // namespace streamscope::cuda
