// How long a device takes from when an operation could start to when it does, and how long copies are on their way:
// what an instrument needs to tell a copy's start, which nothing marks, from its end.
#pragma once

#include "engine/base/time.h"

namespace streamscope::device {

// A copy of n bytes takes setup + n * alone, or n * both where the bus is busy both ways. All 0: not known.
struct CopyTime {
  Nanoseconds setup = 0;
  double alone = 0, both = 0;  // nanoseconds a byte
  bool known() const { return alone > 0; }
};

struct Dispatch {
  Nanoseconds after_dependency = 0;  // from the end of what it waited for, on another engine, to the start
  Nanoseconds after_copy = 0;        // from the end of the copy before it on its engine
  CopyTime h2d, d2h;                 // pinned
  CopyTime on_device;                // device to device; a memset is no slower
};

// What is known beside what was seen of the operations themselves.
struct Circumstances {
  Dispatch dispatch;             // all zero: not known, and then nothing takes time between the one and the other
  Nanoseconds opened = kAbsent;  // when the gate opened, on the trace's axis; absent without one
};

}  // namespace streamscope::device
