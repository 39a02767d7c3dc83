// The time under a pixel, or the edge of an operation close to it.
#pragma once

#include "app/timeline/layout_options.h"

namespace streamscope::window {

// x and y are pixels of the picture; edges of the operations in that row at most `reach` pixels away attract.
Nanoseconds snap(const trace::Trace& trace, const timeline::Tracks& tracks, const timeline::View& view,
                 const timeline::LayoutOptions& options, int plot_x, int x, int y, int reach);

}  // namespace streamscope::window
