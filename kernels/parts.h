// What the header of each kernel names: the two parts that the rest of the program uses, and the values of its options.
// Also for CUDA sources, whose C++ is older than that of kernel.h.
#pragma once

#include <array>
#include <cstdint>
#include <memory>
#include <string_view>

namespace streamscope::kernels {

struct Kernel;    // the plain part: kernel.h
struct Launcher;  // the CUDA part: cuda_kernel.h
struct CudaCode;  // as it is taught: textbook.h
struct CudaLaunch;
struct CudaOperands;

inline constexpr std::size_t kMostOptions = 15;
// The values of a kernel's options, in their order; 0 behind the last. The very last one, of a kernel that works in
// place or from one range to another: 1 where a launch has two ranges.
using Values = std::array<std::int64_t, kMostOptions + 1>;
inline constexpr std::size_t kTwoRanges = kMostOptions;

}  // namespace streamscope::kernels
