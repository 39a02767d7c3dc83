#include "app/window/panels/snap.h"

#include <algorithm>
#include <cstdlib>
#include <tuple>

#include "app/timeline/hit.h"

namespace streamscope::window {
Nanoseconds snap(const trace::Trace& trace, const timeline::Tracks& tracks, const timeline::View& view,
                 const timeline::LayoutOptions& options, int plot_x, int x, int y, int reach) {
  const Nanoseconds here = timeline::time_at(view, x - plot_x);
  Nanoseconds best = here;
  std::int64_t nearest = reach + 1;
  const timeline::ComparedRun& compared = options.compared;
  std::tuple before(kNoOperation, timeline::kNoPiece, false);
  for (int at = x - reach; at <= x + reach; ++at) {
    const auto under = timeline::hit(trace, tracks, view, options, at, y);
    if (!under || std::tuple(under->operation, under->piece, under->compared) == before) continue;
    before = {under->operation, under->piece, under->compared};
    const auto offer = [&](Nanoseconds edge) {
      if (!known(edge)) return;
      const std::int64_t distance = std::llabs(timeline::pixels(view, edge, edge).x0 - (x - plot_x));
      if (distance >= nearest) return;
      nearest = distance;
      best = edge;
    };
    if (under->piece != timeline::kNoPiece) {
      const timeline::StagePiece& piece = tracks.inside.pieces[under->piece];
      offer(piece.start);
      offer(piece.end);
    } else if (const auto span = trace::find_span(under->compared ? *compared.trace : trace, under->operation)) {
      for (const Nanoseconds edge : {span->ready, span->start, span->end, span->host_begin, span->host_end}) {
        if (!known(edge)) continue;
        offer(under->compared ? std::clamp(edge, -timeline::kFurthest, timeline::kFurthest) + compared.offset : edge);
      }
    }
  }
  return best;
}

}  // namespace streamscope::window
