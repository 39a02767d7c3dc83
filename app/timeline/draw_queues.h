// Draws how deep each stream's launch queue was.
#pragma once

#include "app/timeline/layout_context.h"

namespace streamscope::timeline {

// A thin step line over the first row of each stream, from its foot, where the queue is empty, to its head, where it is
// as deep as any of the run was.
void draw_queues(Scene& scene, const LayoutContext& context);

}  // namespace streamscope::timeline
