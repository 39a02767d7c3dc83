// How a GPU is opened. A test without one passes a clock and sizes of its own; everybody else takes what stands here.
#pragma once

#include <cstdint>
#include <thread>

#include "engine/base/time.h"

namespace streamscope::cuda {

struct OpenOptions {
  HostClock host_clock = host_now;
  unsigned cores = std::thread::hardware_concurrency();  // for the thread that issues and the one that watches events
  // Bytes of the copies that are timed: for the rates between host and device, and within the device's memory.
  std::uint64_t large_copy = 4u << 20, device_copy = 256u << 20;
};

}  // namespace streamscope::cuda
