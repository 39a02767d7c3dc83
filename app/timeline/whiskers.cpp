#include "app/timeline/whiskers.h"

#include <algorithm>

#include "app/timeline/draw_rectangle.h"

namespace streamscope::timeline {
namespace {

// Columns of the plot.
void put(Scene& scene, const LayoutContext& context, std::int64_t x0, int y0, std::int64_t x1, int y1, Colour colour) {
  fill_in_plot(scene, context, context.frame.plot_x + x0, y0, context.frame.plot_x + x1, y1, colour);
}

// A line with a cap at both ends, on a thin ground of its own, so that it reads on any bar.
void put_whisker(Scene& scene, const LayoutContext& context, const Pixels& at, int y) {
  const int thick = std::max(1, context.metrics.row / 26), cap = std::max(2, context.metrics.row / 10);
  const Colour ground = faded(context.theme.background, 120), ink = context.theme.strong_text;
  put(scene, context, at.x0 - thick, y - thick, at.x1 + thick, y + 2 * thick, ground);
  put(scene, context, at.x0, y, at.x1, y + thick, ink);
  put(scene, context, at.x0, y - cap, at.x0 + thick, y + thick + cap, ink);
  put(scene, context, at.x1 - thick, y - cap, at.x1, y + thick + cap, ink);
}

}  // namespace

std::optional<Pixels> whisker(const View& view, Nanoseconds at, std::uint32_t uncertainty, std::int64_t bar_in_sight,
                              bool asked) {
  if (!known(at) || uncertainty == 0) return std::nullopt;
  const std::int64_t half = std::int64_t{uncertainty} * kFine / view.scale;
  if (half < kShortestWhisker || (!asked && half > bar_in_sight / kShareOfBar)) return std::nullopt;
  return Pixels{column(view, at - uncertainty), column(view, at + uncertainty) + 1};
}

void draw_whiskers(Scene& scene, const LayoutContext& context, const std::vector<BarAt>& bars) {
  const int cap = std::max(2, context.metrics.row / 10);
  for (const BarAt& bar : bars) {
    const trace::Span& span = bar.span;
    if (bar.y1 - bar.y0 < 4 * cap) continue;
    const bool asked = span.operation == context.options.selected || span.operation == context.options.hovered;
    if (span.samples > 1) {
      if (const auto spread = whisker(context.view, span.end, span.spread, bar.in_sight, asked))
        put(scene, context, spread->x0, bar.y1 - 3 * cap, spread->x1, bar.y1, faded(context.theme.strong_text, 60));
    }
    if (const auto start = whisker(context.view, span.start, span.start_uncertainty, bar.in_sight, asked))
      put_whisker(scene, context, *start, bar.y0 + cap);
    if (const auto end = whisker(context.view, span.end, span.uncertainty, bar.in_sight, asked))
      put_whisker(scene, context, *end, bar.y1 - 1 - cap);
  }
}

}  // namespace streamscope::timeline
