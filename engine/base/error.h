// What went wrong, in words that a person can act on.
#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "engine/base/name_table.h"
#include "engine/base/time.h"

namespace streamscope {

// Each kind has one exit code of the command line; see exit_code().
enum class ErrorKind : std::uint8_t {
  bad_input,      // the text, the file or the option is wrong: exit 2
  no_device,      // the device named is not there: exit 3
  device_failed,  // the run failed on the device: exit 4
  wrong_data,     // the data that came back is wrong: exit 5
  cancelled,      // somebody asked for a stop: exit 4
};

template <>
inline constexpr NameTable<5> kNames<ErrorKind>{"bad_input", "no_device", "device_failed", "wrong_data", "cancelled"};

// A failed CUDA call: what was called, what it returned and what it was called for.
struct DeviceFault {
  std::string call;       // "cudaMemcpyAsync"
  int code = 0;           // 700
  std::string name;       // "cudaErrorIllegalAddress"
  std::string operation;  // "operation 12, line 7: S0: h2d x[0:1MiB]"
};

struct Error {
  ErrorKind kind = ErrorKind::bad_input;
  std::string message;  // whole sentences; may hold several lines, one for each thing wrong
  std::optional<DeviceFault> fault = std::nullopt;
  // Refused as kernels would freeze a display: how long the longest takes. Allowed by LoadOptions::long_kernels.
  std::optional<Nanoseconds> longest_kernel = std::nullopt;
  // Refused as a kernel is code of the program's own that was not given, or is wrong: LoadOptions::own may mend it.
  bool wants_own_code = false;
};

int exit_code(ErrorKind kind);

}  // namespace streamscope
