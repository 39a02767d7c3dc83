// The gate: on each GPU a kernel that runs until the host writes a word, the same for all of them, and an event behind
// it for which every stream of that GPU waits. It opens by itself after kLongest, so that no failure of the host can
// hold the device for good.
#pragma once

#include <memory>
#include <span>
#include <vector>

#include "engine/device/cuda/runtime/gpus.h"

namespace streamscope::cuda {

class Gate {
 public:
  static Result<std::unique_ptr<Gate>> make(Gpus gpus);
  ~Gate() { open(); }
  Gate(const Gate&) = delete;
  Gate& operator=(const Gate&) = delete;

  // Afterwards nothing new starts in these streams, by DeviceId. If a call fails, streams that are held already are
  // released.
  Result<void> close(std::span<const std::vector<cudaStream_t>> streams);
  // A single store to memory: cannot fail, may be called from any thread and repeatedly.
  void open() noexcept;
  // Whether it opened by itself since close(). Only when the devices are idle.
  bool expired() const;

  // Below kLongestKernel (device.h), since the GPU may drive a display.
  static constexpr Nanoseconds kLongest = 500'000'000;

 private:
  explicit Gate(Gpus gpus) : gpus_(std::move(gpus)) {}

  struct Words;
  struct OnDevice {
    UniqueStream stream;  // its own, so that instruments do not wait for the gate
    UniqueEvent behind;
  };
  Gpus gpus_;
  Memory words_;                     // pinned
  std::vector<OnDevice> on_device_;  // by DeviceId
};

}  // namespace streamscope::cuda
