// The CUDA part of a kernel, as the device uses it. No CUDA header is needed to call it.
#pragma once

#include <cstddef>
#include <memory>

#include "kernels/launch.h"

namespace streamscope::kernels {

// What a launch works on; device pointers.
struct LaunchData {
  char* first = nullptr;  // the ranges of the statement
  const char* second = nullptr;
  std::uint64_t bytes = 0;                 // of the data: of its only range, or of the second
  const std::uint32_t* abandon = nullptr;  // a kernel that only waits ends early once this is not 0; may be null
};

// How it fits on the device: registers of a thread, blocks resident on a multiprocessor, dynamic shared memory and what
// the code has of its own.
struct Fit {
  int blocks = 0, registers = 0;
  std::size_t shared_bytes = 0, static_bytes = 0;
};

// A kernel with its options on one device, made when a program is loaded: a launch asks nothing of the driver. Each
// function returns a cudaError_t as an int.
struct Launcher {
  Launcher() = default;
  Launcher(const Launcher&) = delete;
  Launcher& operator=(const Launcher&) = delete;
  virtual ~Launcher() = default;
  // Loads its code before the first launch, and allows it as much dynamic shared memory as a block can have. What
  // launches need to know of the device is known from here on.
  virtual int prepare(std::size_t shared_bytes_limit) = 0;
  // Once in that stream, with nothing to do, where that takes no longer than loading.
  virtual int warm_up(const StampTo&, const std::uint32_t* /*abandon*/, Stream) const { return 0; }
  virtual int fit(Fit*) const = 0;
  virtual int launch(const LaunchData& data, const StampTo& stamp, const StagesTo& stages, Stream stream) const = 0;
  // Launchers with the same one run the same code.
  virtual const void* code() const = 0;
};

}  // namespace streamscope::kernels
