// The gate on a GPU: a kernel that runs until the host writes a word, and an event behind it for which every stream
// waits. It opens by itself after kLongest, so that nothing is held for good whatever becomes of the host.
#pragma once

#include <memory>
#include <span>

#include "engine/device/cuda/runtime/context.h"

namespace streamscope::cuda {

class Gate {
 public:
  static Result<std::unique_ptr<Gate>> make(CudaContext& context);
  ~Gate() { open(); }
  Gate(const Gate&) = delete;
  Gate& operator=(const Gate&) = delete;

  // From here on nothing new in these streams starts. Where a call fails, what is held already is let go.
  Result<void> close(std::span<const cudaStream_t> streams);
  // One store to memory: cannot fail, from any thread, any number of times.
  void open() noexcept;
  // Whether it opened by itself since close(). Ask once the device is idle.
  bool expired() const;

  // A display hangs on some GPUs: no kernel of ours runs longer there than programs may (kLongestKernel, device.h).
  static constexpr Nanoseconds kLongest = 500'000'000;

 private:
  Gate() = default;

  struct Words;
  Memory words_;         // pinned
  UniqueStream stream_;  // its own: what looks on must not wait for the gate
  UniqueEvent behind_;
};

}  // namespace streamscope::cuda
