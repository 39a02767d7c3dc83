// The initial data of buffers, on the CPU, and the comparison of results.
#pragma once

#include <cstdint>
#include <optional>

#include "engine/base/id.h"

namespace streamscope::cuda {

// The seeds of the pattern (kernels/pattern.h) for each side of a buffer; a shared allocation has that of the host.
inline std::uint32_t host_seed(BufferId buffer) { return 2 * buffer.value + 1; }
inline std::uint32_t device_seed(BufferId buffer, DeviceId device = {}) {
  return 2 * buffer.value + 2 + (device.value << 24);
}

// The offset of the first float32 (or last partial word) that differs; nullopt if all are equal. Any NaN equals any
// other: GPUs and CPUs produce different bits for it.
std::optional<std::uint64_t> first_difference(const char* found, const char* expected, std::uint64_t bytes);

// Whether any of the whole words is a NaN, as float32.
bool holds_nan(const char* data, std::uint64_t bytes);

// Fills with the pattern of kernels/pattern.h, on all cores.
void fill_pattern(char* data, std::uint64_t bytes, std::uint32_t seed);

}  // namespace streamscope::cuda
