// The data that buffers start with, on the CPU, and how what came back is compared.
#pragma once

#include <cstdint>
#include <optional>

#include "engine/base/id.h"

namespace streamscope::cuda {

// The seeds of the pattern (kernels/pattern.h) on either side of a buffer; a shared allocation has the host's.
inline std::uint32_t host_seed(BufferId buffer) { return 2 * buffer.value + 1; }
inline std::uint32_t device_seed(BufferId buffer) { return 2 * buffer.value + 2; }

// The first byte of a float32 that differs, or of a last partial word; nothing where all are equal. Any NaN equals any
// other: CUDA and CPUs choose different bits for it.
std::optional<std::uint64_t> first_difference(const char* found, const char* expected, std::uint64_t bytes);

// Fills with the pattern of kernels/pattern.h, over all cores.
void fill_pattern(char* data, std::uint64_t bytes, std::uint32_t seed);

}  // namespace streamscope::cuda
