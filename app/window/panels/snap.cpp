#include "app/window/panels/snap.h"

#include <algorithm>
#include <cstdlib>
#include <tuple>

#include "app/timeline/rows.h"

namespace streamscope {
Nanoseconds snap(const Trace& trace, const Tracks& tracks, const View& view, const LayoutOptions& options, int plot_x,
                 int x, int y, int reach) {
  const Nanoseconds here = time_at(view, x - plot_x);
  Nanoseconds best = here;
  std::int64_t nearest = reach + 1;
  const Beside& beside = options.beside;
  std::tuple before(kNoOperation, kNoPiece, false);
  for (int at = x - reach; at <= x + reach; ++at) {
    const auto under = hit(trace, tracks, view, options, at, y);
    if (!under || std::tuple(under->operation, under->piece, under->beside) == before) continue;
    before = {under->operation, under->piece, under->beside};
    const auto offer = [&](Nanoseconds edge) {
      if (!known(edge)) return;
      const std::int64_t distance = std::llabs(pixels(view, edge, edge).x0 - (x - plot_x));
      if (distance >= nearest) return;
      nearest = distance;
      best = edge;
    };
    if (under->piece != kNoPiece) {
      const StagePiece& piece = tracks.inside.pieces[under->piece];
      offer(piece.start);
      offer(piece.end);
    } else if (const auto span = find_span(under->beside ? *beside.trace : trace, under->operation)) {
      for (const Nanoseconds edge : {span->ready, span->start, span->end, span->host_begin, span->host_end}) {
        if (!known(edge)) continue;
        offer(under->beside ? std::clamp(edge, -kFurthest, kFurthest) + beside.offset : edge);
      }
    }
  }
  return best;
}

}  // namespace streamscope
