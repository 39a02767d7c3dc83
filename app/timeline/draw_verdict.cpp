#include "app/timeline/draw_verdict.h"

#include <algorithm>
#include <cmath>
#include <optional>

#include "app/timeline/draw_rectangle.h"
#include "app/timeline/text_width.h"

namespace streamscope::timeline {
namespace {

// Where a name stands: rows and columns of the picture.
struct Plate {
  int x0, x1, y0, y1;
  bool meets(const Plate& other) const { return x0 < other.x1 && other.x0 < x1 && y0 < other.y1 && other.y0 < y1; }
};

// Rows of the picture in which names may stand, the best first.
struct PlateRow {
  int y0, y1;
};
std::vector<PlateRow> rows_for_names(const LayoutContext& context, int height) {
  std::vector<PlateRow> out;
  const TrackArea scrolled = scrolled_area(context.strips, context.options);
  for (const Strip& strip : context.strips) {
    if (strip.track != Strip::kNone || strip.hidden > 0) continue;
    const int middle = (strip.y0 + strip.y1) / 2, y0 = middle - height / 2;
    if (y0 < (strip.pinned ? context.area.top : scrolled.top) || y0 + height > context.area.bottom) continue;
    out.push_back({y0, y0 + height});
  }
  for (int y1 = context.area.bottom - 2; y1 - height >= context.area.top; y1 -= height + 2)
    out.push_back({y1 - height, y1});
  return out;
}

Colour ink_of(const Ruler& ruler, const Theme& theme) {
  return ruler.has_colour ? mixed(ruler.colour, theme.strong_text, 0.25F) : theme.strong_text;
}

void draw_line(Scene& scene, const LayoutContext& context, const Ruler& ruler, int x) {
  const int thick = std::max(1, static_cast<int>(std::lround(context.options.scale * (ruler.binds ? 2 : 1))));
  const int dash = std::max(4, 6 * thick);
  const auto [top, bottom] = context.area;
  const int left = x - thick / 2;
  // On a ground of its own it can be seen on bars of any colour; dashed, it is no edge of one.
  fill_in_plot(scene, context, left - 1, top, left + thick + 1, bottom, faded(context.theme.background, 190));
  for (int y = top; y < bottom; y += dash * 3 / 2)
    fill_in_plot(scene, context, left, y, left + thick, std::min(y + dash, bottom), ink_of(ruler, context.theme));
}

// In the rows of this picture.
std::vector<PathStroke> strokes_of(const LayoutContext& context, const PathLine& line) {
  const TrackArea scrolled = scrolled_area(context.strips, context.options);
  const auto in = [&](const PathLane& lane) -> std::optional<int> {
    for (const Strip& strip : context.strips) {
      const bool folded = strip.track == Strip::kNone && strip.kind == lane.track.kind && strip.hidden > 0;
      const bool shown = strip.track != Strip::kNone && key(context.tracks.tracks[strip.track]) == lane.track;
      if (!folded && !shown) continue;
      if (shown && lane.lane > 0 && lane.lane >= context.tracks.tracks[strip.track].executing.size()) break;
      const int y = folded ? (strip.y0 + strip.y1) / 2 : bar_row(context, strip, lane.lane).y1;
      // What is scrolled under the pinned tracks is not drawn over them: the line runs into their edge.
      return strip.pinned || scrolled.top == context.area.top ? y : std::max(y, scrolled.top);
    }
    return std::nullopt;
  };
  const auto height_of = [&](const PathRow& row) {
    const std::optional<int> first = in(row.first);
    return first || !row.second ? first : in(*row.second);
  };
  return path_strokes(line, context.view, context.frame.plot_width, height_of);
}

void draw_path(Scene& scene, const LayoutContext& context, const std::vector<PathStroke>& strokes) {
  const int thick = path_width(context.options), plot_x = context.frame.plot_x;
  const int edge = std::max(1, thick / 4);
  const Colour ground = context.theme.background, ink = context.theme.strong_text;
  // All of the ground first, so that no part of the line is cut by the next one's.
  for (const bool core : {false, true}) {
    const int out = core ? 0 : edge, half = thick / 2;
    for (const PathStroke& stroke : strokes) {
      const int top = std::min(stroke.y0, stroke.y1) - half, bottom = std::max(stroke.y0, stroke.y1) - half + thick;
      // From row to row it is thin: there it crosses bars that may be no wider than itself.
      const bool across = stroke.x0 == stroke.x1;
      const int wide = across ? std::max(1, thick / 2) : thick, left = across ? wide / 2 : half;
      fill_in_plot(scene, context, plot_x + stroke.x0 - left - out, top - out, plot_x + stroke.x1 - left + wide + out,
                   bottom + out, core ? ink : ground);
    }
  }
}

void draw_rulers(Scene& scene, const LayoutContext& context, const std::vector<Ruler>& all,
                 const std::vector<PathStroke>& path) {
  const Metrics& m = context.metrics;
  const int plot_x = context.frame.plot_x, right = plot_x + context.frame.plot_width;
  const float size = m.small_text;
  const int height = static_cast<int>(std::ceil(size * 1.4F)), gap = std::max(2, m.pad / 3);
  const std::vector<PlateRow> rows = rows_for_names(context, height);
  const auto x_of = [&](Nanoseconds time) { return plot_x + column(context.view, time); };

  std::vector<const Ruler*> shown;
  for (const Ruler& ruler : all) {
    const std::int64_t x = x_of(ruler.at);
    if (x < plot_x || x >= right) continue;
    shown.push_back(&ruler);
  }
  for (const Ruler* ruler : shown) draw_line(scene, context, *ruler, static_cast<int>(x_of(ruler->at)));

  // Not where the path crosses a heading, which would cut it.
  std::vector<Plate> taken;
  const int around = path_width(context.options);
  for (const PathStroke& stroke : path) {
    if (stroke.x0 != stroke.x1) continue;
    const int path_x = plot_x + static_cast<int>(stroke.x0);
    taken.push_back({path_x - around, path_x + around, std::min(stroke.y0, stroke.y1), std::max(stroke.y0, stroke.y1)});
  }
  // Those of the greatest bounds find their places first.
  std::ranges::reverse(shown);
  std::ranges::stable_partition(shown, [](const Ruler* ruler) { return ruler->binds; });
  for (const Ruler* ruler : shown) {
    const Font font = ruler->binds ? Font::bold : Font::regular;
    const int width = static_cast<int>(std::ceil(text_width(ruler->name, font, size))) + 2 * gap;
    const int x = static_cast<int>(x_of(ruler->at));
    const auto free = [&](const Plate& plate) {
      return plate.x0 >= plot_x && plate.x1 <= right &&
             std::ranges::none_of(taken, [&](const Plate& other) { return plate.meets(other); });
    };
    for (const PlateRow& row : rows) {
      const Plate behind{x + gap, x + gap + width, row.y0, row.y1}, before{x - gap - width, x - gap, row.y0, row.y1};
      const Plate* const place = free(behind) ? &behind : free(before) ? &before : nullptr;
      if (place == nullptr) continue;
      taken.push_back(*place);
      fill(scene, place->x0, place->y0, place->x1, place->y1, context.theme.background);
      scene.texts.push_back({static_cast<float>(place->x0 + gap), static_cast<float>(row.y0 + row.y1) / 2, size,
                             Anchor::left, font, context.theme.strong_text, ruler->name, plot_x, right});
      break;
    }
  }
}

}  // namespace

int path_width(const LayoutOptions& options) {
  const int tallest = static_cast<int>(std::lround(3 * std::clamp(options.scale, 0.25F, 8.0F)));
  return std::clamp(metrics(options).row / 12, 2, std::max(tallest, 2));
}

void draw_ruler_doubts(Scene& scene, const LayoutContext& context) {
  if (context.options.verdict == nullptr || !context.options.rulers) return;
  for (const Ruler& ruler : context.options.verdict->rulers) {
    const auto x_of = [&](Nanoseconds time) { return context.frame.plot_x + column(context.view, time); };
    fill_in_plot(scene, context, x_of(ruler.at - ruler.uncertainty), context.area.top,
                 x_of(ruler.at + ruler.uncertainty), context.area.bottom, faded(ink_of(ruler, context.theme), 18));
  }
}

void draw_verdict(Scene& scene, const LayoutContext& context) {
  const LayoutOptions& options = context.options;
  if (options.verdict == nullptr) return;
  std::vector<PathStroke> path;
  if (options.path) path = strokes_of(context, options.verdict->path);
  if (options.rulers) draw_rulers(scene, context, options.verdict->rulers, path);
  draw_path(scene, context, path);
}

}  // namespace streamscope::timeline
