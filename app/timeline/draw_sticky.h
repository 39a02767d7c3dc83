// What a kernel that failed has left, as a region of the timeline: from its failure on, and from the first call on that
// returned its error, which every later one does, too.
#pragma once

#include <string>

#include "app/timeline/layout_context.h"
#include "engine/trace/sticky_error.h"

namespace streamscope::timeline {

// Under the bars.
void draw_sticky_region(Scene& scene, const LayoutContext& context);
// At its upper edge, where there is room.
void draw_sticky_words(Scene& scene, const LayoutContext& context);

// "cudaErrorIllegalAddress sticks"
std::string sticky_text(const trace::StickyError& error);

}  // namespace streamscope::timeline
