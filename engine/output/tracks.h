// Slices for a trace viewer: they must not overlap on a track, so those that do are spread over several tracks.
#pragma once

#include <cstddef>
#include <vector>

#include "engine/base/time.h"

namespace streamscope::output {

struct Slice {
  Nanoseconds start = 0, end = 0;  // start <= end
  std::size_t span = 0;            // index into Trace::spans
};

// The slices on as few tracks as will do, each in order of time: for any two neighbours on a track, the second starts
// when the first has ended or later. A slice goes on the first track where it fits. O(n log n).
std::vector<std::vector<Slice>> spread(std::vector<Slice> slices);

}  // namespace streamscope::output
