// What the benchmarks on a GPU share: a call that fails ends them with code 4; their command line where it is a number of
// runs; the ways of copying tiles by name.
#pragma once

#include <cuda_runtime_api.h>

#include <algorithm>
#include <array>
#include <cstdio>
#include <cstdlib>
#include <string_view>
#include <vector>

#include "engine/base/result.h"
#include "kernels/cuda_kernel.h"
#include "kernels/tiles/tiles.h"

namespace streamscope::bench {

inline void must(int code, const char* call) {
  if (code == cudaSuccess) return;
  std::fprintf(stderr, "%s: %s\n", call, cudaGetErrorString(static_cast<cudaError_t>(code)));
  std::exit(4);
}
#define MUST(call) streamscope::bench::must(call, #call)

inline double median(std::vector<double> values) {
  std::sort(values.begin(), values.end());
  return values[values.size() / 2];
}

// `NAME [--runs N]`: exit code 0 where compare(N) finds all as it must be, 1 where not, 2 bad usage, or that of its
// error.
inline int run_comparison(const char* name, int count, char** arguments, int runs, Result<bool> (*compare)(int)) {
  if (count == 3 && std::string_view(arguments[1]) == "--runs") {
    runs = std::atoi(arguments[2]);
  } else if (count != 1) {
    runs = 0;
  }
  if (runs < 1) {
    std::fprintf(stderr, "usage: %s [--runs N]\n", name);
    return 2;
  }
  const auto good = compare(runs);
  if (good) return *good ? 0 : 1;
  std::fprintf(stderr, "%s\n", good.error().message.c_str());
  return exit_code(good.error().kind);
}

inline constexpr std::array<std::string_view, kernels::kTileCopies> kCopyNames{
    "sync", "cp.async", "primitives", "cg", "barrier", "pipeline", "warp-specialised", "bulk"};

}  // namespace streamscope::bench
