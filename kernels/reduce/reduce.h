// reduce: sums of 32-bit unsigned integers modulo 2^32, one for each block. Block b takes the elements
// [b * share, (b + 1) * share) of x, as far as there are any, and leaves their sum in y[b]; share: reduce_share().
#pragma once

#include "kernels/parts.h"

namespace streamscope::kernels {

inline constexpr std::uint32_t kReduceBlocks = 264;  // two for each multiprocessor of an H200, on any GPU
// 16-byte loads that a thread has under way at once. 512 threads of a multiprocessor then wait for 64 KiB, about three
// times what an H200 brings in the latency of its memory.
inline constexpr std::uint32_t kReduceLoads = 8;

// Elements of each block's share but the last ones': whole lines of 128 bytes, counted from the first element.
constexpr std::uint64_t reduce_share(std::uint64_t count, std::uint32_t blocks) {
  constexpr std::uint64_t kLine = 32;
  const std::uint64_t lines = (count + kLine - 1) / kLine;
  return (lines + blocks - 1) / blocks * kLine;
}

struct ReduceOptions {
  std::uint32_t blocks, threads;  // threads: a multiple of 32
};
ReduceOptions reduce_options(const Values& values);

const Kernel& reduce_kernel();
CudaCode reduce_code(std::string_view name);
std::unique_ptr<Launcher> reduce_launcher(const ReduceOptions& options);

}  // namespace streamscope::kernels
