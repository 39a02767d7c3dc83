// Draws how deep each stream's launch queue was.
#pragma once

#include "app/timeline/layout_context.h"

namespace streamscope::timeline {

// A thin step line along the foot of the first row of each stream: lowest where the queue is empty, highest where it is
// as deep as any of the run was.
void draw_queues(Scene& scene, const LayoutContext& context);
// Pixels at the foot of a bar in that lane of a track that the line has for itself; the words stand above. 0: no line.
int queue_foot(const LayoutContext& context, const Track& track, std::size_t lane, const LaneRow& row);

}  // namespace streamscope::timeline
