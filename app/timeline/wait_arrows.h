// The arrows of all waits in sight: from what an operation waited for to that operation.
#pragma once

#include "app/timeline/layout_context.h"

namespace streamscope::timeline {

// Of the operations that have a bar of their own on a stream; more than kMostArrows are only counted.
inline constexpr std::size_t kMostArrows = 1'000;
void draw_wait_arrows(Scene& scene, const LayoutContext& context);

}  // namespace streamscope::timeline
