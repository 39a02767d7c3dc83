// Slices of a trace viewer: on one track they never overlap, so those that do are spread over further tracks.
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
// when the first has ended or later. What fits on the first track lies there. O(n log n).
std::vector<std::vector<Slice>> spread(std::vector<Slice> slices);

}  // namespace streamscope::output
