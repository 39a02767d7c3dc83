// Sums of 32-bit integers, one for each block (reduce.h). Like everything behind kernels/launch.h: an int is a
// cudaError_t, pointers are device pointers.
#pragma once

#include <cstdint>

#include "kernels/launch.h"
#include "kernels/reduce/options.h"

namespace streamscope::kernels {

struct Reduce {
  std::uint32_t* sums;        // one for each block, overlaps no data; null: nothing is written
  const std::uint32_t* data;  // 4-byte aligned
  std::uint64_t count;
  std::uint32_t blocks, threads;  // threads: a multiple of 32
};
int reduce(const Reduce& launch, const StampTo& stamp, Stream stream);

// Loads it before the first launch.
int prepare_reduce();

}  // namespace streamscope::kernels
