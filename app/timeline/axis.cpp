#include "app/timeline/axis.h"

#include <algorithm>
#include <cmath>
#include <optional>
#include <string>

#include "app/timeline/draw_rectangle.h"
#include "app/timeline/text_width.h"
#include "engine/base/quantity.h"

namespace streamscope::timeline {
namespace {

// How long an interval is stands on a plate in the axis, so that it hides no bar.
struct Plate {
  float x0 = 0, x1 = 0;
  std::string text;
  Colour colour;
};

// In the middle of what is in sight of the interval; nothing where that is nothing, or where the plate has no room.
std::optional<Plate> plate_of(const Scene& scene, const trace::Interval& interval, std::string words, Colour colour) {
  const auto left = static_cast<float>(scene.frame.plot_x), width = static_cast<float>(scene.frame.plot_width);
  const auto c0 = static_cast<float>(column(scene.view, interval.start)),
             c1 = static_cast<float>(column(scene.view, interval.end));
  const Metrics& m = scene.metrics;
  const float half = text_width(words, Font::bold, m.small_text) / 2 + static_cast<float>(m.pad) / 2;
  if (c1 < 0 || c0 >= width || 2 * half > width) return std::nullopt;
  const float middle = (std::max(c0, 0.0F) + std::min(c1, width)) / 2;
  const float at = left + std::clamp(middle, half, width - half);
  return Plate{std::floor(at - half), std::ceil(at + half), std::move(words), colour};
}

Colour mark_colour(const Scene& scene) { return mixed(scene.theme.panel, scene.theme.text, 0.75F); }

// Where two would lie on each other the first stays.
std::vector<Plate> plates_of(const Scene& scene) {
  const LayoutOptions& options = scene.options;
  std::vector<Plate> out;
  const auto offer = [&](const trace::Interval& interval, std::string words, Colour colour) {
    auto plate = plate_of(scene, interval, std::move(words), colour);
    if (!plate) return;
    const auto hides = [&](const Plate& other) { return plate->x0 < other.x1 && other.x0 < plate->x1; };
    if (std::none_of(out.begin(), out.end(), hides)) out.push_back(std::move(*plate));
  };
  if (known(options.measure_begin) && known(options.measure_end)) {
    const auto [begin, end] = std::minmax(options.measure_begin, options.measure_end);
    offer({begin, end}, display_duration(end - begin), scene.theme.selection);
  }
  if (options.range) {
    const trace::Interval& range = *options.range;
    offer(range, "range " + display_duration(range.end - range.start), mark_colour(scene));
  }
  for (const trace::Interval& mark : options.marks)
    offer(mark, display_duration(mark.end - mark.start), mark_colour(scene));
  return out;
}

void draw_plate(Picture& picture, const Scene& scene, const Plate& plate) {
  const Metrics& m = scene.metrics;
  const int x0 = static_cast<int>(plate.x0), x1 = static_cast<int>(plate.x1);
  fill(picture, x0, m.title + 2, x1, scene.area.top - 2, plate.colour);
  picture.texts.push_back({(plate.x0 + plate.x1) / 2, static_cast<float>(m.title + scene.area.top) / 2, m.small_text,
                           Anchor::centre, Font::bold, text_on(plate.colour), plate.text, x0, x1});
}

// An interval's columns of the picture, cut to the plot.
struct Columns {
  int x0, x1;
  bool begins, ends;  // that edge is in sight
};
Columns columns_of(const Scene& scene, const trace::Interval& interval) {
  const int left = scene.frame.plot_x, right = left + scene.frame.plot_width;
  const auto inside = [&](std::int64_t x) { return static_cast<int>(std::clamp<std::int64_t>(left + x, left, right)); };
  const std::int64_t c0 = column(scene.view, interval.start), c1 = column(scene.view, interval.end);
  const auto in_sight = [&](std::int64_t c) { return c >= 0 && c < scene.frame.plot_width; };
  return {inside(c0), inside(c1), in_sight(c0), in_sight(c1)};
}

void draw_edges(Picture& picture, const Scene& scene, const Columns& at, Colour ink) {
  if (at.begins) fill(picture, at.x0, scene.area.top, at.x0 + 1, scene.area.bottom, ink);
  if (at.ends) fill(picture, at.x1, scene.area.top, at.x1 + 1, scene.area.bottom, ink);
}

}  // namespace

void draw_axis(Picture& picture, const Scene& scene, const std::vector<Tick>& marks) {
  const std::vector<Plate> plates = plates_of(scene);
  const Metrics& m = scene.metrics;
  const int top = m.title, bottom = scene.area.top, plot_x = scene.frame.plot_x;
  fill(picture, 0, top, scene.options.width, bottom, scene.theme.panel);
  fill(picture, 0, bottom - 1, scene.options.width, bottom, scene.theme.grid);
  fill(picture, plot_x - 1, bottom, plot_x, scene.area.bottom, scene.theme.grid);
  const float middle = static_cast<float>(top + bottom) / 2 - static_cast<float>(m.axis) * 0.06F;
  picture.texts.push_back({static_cast<float>(m.pad), middle, m.small_text, Anchor::left, Font::regular,
                           scene.theme.faint_text,
                           fitted("time", Font::regular, m.small_text, static_cast<float>(plot_x - m.pad)), 0, plot_x});
  const int right = scene.options.width;
  for (const Tick& tick : marks) {
    const int x = plot_x + static_cast<int>(tick.x);
    fill(picture, x, bottom - 1 - m.axis / 5, x + 1, bottom - 1, scene.theme.faint_text);
    // A label at the edge is moved in, never cut.
    const float half = text_width(tick.label, Font::regular, m.small_text) / 2;
    const float least = static_cast<float>(plot_x) + half + 2, most = static_cast<float>(right) - half - 2;
    if (least > most) continue;
    const float at = std::clamp(static_cast<float>(x), least, most);
    const auto hidden = [&](const Plate& plate) { return at + half > plate.x0 && at - half < plate.x1; };
    if (std::any_of(plates.begin(), plates.end(), hidden)) continue;
    picture.texts.push_back(
        {at, middle, m.small_text, Anchor::centre, Font::regular, scene.theme.text, tick.label, plot_x, right});
  }
  for (const Plate& plate : plates) draw_plate(picture, scene, plate);
}

// What is kept is a quiet pair of lines, joined in the axis; what does not count is dimmed.
void draw_marks(Picture& picture, const Scene& scene) {
  const int foot = std::max(2, scene.metrics.axis / 9);
  const Colour ink = mark_colour(scene);
  const auto [top, bottom] = scene.area;
  for (const trace::Interval& mark : scene.options.marks) {
    const Columns at = columns_of(scene, mark);
    Colour edge = ink;
    edge.a = 110;
    draw_edges(picture, scene, at, edge);
    fill(picture, at.x0, top - foot, std::max(at.x1, at.x0 + 1), top, ink);
  }
  if (!scene.options.range) return;
  const Columns at = columns_of(scene, *scene.options.range);
  Colour dim = scene.theme.background;
  dim.a = 165;
  fill(picture, scene.frame.plot_x, top, at.x0, bottom, dim);
  fill(picture, at.x1, top, scene.frame.plot_x + scene.frame.plot_width, bottom, dim);
  draw_edges(picture, scene, at, ink);
  fill(picture, at.x0, top - foot, std::max(at.x1, at.x0 + 1), top, ink);
}

void draw_measure(Picture& picture, const Scene& scene) {
  const LayoutOptions& options = scene.options;
  if (!known(options.measure_begin) || !known(options.measure_end)) return;
  const auto [begin, end] = std::minmax(options.measure_begin, options.measure_end);
  const Columns at = columns_of(scene, {begin, end});
  Colour shade = scene.theme.selection;
  shade.a = 40;
  fill(picture, at.x0, scene.area.top, at.x1, scene.area.bottom, shade);
  draw_edges(picture, scene, at, scene.theme.selection);
}

}  // namespace streamscope::timeline
