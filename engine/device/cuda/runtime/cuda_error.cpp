#include "engine/device/cuda/runtime/cuda_error.h"

#include <fmt/format.h>

#include "engine/base/translate.h"

namespace streamscope::cuda {

std::string explain(cudaError_t code) {
  return fmt::format("{} ({})", cudaGetErrorName(code), cudaGetErrorString(code));
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
