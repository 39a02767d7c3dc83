// The bars of the lanes, with their labels and whiskers, and the outline of the selected one.
#pragma once

#include "app/timeline/layout_context.h"

namespace streamscope::timeline {

void draw_bars(Scene& scene, const LayoutContext& context);
// The second run's bars under those of the first, as a prediction's ghosts are.
void draw_overlaid(Scene& scene, const LayoutContext& first, const LayoutContext& second);
// What ended by that time, paler: with its names written anew, so that they are read as well as before.
void draw_finished(Scene& scene, const LayoutContext& context, Nanoseconds until);
void draw_selection(Scene& scene, const LayoutContext& context);

}  // namespace streamscope::timeline
