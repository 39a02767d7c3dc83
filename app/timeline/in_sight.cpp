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
  const int row = metrics(options).row;
  int top = 0, bottom = 0;  // of the lane to go to
  bool found = false;
  for (const LanePosition& at : lanes_of(trace, tracks, operation)) {
    const auto strip = std::find_if(all.begin(), all.end(), [&](const auto& one) { return one.track == at.track; });
    if (strip == all.end()) continue;  // folded away
    const int y0 = strip->y0 + static_cast<int>(at.lane) * row, y1 = y0 + row;
    // Whoever pressed on what is left of it at the edge must not have it move away under the mouse.
    if (strip->pinned || (y1 - scroll > area.top && y0 - scroll < area.bottom)) return scroll;
    if (found && strip->kind != TrackKind::stream) continue;
    found = true;
    top = y0 - area.top, bottom = y1 - area.bottom;
  }
  return found ? std::clamp(scroll, std::min(top, bottom), top) : scroll;
}

std::optional<View> view_to_operation(const trace::Span& span, const View& view, int width) {
  const std::pair<Nanoseconds, Nanoseconds> parts[] = {{span.start, span.end}, {span.host_begin, span.host_end}};
  const auto there = [](const auto& part) { return known(part.first) && known(part.second); };
  for (const auto& part : parts)
    if (there(part) && column(view, part.first) < width && column(view, part.second) >= 0) return std::nullopt;
  const auto part = std::ranges::find_if(parts, there);
  if (part == std::end(parts)) return std::nullopt;
  // Of a long one the begin.
  const std::int64_t length = std::min<std::int64_t>(column(view, part->second) - column(view, part->first), width / 2);
  return panned(view, static_cast<double>(column(view, part->first) + length / 2 - width / 2));
}

}  // namespace streamscope::timeline
