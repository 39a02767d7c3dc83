// The bars of the lanes and what is drawn on top of them: labels, the selection, its threads.
#pragma once

#include "app/timeline/rows.h"

namespace streamscope {

// Everything that drawing one view needs; all rows and columns are the picture's.
struct Scene {
  const Trace& trace;
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

void fill(Picture& picture, int x0, int y0, int x1, int y1, Colour colour);  // nothing where it is empty
// Adds the part of the rectangle that lies within the given rows, if any.
void add_clipped(Picture& picture, Rectangle rectangle, int top, int bottom);
// A bar's ground, and over it its pattern, if it has one and is wide enough to show it.
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

}  // namespace streamscope
