// The data that buffers start with: float32 values scattered over 16384 different ones in [0.5, 1), never NaN; each
// half of a word is a bfloat16 in [0.5, 1) as well.
//
// Neighbours differ, so that a chunk in the wrong place is noticed; the number of values is small, so that a CPU can
// compute the result of a long chain of operations once for each. The same text is compiled for the host and for the
// device.
#pragma once

#include <cstdint>

#ifdef __CUDACC__
#define STREAMSCOPE_BOTH __host__ __device__
#else
#define STREAMSCOPE_BOTH
#endif

namespace streamscope::kernels {

// The bits of word `index` of the buffer with this seed.
STREAMSCOPE_BOTH inline std::uint32_t pattern(std::uint64_t index, std::uint32_t seed) {
  auto x = static_cast<std::uint32_t>(index ^ (index >> 32)) + seed * 0x9E3779B9u;
  x = (x ^ (x >> 16)) * 0x85EBCA6Bu;
  x = (x ^ (x >> 13)) * 0xC2B2AE35u;
  return 0x3F003F00u | ((x >> 8) & 0x007F007Fu);
}

}  // namespace streamscope::kernels

#undef STREAMSCOPE_BOTH
