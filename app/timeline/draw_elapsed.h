// The times that a program read between two events (cudaEventElapsedTime), as brackets.
#pragma once

#include "app/timeline/layout_context.h"

namespace streamscope::timeline {

// "0.103 ms", as CUDA tells it; of a call that gave none the error's name.
std::string answer_text(const trace::Span& span);
// From the first flag to the second, at the foot of the second one's row, with the time where it fits: in
// the middle, else at an end, where it covers no bar's own text.
void draw_elapsed(Scene& scene, const LayoutContext& context);

}  // namespace streamscope::timeline
