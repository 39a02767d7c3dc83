#include "app/timeline/whiskers.h"

#include <algorithm>

#include "app/timeline/draw_rectangle.h"

namespace streamscope::timeline {
namespace {

// Columns [x0, x1) of the plot, rows [y0, y1), cut to what is in sight.
void put(Picture& picture, const Scene& scene, std::int64_t x0, int y0, std::int64_t x1, int y1, Colour colour) {
  const auto inside = [&](std::int64_t x) {
    return scene.frame.plot_x + static_cast<int>(std::clamp<std::int64_t>(x, 0, scene.frame.plot_width));
  };
  add_clipped(picture, {inside(x0), y0, inside(x1), y1, colour, Fill::solid}, scene.area.top, scene.area.bottom);
}

// A line with a cap at both ends, on a thin ground of its own, so that it reads on any bar.
void put_whisker(Picture& picture, const Scene& scene, const Pixels& at, int y) {
  const int thick = std::max(1, scene.metrics.row / 26), cap = std::max(2, scene.metrics.row / 10);
  Colour ground = scene.theme.background;
  ground.a = 120;
  const Colour ink = scene.theme.strong_text;
  put(picture, scene, at.x0 - thick, y - thick, at.x1 + thick, y + 2 * thick, ground);
  put(picture, scene, at.x0, y, at.x1, y + thick, ink);
  put(picture, scene, at.x0, y - cap, at.x0 + thick, y + thick + cap, ink);
  put(picture, scene, at.x1 - thick, y - cap, at.x1, y + thick + cap, ink);
}

}  // namespace

std::optional<Pixels> whisker(const View& view, Nanoseconds at, std::uint32_t uncertainty, std::int64_t bar_in_sight,
                              bool asked) {
  if (!known(at) || uncertainty == 0) return std::nullopt;
  const std::int64_t half = std::int64_t{uncertainty} * kFine / view.scale;
  if (half < kShortestWhisker || (!asked && half > bar_in_sight / kShareOfBar)) return std::nullopt;
  return Pixels{column(view, at - uncertainty), column(view, at + uncertainty) + 1};
}

void draw_whiskers(Picture& picture, const Scene& scene, const std::vector<BarAt>& bars) {
  const int cap = std::max(2, scene.metrics.row / 10);
  for (const BarAt& bar : bars) {
    const trace::Span& span = bar.span;
    if (bar.y1 - bar.y0 < 4 * cap) continue;
    const bool asked = span.operation == scene.options.selected || span.operation == scene.options.hovered;
    if (span.samples > 1) {
      if (const auto spread = whisker(scene.view, span.end, span.spread, bar.in_sight, asked)) {
        Colour band = scene.theme.strong_text;
        band.a = 60;
        put(picture, scene, spread->x0, bar.y1 - 3 * cap, spread->x1, bar.y1, band);
      }
    }
    if (const auto start = whisker(scene.view, span.start, span.start_uncertainty, bar.in_sight, asked))
      put_whisker(picture, scene, *start, bar.y0 + cap);
    if (const auto end = whisker(scene.view, span.end, span.uncertainty, bar.in_sight, asked))
      put_whisker(picture, scene, *end, bar.y1 - 1 - cap);
  }
}

}  // namespace streamscope::timeline
