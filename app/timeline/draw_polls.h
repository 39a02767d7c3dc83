// The answers of polls, as marks in the host's row, and the other work between them.
#pragma once

#include "app/timeline/layout_context.h"
#include "app/timeline/scene.h"

namespace streamscope::timeline {

void draw_polls(Scene& scene, const LayoutContext& context);

}  // namespace streamscope::timeline
