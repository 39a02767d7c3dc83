#include "app/panels/snap.h"

#include <cstdlib>

#include "app/timeline/rows.h"

namespace streamscope {
Nanoseconds snap(const Trace& trace, const Tracks& tracks, const View& view, const LayoutOptions& options, int plot_x,
                 int x, int y, int reach) {
  const Nanoseconds here = time_at(view, x - plot_x);
  Nanoseconds best = here;
  std::int64_t nearest = reach + 1;
  OperationIndex before = kNoOperation;
  for (int at = x - reach; at <= x + reach; ++at) {
    const auto under = hit(trace, tracks, view, options, at, y);
    if (!under || under->operation == before) continue;
    before = under->operation;
    const Span* span = find_span(trace, under->operation);
    if (span == nullptr) continue;
    for (const Nanoseconds edge : {span->ready, span->start, span->end, span->host_begin, span->host_end}) {
      if (!known(edge)) continue;
      const std::int64_t distance = std::llabs(pixels(view, edge, edge).x0 - (x - plot_x));
      if (distance < nearest) {
        nearest = distance;
        best = edge;
      }
    }
  }
  return best;
}

}  // namespace streamscope
