#include "app/timeline/layout_context.h"

#include <optional>

namespace streamscope::timeline {

LayoutContext context_of(const trace::Trace& trace, const Tracks& tracks, const View& view, const Theme& theme,
                         const LayoutOptions& options) {
  return {trace,
          tracks,
          view,
          theme,
          options,
          metrics(options),
          track_area(options),
          frame(tracks, options),
          strips(tracks, options),
          options.compared.there() && !options.compared.overlaid ? options.compared.first_name : std::string()};
}

LayoutContext part_of(const LayoutContext& whole, bool pinned) {
  LayoutContext part = whole;
  const TrackArea scrolled = scrolled_area(whole.strips, whole.options);
  part.area = pinned ? TrackArea{whole.area.top, scrolled.top} : scrolled;
  std::erase_if(part.strips, [&](const Strip& strip) { return strip.pinned != pinned; });
  return part;
}

LaneRow bar_row(const LayoutContext& context, const Strip& strip, std::size_t lane) {
  const int y0 = strip.y0 + static_cast<int>(lane) * context.metrics.row;
  const Metrics& m = context.metrics;
  const int below = m.ghost > 0 ? m.ghost + 1 : 0;
  return {strip.kind, y0 + m.inset, y0 + m.row - m.inset - below};
}

std::vector<Bar> bars_of(const LayoutContext& context, OperationIndex operation) {
  std::vector<Bar> out;
  const std::optional<trace::Span> span = trace::find_span(context.trace, operation);
  if (!span) return out;
  for (const LanePosition& place : lanes_of(context.trace, context.tracks, operation)) {
    for (const Strip& strip : context.strips) {
      if (strip.track != place.track) continue;
      const bool host = strip.kind == TrackKind::host;
      const Pixels columns =
          pixels(context.view, host ? span->host_begin : span->start, host ? span->host_end : span->end);
      const LaneRow row = bar_row(context, strip, place.lane);
      out.push_back({strip.kind, context.frame.plot_x + columns.x0, context.frame.plot_x + columns.x1, row.y0, row.y1});
    }
  }
  return out;
}

}  // namespace streamscope::timeline
