// What of a run's verdict its timeline can show. Made once for each run; LayoutOptions say what of it is shown.
#pragma once

#include <vector>

#include "app/timeline/path_line.h"
#include "app/timeline/queue_depth.h"
#include "app/timeline/rulers.h"
#include "app/timeline/search_highlight.h"
#include "engine/verdict/judgement.h"

namespace streamscope::timeline {

struct VerdictMarks {
  PathLine path;
  SearchHighlight on_path;  // the bars of the operations that the path goes through
  std::vector<Ruler> rulers;
  std::vector<QueueDepth> queues;
};
// `tracks` and the judgement are the trace's. O(n).
VerdictMarks verdict_marks(const trace::Trace& trace, const Tracks& tracks, const verdict::Judgement& judgement);

}  // namespace streamscope::timeline
