// A run as small as a thumbnail: what its streams carry, and when.
#pragma once

#include <cstdint>
#include <vector>

#include "engine/trace/trace.h"

namespace streamscope::timeline {

inline constexpr std::size_t kMiniatureRows = 6, kMiniatureBars = 300;

struct Miniature {
  struct Bar {
    float start = 0, end = 0;  // parts of the whole, 0 to 1
    std::uint16_t row = 0;
    OperationKind kind = OperationKind::work;
    friend bool operator==(const Bar&, const Bar&) = default;
  };
  std::vector<Bar> bars;
  std::size_t rows = 0;  // a stream each, in the order of their first work
};
// Of the first streams and bars, where there are more than have room.
Miniature miniature(const trace::Trace& trace);

}  // namespace streamscope::timeline
