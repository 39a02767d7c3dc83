// What axpb computes, and its options as the CUDA part takes them.
#pragma once

#include <cstdint>

namespace streamscope::kernels {

// One rounding each (fmaf): std::fma on the CPU gives the same bits. a is one unit in the last place above 1 and b less
// than one, so that values do not converge and stay finite for the counts that a kernel of under a second can reach.
inline constexpr float kAxpbA = 0x1.000002p0f;
inline constexpr float kAxpbB = 0x1p-24f;

// Its options: what the CUDA part launches.
struct AxpbOptions {
  std::uint32_t fma, blocks, threads;
};

}  // namespace streamscope::kernels
