// axpb: float32, v = v*a + b, `fma` times an element, grid-stride; in place, or from one range to another.
#pragma once

#include <string>

#include "kernels/parts.h"

namespace streamscope::kernels {

// One rounding each (fmaf): std::fma on the CPU gives the same bits. a is one unit in the last place above 1 and b less
// than one, so that values do not converge and stay finite for the counts that a kernel of under a second can reach.
inline constexpr float kAxpbA = 0x1.000002p0f;
inline constexpr float kAxpbB = 0x1p-24f;

struct AxpbOptions {
  std::uint32_t fma, blocks, threads;
};
AxpbOptions axpb_options(const Values& values, std::uint32_t multiprocessors);

const Kernel& axpb_kernel();
CudaCode axpb_code(std::string_view name, bool two_ranges);
// v*a + b, `fma` times, of a float and of four at a time, as it is taught.
std::string cuda_chains();
std::unique_ptr<Launcher> axpb_launcher(const AxpbOptions& options);

}  // namespace streamscope::kernels
