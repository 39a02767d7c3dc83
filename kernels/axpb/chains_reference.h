// The results of axpb and tiles, computed bit for bit by the CPU.
#pragma once

#include <vector>

#include "kernels/kernel.h"

namespace streamscope::kernels {

// v*a + b with one rounding, `fma` times, on float32 (axpb.h), in place or from the second range to the first. Uses all
// cores. The result of each different value is computed once, as long as there are not too many of them.
class FmaChains final : public Reference {
 public:
  // `fma_option`: the index of the kernel's option of that name.
  explicit FmaChains(std::size_t fma_option = 0);
  ~FmaChains() override;
  std::optional<std::string> compute(const Values& values, std::uint64_t bytes, char* first,
                                     const char* second) override;
  void apply(float* data, std::uint64_t count, std::uint32_t fma);

 private:
  class Memo;
  std::size_t fma_option_;
  std::vector<std::unique_ptr<Memo>> memos_;  // one per worker
};

}  // namespace streamscope::kernels
