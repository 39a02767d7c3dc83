// Arrows between bars: from what an operation waited for to that operation.
#pragma once

#include "app/timeline/flows.h"
#include "app/timeline/layout_context.h"

namespace streamscope::timeline {

// Of the bars an operation has on several tracks, the one that an arrow of that kind begins or ends at.
const Bar* bar_for(const std::vector<Bar>& bars, FlowKind kind);

struct Point {
  float x, y;
};
// Cut to the plot.
void draw_arrow(Scene& scene, const LayoutContext& context, Point from, Point to, Colour ink, float width, bool dashed);

// From one operation's bars to the other's; nothing where either has none.
void draw_flow(Scene& scene, const LayoutContext& context, const std::vector<Bar>& from, const std::vector<Bar>& to,
               FlowKind kind, Colour ink, float width, bool dashed);

// From what led to the selected operation, and to what it led: solid where it had to come before, dashed where it had
// the engine.
void draw_flow_arrows(Scene& scene, const LayoutContext& context);

}  // namespace streamscope::timeline
