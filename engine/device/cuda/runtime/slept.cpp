#include "engine/device/cuda/runtime/slept.h"

#include <time.h>

#include <limits>

namespace streamscope::cuda {
namespace {

Nanoseconds read(clockid_t clock) {
  timespec time{};
  if (clock_gettime(clock, &time) != 0) return 0;
  return Nanoseconds{time.tv_sec} * 1'000'000'000 + time.tv_nsec;
}

}  // namespace

// The two clocks cannot be read at once: of some readings the one that took least.
Nanoseconds time_slept() {
  Nanoseconds slept = 0, narrowest = std::numeric_limits<Nanoseconds>::max();
  for (int attempt = 0; attempt < 3; ++attempt) {
    const Nanoseconds before = read(CLOCK_MONOTONIC), with_sleep = read(CLOCK_BOOTTIME), after = read(CLOCK_MONOTONIC);
    if (after - before >= narrowest) continue;
    narrowest = after - before;
    slept = with_sleep - before - narrowest / 2;
  }
  return slept;
}

}  // namespace streamscope::cuda
