#include "engine/device/cuda/check.h"

#include <fmt/format.h>

namespace streamscope {

std::string explain(cudaError_t code) {
  return fmt::format("{} ({})", cudaGetErrorName(code), cudaGetErrorString(code));
}

Error cuda_error(cudaError_t code, std::string_view call, std::string_view operation) {
  // The runtime remembers an error until it is asked for; it is reported here, and must not be found again later.
  cudaGetLastError();
  call = call.substr(0, call.find('('));
  if (const auto from = call.rfind(':'); from != std::string_view::npos) call = call.substr(from + 1);
  Error error;
  error.kind = ErrorKind::device_failed;
  error.message = fmt::format("{} failed with {} {}: {}", call, static_cast<int>(code), explain(code), operation);
  error.fault = DeviceFault{std::string(call), static_cast<int>(code), cudaGetErrorName(code), std::string(operation)};
  return error;
}

}  // namespace streamscope
