// What axpb and tiles make of floats, computed by the CPU to the bit.
#pragma once

#include <cstdint>
#include <memory>
#include <vector>

namespace streamscope::cuda {

// v*a + b with one rounding, `fma` times, on `count` float32 (kernels::axpb). Over all cores; what a value comes to is
// computed once, as long as there are not too many different ones.
class FmaChains {
 public:
  FmaChains();
  ~FmaChains();
  void apply(float* data, std::uint64_t count, std::uint32_t fma);

 private:
  class Memo;
  std::vector<std::unique_ptr<Memo>> memos_;  // one a worker
};

}  // namespace streamscope::cuda
