// The results of axpb and tiles, computed bit for bit by the CPU.
#pragma once

#include <cstdint>
#include <memory>
#include <vector>

namespace streamscope::cuda {

// v*a + b with one rounding, `fma` times, on `count` float32 (kernels::axpb). Uses all cores. The result of each
// different value is computed once, as long as there are not too many of them.
class FmaChains {
 public:
  FmaChains();
  ~FmaChains();
  void apply(float* data, std::uint64_t count, std::uint32_t fma);

 private:
  class Memo;
  std::vector<std::unique_ptr<Memo>> memos_;  // one per worker
};

}  // namespace streamscope::cuda
