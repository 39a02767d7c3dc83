// What every part of the layout works on: one view of one run, and where its rows lie.
#pragma once

#include <string>
#include <vector>

#include "app/timeline/rows.h"
#include "app/timeline/scene.h"

namespace streamscope::timeline {

// All rows and columns are the picture's.
struct LayoutContext {
  const trace::Trace& trace;
  const Tracks& tracks;
  const View& view;
  const Theme& theme;
  const LayoutOptions& options;
  Metrics metrics;
  TrackArea area;
  Frame frame;
  std::vector<Strip> strips;
  std::string run;  // that the headings name, where there are two
};

LayoutContext context_of(const trace::Trace& trace, const Tracks& tracks, const View& view, const Theme& theme,
                         const LayoutOptions& options);
// The pinned tracks or the scrolled ones, in the rows that they may take.
LayoutContext part_of(const LayoutContext& whole, bool pinned);

// The rows of a lane's bars, without the air above and below.
struct LaneRow {
  TrackKind kind;
  int y0, y1;
};
LaneRow bar_row(const LayoutContext& context, const Strip& strip, std::size_t lane);

// A span's bar on one track, in picture coordinates and not clipped.
struct Bar {
  TrackKind kind;
  std::int64_t x0, x1;
  int y0, y1;
};
// One for each lane in `strips` that shows the operation.
std::vector<Bar> bars_of(const LayoutContext& context, OperationIndex operation);

}  // namespace streamscope::timeline
