// How long a device takes from when an operation could start to when it does, and how long copies take: from these the
// start of a copy, which no instrument sees, is computed from its end.
#pragma once

#include <cstdint>
#include <vector>

#include "engine/base/time.h"

namespace streamscope::device {

// A copy of n bytes takes setup + n * alone; with `both` in place of `alone` while the bus is busy in both directions.
// All 0: not known.
struct CopyTime {
  Nanoseconds setup = 0;
  double alone = 0, both = 0;  // nanoseconds per byte
  double least = 0;            // that no copy takes less than; 0: not known
  bool known() const { return alone > 0; }
};

// What moves within the device: the shortest measured, where the bytes fit the L2 cache and where they do not.
struct MemoryTime {
  double in_cache = 0, in_memory = 0;  // nanoseconds per byte copied or set
  bool known() const { return in_memory > 0; }
};

struct DispatchLatency {
  Nanoseconds after_dependency = 0;  // from the end of what it waited for, on another engine, to the start
  Nanoseconds after_copy = 0;        // from the end of the copy before it on its engine
  CopyTime h2d, d2h;                 // pinned
  MemoryTime copy, set;              // device to device, memset
  std::uint64_t cache_bytes = 0;     // of the L2
};

// Copies from one device to another: with peer access on, and without it, staged through the host.
struct PeerTime {
  CopyTime direct, staged;
};

// What is known of a pass besides the observations of its operations.
struct Circumstances {
  DispatchLatency dispatch;      // all zero: not known; operations then start without delay
  Nanoseconds opened = kAbsent;  // when the gate opened, on the trace's axis; absent without one
  int copy_engines = 2;          // 1: copies of both directions share it
  // Of a program of several devices: those of the others, from the second on; and of each pair, by the number of the
  // device that is read times how many there are, and the other's. Empty: not known.
  std::vector<DispatchLatency> others{};
  std::vector<PeerTime> peers{};
};

}  // namespace streamscope::device
