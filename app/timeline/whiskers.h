// How sure a bar's two ends are: thin whiskers of plus and minus the uncertainty, the start's at the bar's upper edge
// and the end's at its lower one, so that they never lie on each other. Of a trace merged from many runs the spread of
// the end stands behind its whisker, as a lighter band.
//
// They come into sight only where they say something: long enough to be seen as a length, and short against what is in
// sight of the bar, for else they would only hide its neighbours. Of the bar that is selected or under the mouse they
// are shown however long.
#pragma once

#include <optional>
#include <vector>

#include "app/timeline/layout_context.h"

namespace streamscope::timeline {

inline constexpr std::int64_t kShortestWhisker = 3;  // pixels to each side
// At most so much of the bar to each side of an end: both ends' whiskers leave half of it free.
inline constexpr std::int64_t kShareOfBar = 4;
inline constexpr std::int64_t kLeastForWhiskers = 4;  // pixels of a bar

// Columns of the plot that a time and its uncertainty take, given how many columns of the bar are in sight; nothing
// where no whisker is shown. `asked`: however long.
std::optional<Pixels> whisker(const View& view, Nanoseconds at, std::uint32_t uncertainty, std::int64_t bar_in_sight,
                              bool asked);

// One bar, rows of the picture.
struct BarAt {
  trace::Span span;
  std::int64_t in_sight;  // columns
  int y0, y1;
};
void draw_whiskers(Scene& scene, const LayoutContext& context, const std::vector<BarAt>& bars);

}  // namespace streamscope::timeline
