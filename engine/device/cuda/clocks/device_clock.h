// The clocks of a GPU: %globaltimer, which kernels read; the one behind events; and how both are tied to the host's.
//
// %globaltimer to host: a ping-pong kernel answers the host through mapped memory (engine/reconstruct/clock_map.h).
// Events to %globaltimer: a kernel writes a stamp between two events, so it lies between their times.
#pragma once

#include <optional>
#include <span>
#include <vector>

#include "engine/base/result.h"
#include "engine/device/cuda/runtime/handle.h"
#include "engine/device/cuda/runtime/memory.h"
#include "engine/reconstruct/clock_map.h"

namespace streamscope::cuda {

// Event times relative to a base event, as %globaltimer.
class EventClock {
 public:
  // The base event must have fired. Records some pairs of events around a stamp on `stream`.
  static Result<EventClock> tie(cudaStream_t stream, cudaEvent_t base, cudaEvent_t before, cudaEvent_t after,
                                std::uint64_t* stamp);

  // %globaltimer at which an event fired. To be called roughly in the order in which events fire:
  // cudaEventElapsedTime() returns a float of milliseconds, which is exact to some nanoseconds up to 100 ms only, so
  // the reference event moves along.
  Result<Nanoseconds> time(cudaEvent_t event);
  Nanoseconds uncertainty() const { return uncertainty_; }

 private:
  static constexpr Nanoseconds kLongestReach = 50'000'000;
  cudaEvent_t reference_ = nullptr;
  Nanoseconds reference_time_ = 0;  // %globaltimer
  Nanoseconds uncertainty_ = 0;
};

// Ties %globaltimer to the host's clock. One a device.
class DeviceClock {
 public:
  static Result<DeviceClock> open(MemoryPool& pool, cudaStream_t stream, HostClock host_clock);

  // Reads the device's time 64 times, in about half a millisecond. The device should be idle.
  Result<reconstruct::ClockWindow> ask();
  // A map for the run that starts now.
  Result<reconstruct::ClockMap> map();

  // The step in which %globaltimer moves on, at the most, as the last handshake saw it.
  Nanoseconds step() const { return step_; }
  // The shortest round trip of the last handshake.
  Nanoseconds narrowest_exchange() const { return narrowest_; }

 private:
  HostClock host_clock_ = host_now;
  Memory shared_;  // pinned: the request, then the answers
  cudaStream_t stream_ = nullptr;
  std::optional<reconstruct::ClockWindow> first_;
  Nanoseconds step_ = 0;
  Nanoseconds narrowest_ = 0;
};

}  // namespace streamscope::cuda
