// Rectangles put into a picture: clipped to rows or to the plot, with a bar's pattern.
#pragma once

#include <vector>

#include "app/timeline/layout_context.h"

namespace streamscope::timeline {

void fill(Scene& scene, int x0, int y0, int x1, int y1, Colour colour);  // nothing where it is empty
// Adds the part of the rectangle that lies within the given rows, if any.
void add_clipped(Scene& scene, const Rectangle& rectangle, const TrackArea& rows);
void add_clipped(std::vector<Rectangle>& to, Rectangle rectangle, const TrackArea& rows);
// The part of it that lies within the plot and its rows; columns are the picture's.
void fill_in_plot(Scene& scene, const LayoutContext& context, std::int64_t x0, int y0, std::int64_t x1, int y1,
                  Colour colour);
// A frame of that thickness around a bar, so far outside of it.
void draw_frame(Scene& scene, const LayoutContext& context, const Bar& around, int distance, int thick, Colour colour);
// A bar's pattern, if it has one and is wide enough to show it; and with the ground under it.
void add_pattern(std::vector<Rectangle>& to, const BarStyle& style, const Rectangle& bar, const TrackArea& rows);
void add_styled(Scene& scene, const BarStyle& style, const Rectangle& bar, const TrackArea& rows);
Rectangle seam_of(const Rectangle& bar, const Theme& theme);  // its first column, darker
// Whether a line of text of this size, centred at y, lies wholly within the rows.
bool fits(float y, float size, const TrackArea& rows);

}  // namespace streamscope::timeline
