// The results of axpb and tiles, computed bit for bit by the CPU.
#pragma once

#include <cstdint>
#include <memory>
#include <vector>

#include "kernels/kernel.h"

namespace streamscope::kernels {

// v*a + b with one rounding, `fma` times, on `count` float32 (axpb.h). Uses all cores. The result of each
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

// Of a kernel that leaves behind what axpb does; `fma_option`: the index of its option of that name.
std::unique_ptr<Reference> chains_reference(std::size_t fma_option);

}  // namespace streamscope::kernels
