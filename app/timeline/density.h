// What the columns of a merged run consist of: how long the spans of each class were busy in each, exactly, and how
// high that is drawn.
//
// How: a column's edges are found in the lane's samples, and what lies before an edge is the sums at its block and at
// most 31 spans more. Nothing depends on how many spans a column holds.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "app/timeline/lane.h"

namespace streamscope::timeline {

struct Density {
  std::size_t classes = 0;             // of the lane: how many there are in each column
  std::vector<std::int64_t> busy;      // fine time (view.h); [column][place in ClassSums::classes]
  std::vector<std::uint16_t> present;  // by column, a bit for each place: some span of it is there, if only for 0 ns
};
// The columns [x0, x1) of the plot. `which`: by which class of the pairs, 0 by kind, 1 by stream. The lane has classes.
void density(const Lane& lane, std::size_t which, const View& view, std::int32_t x0, std::int32_t x1, Density& out);

// How many of `height` pixels each class of a column gets: each that is present at least one, as long as there are any,
// the rest by largest remainder; what is idle of the column's `whole` time gets none. `busy`, `present` and `out` by
// place.
void share_out(std::span<const std::int64_t> busy, std::uint16_t present, std::int64_t whole, int height,
               std::span<std::uint16_t> out);

}  // namespace streamscope::timeline
