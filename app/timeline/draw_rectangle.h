// Rectangles put into a picture: clipped to rows, with a bar's pattern.
#pragma once

#include <vector>

#include "app/timeline/bar_style.h"
#include "app/timeline/scene.h"

namespace streamscope::timeline {

void fill(Scene& scene, int x0, int y0, int x1, int y1, Colour colour);  // nothing where it is empty
// Adds the part of the rectangle that lies within the given rows, if any.
void add_clipped(Scene& scene, const Rectangle& rectangle, int top, int bottom);
void add_clipped(std::vector<Rectangle>& to, Rectangle rectangle, int top, int bottom);
// A bar's pattern, if it has one and is wide enough to show it; and with the ground under it.
void add_pattern(std::vector<Rectangle>& to, const BarStyle& style, const Rectangle& bar, int top, int bottom);
void add_styled(Scene& scene, const BarStyle& style, const Rectangle& bar, int top, int bottom);
// Whether a line of text of this size, centred at y, lies wholly within the rows.
bool fits(float y, float size, int top, int bottom);

}  // namespace streamscope::timeline
