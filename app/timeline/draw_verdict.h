// Draws the verdict on a run into its timeline: the critical path and the rulers.
#pragma once

#include "app/timeline/layout_context.h"

namespace streamscope::timeline {

// What the options ask for, over the bars and under the texts. The path runs along the lower edge of the bars, so that
// it lies on none of their labels. Names of rulers stand in the headings of groups, where nothing else is drawn, each
// beside its line and none on another; what finds no room there stands at the lower edge of the tracks.
void draw_verdict(Scene& scene, const LayoutContext& context);

// How far each bound may be off, as a faint band; under the bars, which it would tint.
void draw_ruler_doubts(Scene& scene, const LayoutContext& context);

int path_width(const LayoutOptions& options);  // pixels

}  // namespace streamscope::timeline
