// Host work: keeps the calling thread busy.
#pragma once

#include <atomic>

#include "engine/base/time.h"

namespace streamscope::cuda {

inline void busy_until(HostClock clock, Nanoseconds time, const std::atomic<bool>& abandoned,
                       const std::atomic<bool>& over) {
  while (clock() < time && !abandoned.load(std::memory_order_relaxed) && !over.load(std::memory_order_relaxed)) {
  }
}

}  // namespace streamscope::cuda
