// How a GPU is opened. Tests without a GPU pass another clock and smaller sizes; otherwise the defaults hold.
#pragma once

#include <cstdint>

#include "engine/base/time.h"
#include "engine/device/cuda/runtime/cores.h"
#include "engine/device/cuda/runtime/slept.h"

namespace streamscope::cuda {

struct OpenOptions {
  HostClock host_clock = host_now;
  unsigned cores = usable_cores();  // of the host: with few, no thread watches events
  // Bytes of the copies that are timed: for the rates between host and device, and within the device's memory.
  std::uint64_t large_copy = 4u << 20, device_copy = 256u << 20;
  HostClock slept = time_slept;
};

}  // namespace streamscope::cuda
