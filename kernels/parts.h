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

inline constexpr std::size_t kMostOptions = 12;
// The values of a kernel's options, in their order; 0 behind the last.
using Values = std::array<std::int64_t, kMostOptions>;

}  // namespace streamscope::kernels
