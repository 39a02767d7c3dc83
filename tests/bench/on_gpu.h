// What the benchmarks on a GPU share: a call that fails ends them with code 4, and the ways of copying tiles by name.
#pragma once

#include <cuda_runtime_api.h>

#include <array>
#include <cstdio>
#include <cstdlib>
#include <string_view>

#include "kernels/cuda_kernel.h"
#include "kernels/tiles/tiles.h"

namespace streamscope::bench {

inline void must(int code, const char* call) {
  if (code == cudaSuccess) return;
  std::fprintf(stderr, "%s: %s\n", call, cudaGetErrorString(static_cast<cudaError_t>(code)));
  std::exit(4);
}
#define MUST(call) streamscope::bench::must(call, #call)

inline constexpr std::array<std::string_view, kernels::kTileCopies> kCopyNames{
    "sync", "cp.async", "primitives", "cg", "barrier", "pipeline", "warp-specialised", "bulk"};

}  // namespace streamscope::bench
