// The gate on a GPU: a kernel that runs until the host writes a word, and an event behind it for which every stream
// waits. It opens by itself after kLongest, so that no failure of the host can hold the device for good.
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

  // Afterwards nothing new starts in these streams. If a call fails, streams that are held already are released.
  Result<void> close(std::span<const cudaStream_t> streams);
  // A single store to memory: cannot fail, may be called from any thread and repeatedly.
  void open() noexcept;
  // Whether it opened by itself since close(). Only when the device is idle.
  bool expired() const;

  // Below kLongestKernel (device.h), since the GPU may drive a display.
  static constexpr Nanoseconds kLongest = 500'000'000;

 private:
  Gate() = default;

  struct Words;
  Memory words_;         // pinned
  UniqueStream stream_;  // its own, so that instruments do not wait for the gate
  UniqueEvent behind_;
};

}  // namespace streamscope::cuda
