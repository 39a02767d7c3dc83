// A stretch of time on a trace's axis: [start, end), start <= end.
#pragma once

#include "engine/base/time.h"

namespace streamscope::trace {

struct Interval {
  Nanoseconds start = 0, end = 0;
  friend bool operator==(const Interval&, const Interval&) = default;
};

}  // namespace streamscope::trace
