#include "app/timeline/axis.h"

#include <algorithm>
#include <cmath>
#include <optional>
#include <string>

#include "app/timeline/draw_rectangle.h"
#include "app/timeline/text_width.h"
#include "engine/base/quantity.h"
#include "engine/base/translate.h"

namespace streamscope::timeline {
namespace {

// How long an interval is stands in the axis, so that it hides no bar.
struct IntervalLabel {
  float x0 = 0, x1 = 0;
  std::string text;
  Colour colour;
};

// In the middle of what is in sight of the interval; nothing where that is nothing, or where the label has no room.
std::optional<IntervalLabel> label_of(const LayoutContext& context, const trace::Interval& interval, std::string words,
                                      Colour colour) {
  const auto left = static_cast<float>(context.frame.plot_x), width = static_cast<float>(context.frame.plot_width);
  const auto c0 = static_cast<float>(column(context.view, interval.start)),
             c1 = static_cast<float>(column(context.view, interval.end));
  const Metrics& m = context.metrics;
  const float half = text_width(words, Font::bold, m.small_text) / 2 + static_cast<float>(m.pad) / 2;
  if (c1 < 0 || c0 >= width || 2 * half > width) return std::nullopt;
  const float middle = (std::max(c0, 0.0F) + std::min(c1, width)) / 2;
  const float at = left + std::clamp(middle, half, width - half);
  return IntervalLabel{std::floor(at - half), std::ceil(at + half), std::move(words), colour};
}

Colour mark_colour(const LayoutContext& context) { return mixed(context.theme.panel, context.theme.text, 0.75F); }

// Where two would lie on each other the first stays.
std::vector<IntervalLabel> labels_of(const LayoutContext& context) {
  const LayoutOptions& options = context.options;
  std::vector<IntervalLabel> out;
  const auto offer = [&](const trace::Interval& interval, std::string words, Colour colour) {
    auto label = label_of(context, interval, std::move(words), colour);
    if (!label) return;
    const auto hides = [&](const IntervalLabel& other) { return label->x0 < other.x1 && other.x0 < label->x1; };
    if (std::none_of(out.begin(), out.end(), hides)) out.push_back(std::move(*label));
  };
  const auto length = [](const trace::Interval& of) { return display_duration(of.end - of.start); };
  if (options.measured) offer(*options.measured, length(*options.measured), context.theme.selection);
  if (options.range) offer(*options.range, tr("range ") + length(*options.range), mark_colour(context));
  for (const trace::Interval& mark : options.marks) offer(mark, length(mark), mark_colour(context));
  return out;
}

void draw_label(Scene& scene, const LayoutContext& context, const IntervalLabel& label) {
  const Metrics& m = context.metrics;
  const int x0 = static_cast<int>(label.x0), x1 = static_cast<int>(label.x1);
  fill(scene, x0, m.title + 2, x1, context.area.top - 2, label.colour);
  scene.texts.push_back({(label.x0 + label.x1) / 2, static_cast<float>(m.title + context.area.top) / 2, m.small_text,
                         Anchor::centre, Font::bold, text_on(label.colour), label.text, x0, x1});
}

// An interval's columns of the picture, cut to the plot.
struct Columns {
  int x0, x1;
  bool begins, ends;  // that edge is in sight
};
Columns columns_of(const LayoutContext& context, const trace::Interval& interval) {
  const int left = context.frame.plot_x, right = left + context.frame.plot_width;
  const auto inside = [&](std::int64_t x) { return static_cast<int>(std::clamp<std::int64_t>(left + x, left, right)); };
  const std::int64_t c0 = column(context.view, interval.start), c1 = column(context.view, interval.end);
  const auto in_sight = [&](std::int64_t c) { return c >= 0 && c < context.frame.plot_width; };
  return {inside(c0), inside(c1), in_sight(c0), in_sight(c1)};
}

void draw_edges(Scene& scene, const LayoutContext& context, const Columns& at, Colour ink) {
  if (at.begins) fill(scene, at.x0, context.area.top, at.x0 + 1, context.area.bottom, ink);
  if (at.ends) fill(scene, at.x1, context.area.top, at.x1 + 1, context.area.bottom, ink);
}

}  // namespace

void draw_axis(Scene& scene, const LayoutContext& context, const std::vector<Tick>& marks) {
  const std::vector<IntervalLabel> labels = labels_of(context);
  const Metrics& m = context.metrics;
  const int top = m.title, bottom = context.area.top, plot_x = context.frame.plot_x;
  fill(scene, 0, top, context.options.width, bottom, context.theme.panel);
  fill(scene, 0, bottom - 1, context.options.width, bottom, context.theme.grid);
  fill(scene, plot_x - 1, bottom, plot_x, context.area.bottom, context.theme.grid);
  const float middle = static_cast<float>(top + bottom) / 2 - static_cast<float>(m.axis) * 0.06F;
  scene.texts.push_back(
      {static_cast<float>(m.pad), middle, m.small_text, Anchor::left, Font::regular, context.theme.faint_text,
       fitted(tr("time"), Font::regular, m.small_text, static_cast<float>(plot_x - m.pad)), 0, plot_x});
  const int right = context.options.width;
  for (const Tick& tick : marks) {
    const int x = plot_x + static_cast<int>(tick.x);
    fill(scene, x, bottom - 1 - m.axis / 5, x + 1, bottom - 1, context.theme.faint_text);
    // A label at the edge is moved in, never cut.
    const float half = text_width(tick.label, Font::regular, m.small_text) / 2;
    const float least = static_cast<float>(plot_x) + half + 2, most = static_cast<float>(right) - half - 2;
    if (least > most) continue;
    const float at = std::clamp(static_cast<float>(x), least, most);
    const auto hidden = [&](const IntervalLabel& label) { return at + half > label.x0 && at - half < label.x1; };
    if (std::any_of(labels.begin(), labels.end(), hidden)) continue;
    scene.texts.push_back(
        {at, middle, m.small_text, Anchor::centre, Font::regular, context.theme.text, tick.label, plot_x, right});
  }
  for (const IntervalLabel& label : labels) draw_label(scene, context, label);
}

// What is kept is a quiet pair of lines, joined in the axis; what does not count is dimmed.
void draw_marks(Scene& scene, const LayoutContext& context) {
  const int foot = std::max(2, context.metrics.axis / 9);
  const Colour ink = mark_colour(context);
  const auto [top, bottom] = context.area;
  for (const trace::Interval& mark : context.options.marks) {
    const Columns at = columns_of(context, mark);
    draw_edges(scene, context, at, faded(ink, 110));
    fill(scene, at.x0, top - foot, std::max(at.x1, at.x0 + 1), top, ink);
  }
  if (!context.options.range) return;
  const Columns at = columns_of(context, *context.options.range);
  const Colour dim = faded(context.theme.background, 165);
  fill(scene, context.frame.plot_x, top, at.x0, bottom, dim);
  fill(scene, at.x1, top, context.frame.plot_x + context.frame.plot_width, bottom, dim);
  draw_edges(scene, context, at, ink);
  fill(scene, at.x0, top - foot, std::max(at.x1, at.x0 + 1), top, ink);
}

void draw_measure(Scene& scene, const LayoutContext& context) {
  if (!context.options.measured) return;
  const Columns at = columns_of(context, *context.options.measured);
  fill(scene, at.x0, context.area.top, at.x1, context.area.bottom, faded(context.theme.selection, 40));
  draw_edges(scene, context, at, context.theme.selection);
}

}  // namespace streamscope::timeline
