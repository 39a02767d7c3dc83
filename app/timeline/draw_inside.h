// Draws the inside of an opened kernel (kernel_inside.h): its bars, and its ring in the heading.
#pragma once

#include "app/timeline/layout_context.h"
#include "app/timeline/shared_ring.h"

namespace streamscope::timeline {

// With a line at the moment that the ring is of.
void draw_inside(Scene& scene, const LayoutContext& context);

// A row of boxes, one for each slot, at the right end of the rectangle; returns the first column that it takes. What
// lies outside of the rows is cut.
int draw_ring(Scene& scene, const Ring& ring, const Theme& theme, const Rectangle& within, float text_size,
              const TrackArea& rows);

}  // namespace streamscope::timeline
