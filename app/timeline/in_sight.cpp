#include "app/timeline/in_sight.h"

#include <algorithm>

#include "app/timeline/rows.h"

namespace streamscope::timeline {

int scroll_to_inside(const Tracks& tracks, LayoutOptions options, int scroll) {
  options.scroll = 0;
  const std::vector<Strip> all = strips(tracks, options);
  const TrackArea area = scrolled_area(all, options);
  int first = -1, last = 0;
  for (const Strip& strip : all) {
    if (strip.kind != TrackKind::inside || strip.pinned) continue;
    if (first < 0) first = strip.y0 - area.top;
    if (strip.track == Strip::kNone || tracks.tracks[strip.track].inside != InsideRow::closed) last = strip.y1;
  }
  if (first < 0) return scroll;
  return std::min(first, std::max(scroll, last - area.bottom));
}

int scroll_to_operation(const trace::Trace& trace, const Tracks& tracks, LayoutOptions options,
                        OperationIndex operation, int scroll) {
  options.scroll = 0;
  const std::vector<Strip> all = strips(tracks, options);
  const TrackArea area = scrolled_area(all, options);
  const Strip* nearest = nullptr;
  for (const LanePosition& at : lanes_of(trace, tracks, operation)) {
    const auto strip = std::find_if(all.begin(), all.end(), [&](const auto& one) { return one.track == at.track; });
    if (strip == all.end()) continue;  // folded away
    if (strip->pinned || (strip->y0 - scroll >= area.top && strip->y1 - scroll <= area.bottom)) return scroll;
    if (nearest == nullptr || strip->kind == TrackKind::stream) nearest = &*strip;
  }
  if (nearest == nullptr) return scroll;
  return std::clamp(scroll, std::min(nearest->y0 - area.top, nearest->y1 - area.bottom), nearest->y0 - area.top);
}

}  // namespace streamscope::timeline
