// What layout() draws, part by part.
#pragma once

#include <vector>

#include "app/timeline/layout_context.h"
#include "app/timeline/ticks.h"

namespace streamscope::timeline {

void draw_axis(Scene& scene, const LayoutContext& context, const std::vector<Tick>& ticks);
// What is marked and what is measured: over the tracks.
void draw_marks(Scene& scene, const LayoutContext& context);
void draw_measure(Scene& scene, const LayoutContext& context);

// What stands left of the plot: the names of groups and tracks, what can be opened, folded or pinned.
void draw_headers(Scene& scene, const LayoutContext& context);

// The bars of the lanes, with their labels and whiskers, and the outline of the selected one.
void draw_bars(Scene& scene, const LayoutContext& context);
// The second run's bars under those of the first, as a prediction's ghosts are.
void draw_overlaid(Scene& scene, const LayoutContext& first, const LayoutContext& second);
void draw_selection(Scene& scene, const LayoutContext& context);

}  // namespace streamscope::timeline
