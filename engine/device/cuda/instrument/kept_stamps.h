// Stamps that outlive the device: in memory of the process's own, registered with CUDA, so that kernels write there. A
// fault leaves it readable, and so does a reset, which takes all that CUDA allocated.
#pragma once

#include <cstdint>
#include <memory>

#include "engine/base/result.h"
#include "kernels/stages.h"

namespace streamscope::cuda {

class KeptStamps {
 public:
  static Result<std::unique_ptr<KeptStamps>> make(std::size_t count);
  ~KeptStamps();
  KeptStamps(const KeptStamps&) = delete;
  KeptStamps& operator=(const KeptStamps&) = delete;

  kernels::Stamp* on_device() const { return on_device_; }
  kernels::Stamp read(std::size_t slot) const;

 private:
  KeptStamps() = default;
  void* memory_ = nullptr;
  bool registered_ = false;
  kernels::Stamp* on_device_ = nullptr;
};

}  // namespace streamscope::cuda
