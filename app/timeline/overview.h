// The whole run in a narrow strip: one thin row for each engine, else for each stream or thread. It shows where in the
// run the timeline looks; whoever draws it adds the frame of what is in view.
#pragma once

#include <optional>

#include "app/timeline/bar_style.h"
#include "app/timeline/scene.h"
#include "app/timeline/tracks.h"
#include "engine/trace/interval.h"

namespace streamscope::timeline {

struct OverviewOptions {
  int width = 0, height = 0;  // pixels
  int plot_x = 0;             // where the run begins, so that it lies under the timeline's own plot
  ColourBy colour_by = ColourBy::kind;
  std::optional<trace::Interval> whole;  // that it shows; nothing: the run from first to last
  friend bool operator==(const OverviewOptions&, const OverviewOptions&) = default;
};
// The view of the strip: the run from first to last, a little room at both ends.
View overview_view(const Tracks& tracks, const OverviewOptions& options);
Scene overview(const Tracks& tracks, const Theme& theme, const OverviewOptions& options);

// The columns of the strip's plot that a view of the timeline, so many pixels wide, has in sight; not clipped.
Pixels in_sight(const View& overview, const View& view, int plot_width);

}  // namespace streamscope::timeline
