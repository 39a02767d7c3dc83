// What stands left of the plot: the names of groups and tracks, what can be opened, folded or pinned.
#pragma once

#include "app/timeline/layout_context.h"

namespace streamscope::timeline {

void draw_headers(Scene& scene, const LayoutContext& context);

}  // namespace streamscope::timeline
