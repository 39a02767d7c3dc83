// The playhead of slow motion over the tracks: a line, its time on a plate in the axis, and what goes on at that time.
#pragma once

#include "app/timeline/instant.h"
#include "app/timeline/layout_context.h"

namespace streamscope::timeline {

// The line and its plate, where LayoutOptions::playhead is known and in sight.
void draw_playhead(Scene& scene, const LayoutContext& context);

// The same as a picture of its own, without a ground, to be drawn over that of layout() without a playhead: so that it
// can move sixty times a second while nothing else is laid out again. What was over at the instant is dimmed, what was
// running is framed, and arrows lead from what is waited for to what waits.
Scene playhead_scene(const trace::Trace& trace, const Tracks& tracks, const View& view, const Theme& theme,
                     const LayoutOptions& options, const Instant* instant);

}  // namespace streamscope::timeline
