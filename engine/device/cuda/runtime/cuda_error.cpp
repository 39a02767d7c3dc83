#include "engine/device/cuda/runtime/cuda_error.h"

#include <fmt/format.h>

#include "engine/base/translate.h"

namespace streamscope::cuda {

std::string explain(cudaError_t code) {
  return fmt::format("{} ({})", cudaGetErrorName(code), cudaGetErrorString(code));
}

CallResult result_of(cudaError_t code) {
  switch (code) {
    case cudaSuccess: return CallResult::success;
    case cudaErrorNotReady: return CallResult::not_ready;
    case cudaErrorInvalidResourceHandle: return CallResult::invalid_resource_handle;
    case cudaErrorIllegalAddress: return CallResult::illegal_address;
    case cudaErrorAssert: return CallResult::device_assert;
    case cudaErrorLaunchFailure: return CallResult::launch_failure;
    case cudaErrorInvalidConfiguration: return CallResult::invalid_configuration;
    case cudaErrorDevicesUnavailable: return CallResult::devices_unavailable;
    case cudaErrorInvalidValue: return CallResult::invalid_value;
    case cudaErrorMemoryAllocation: return CallResult::memory_allocation;
    case cudaErrorStreamCaptureUnsupported: return CallResult::capture_unsupported;
    case cudaErrorStreamCaptureInvalidated: return CallResult::capture_invalidated;
    default: return CallResult::other;
  }
}

Error cuda_error(cudaError_t code, std::string_view call, std::string_view operation) {
  // Clears the runtime's last error, so that a later cudaGetLastError() does not find this one again.
  cudaGetLastError();
  call = call.substr(0, call.find('('));
  Error error;
  error.kind = ErrorKind::device_failed;
  error.message = tr("{} failed with {} {}: {}", call, static_cast<int>(code), explain(code), operation);
  error.fault = DeviceFault{std::string(call), static_cast<int>(code), cudaGetErrorName(code), std::string(operation)};
  return error;
}

}  // namespace streamscope::cuda
