// How far the tracks are to be scrolled, in pixels, so that something is in sight: no further than needed from where
// they are, and not at all where it cannot be.
#pragma once

#include "app/timeline/layout_options.h"
#include "app/timeline/tracks.h"

namespace streamscope::timeline {

// The heading of the opened kernel and what is open of it.
int scroll_to_inside(const Tracks& tracks, LayoutOptions options, int scroll);
// A bar of the operation: that of its stream, where it has one and none is in sight.
int scroll_to_operation(const trace::Trace& trace, const Tracks& tracks, LayoutOptions options,
                        OperationIndex operation, int scroll);

// The view moved at its scale so that something of the operation is in its middle; nothing where some of it is in
// sight, or no time of it is known.
std::optional<View> view_to_operation(const trace::Span& span, const View& view, int width);

}  // namespace streamscope::timeline
