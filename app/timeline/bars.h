// The bars of the lanes and what is drawn on top of them: labels, the selection, its threads.
#pragma once

#include "app/timeline/flows.h"
#include "app/timeline/rows.h"

namespace streamscope::timeline {

// Everything that drawing one view needs; all rows and columns are the picture's.
struct Scene {
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

Scene scene_of(const trace::Trace& trace, const Tracks& tracks, const View& view, const Theme& theme,
               const LayoutOptions& options);
// The pinned tracks or the scrolled ones, in the rows that they may take.
Scene part_of(const Scene& whole, bool pinned);

// A span's bar on one track, in picture coordinates and not clipped; nothing where the track is not shown.
struct Bar {
  TrackKind kind;
  std::int64_t x0, x1;
  int y0, y1;
};
std::vector<Bar> bars_of(const Scene& scene, OperationIndex operation);
// The rows of a lane's bars, air taken off.
struct LaneRow {
  TrackKind kind;
  int y0, y1;
};
LaneRow bar_row(const Scene& scene, const Strip& strip, std::size_t lane);
// Of the tracks an operation has bars on, the one that a thread of that kind ends at.
const Bar* end_of(const std::vector<Bar>& bars, FlowKind kind);

struct Point {
  float x, y;
};
// An arrow, cut to the plot.
void thread(Picture& picture, const Scene& scene, Point from, Point to, Colour ink, float width, bool dashed);

void fill(Picture& picture, int x0, int y0, int x1, int y1, Colour colour);  // nothing where it is empty
// Adds the part of the rectangle that lies within the given rows, if any.
void add_clipped(Picture& picture, const Rectangle& rectangle, int top, int bottom);
void add_clipped(std::vector<Rectangle>& to, Rectangle rectangle, int top, int bottom);
// A bar's pattern, if it has one and is wide enough to show it; and with the ground under it.
void add_pattern(std::vector<Rectangle>& to, const Coat& coat, const Rectangle& bar, int top, int bottom);
void add_coated(Picture& picture, const Coat& coat, const Rectangle& bar, int top, int bottom);
// Whether a line of text of this size, centred at y, lies wholly within the rows.
bool fits(float y, float size, int top, int bottom);

void draw_bars(Picture& picture, const Scene& scene);
// The second run's bars under those of the first, as a prediction's ghosts are.
void draw_overlaid(Picture& picture, const Scene& first, const Scene& second);
void draw_selection(Picture& picture, const Scene& scene);
// From what led to the selected operation, and to what it led: solid where it had to come before, dashed where it had
// the engine.
void draw_threads(Picture& picture, const Scene& scene);

}  // namespace streamscope::timeline
