#include "app/draw/chart.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <utility>

#include "app/draw/marks.h"
#include "app/draw/page.h"
#include "app/timeline/provenance.h"
#include "app/timeline/text_width.h"
#include "engine/base/translate.h"

namespace streamscope::draw {
namespace {

// From 0 in steps of 1, 2 or 5 times a power of ten.
struct LevelAxis {
  double top = 1, step = 0.2;
  int decimals = 1;
};

LevelAxis axis_of(const Chart& what, int most_steps) {
  double most = 0;
  const auto see = [&](double value) {
    if (std::isfinite(value)) most = std::max(most, value);
  };
  if (what.reference) see(*what.reference);
  for (const ChartPlot& plot : what.plots) {
    for (const ChartLine& line : plot.lines) {
      for (const auto& value : line.values) {
        if (value) see(std::max(value->value, value->high));
      }
    }
  }
  if (most <= 0) return {};
  const double least = most * 1.06 / std::max(most_steps, 1);
  const double power = std::pow(10.0, std::floor(std::log10(least)));
  double step = 10 * power;
  for (const double times : {5.0, 2.0, 1.0}) {
    if (times * power >= least) step = times * power;
  }
  return {std::ceil(most * 1.06 / step) * step, step,
          std::clamp(-static_cast<int>(std::floor(std::log10(step))), 0, 9)};
}

float mark_size(const Page& page) { return 9.5F * page.scale; }

struct Plotter {
  Page& page;
  const Chart& what;
  const LevelAxis axis;
  Area area;

  float x(std::size_t category) const {
    const auto count = static_cast<float>(std::max<std::size_t>(what.categories.size(), 1));
    return static_cast<float>(area.x0) +
           static_cast<float>(area.width()) * (static_cast<float>(category) + 0.5F) / count;
  }
  float y(double value) const {
    return static_cast<float>(area.y1 - std::clamp(value / axis.top, 0.0, 1.0) * area.height());
  }

  void levels(bool labelled) const {
    const auto steps = static_cast<int>(std::lround(axis.top / axis.step));
    for (int i = 0; i <= steps; ++i) {
      const double value = i * axis.step;
      const int row = static_cast<int>(std::lround(y(value)));
      fill(page, area.x0, row, area.x1, row + 1, page.theme.grid);
      if (!labelled) continue;
      put(page, area.x0 - page.px(8), row, 12 * page.scale, timeline::Font::regular, page.theme.faint_text,
          fmt::format("{:.{}f}", value, axis.decimals), page.px(64), timeline::Anchor::right);
    }
  }

  // Where the names are too wide for their places only every second, third, ... is written.
  void categories() const {
    const float size = 12 * page.scale;
    const float room =
        static_cast<float>(area.width()) / static_cast<float>(std::max<std::size_t>(what.categories.size(), 1));
    float widest = 1;
    for (const std::string& name : what.categories) {
      widest = std::max(widest, timeline::text_width(name, timeline::Font::regular, size) + 6 * page.scale);
    }
    const float longest = std::max(std::min(widest, static_cast<float>(area.width()) / 2), 1.0F);
    const auto every = std::max<std::size_t>(1, static_cast<std::size_t>(std::ceil(longest / std::max(room, 0.1F))));
    for (std::size_t i = 0; i < what.categories.size(); ++i) {
      const int column = static_cast<int>(std::lround(x(i)));
      fill(page, column, area.y1, column + 1, area.y1 + page.px(5), page.theme.faint_text);
      if (i % every != 0) continue;
      put(page, x(i), area.y1 + page.px(15), size, timeline::Font::regular, page.theme.faint_text, what.categories[i],
          room * every, timeline::Anchor::centre);
    }
  }

  void reference() const {
    if (!what.reference) return;
    const float level = y(*what.reference), dash = 9 * page.scale;
    for (auto from = static_cast<float>(area.x0); from < static_cast<float>(area.x1); from += 2 * dash) {
      page.scene.lines.push_back({from, level, std::min(from + dash, static_cast<float>(area.x1)), level,
                                  page.theme.strong_text, 1.5F * page.scale});
    }
  }

  void whisker(std::size_t index, float column, const ChartValue& of) const {
    if (!(of.low < of.high)) return;
    const timeline::Colour colour = mark_colour(index, page.theme);
    const float cap = mark_size(page) * 0.45F, width = 1.2F * page.scale;
    page.scene.lines.push_back({column, y(of.low), column, y(of.high), colour, width});
    for (const double end : {of.low, of.high}) {
      page.scene.lines.push_back({column - cap, y(end), column + cap, y(end), colour, width});
    }
  }

  void line(std::size_t index, const ChartLine& of) const {
    const std::size_t count = std::min(of.values.size(), what.categories.size());
    const auto there = [&](std::size_t i) { return of.values[i] && std::isfinite(of.values[i]->value); };
    for (std::size_t i = 1; i < count; ++i) {
      if (!there(i - 1) || !there(i)) continue;
      page.scene.lines.push_back({x(i - 1), y(of.values[i - 1]->value), x(i), y(of.values[i]->value),
                                  mark_colour(index, page.theme), 2 * page.scale});
    }
    for (std::size_t i = 0; i < count; ++i) {
      if (!there(i)) continue;
      whisker(index, x(i), *of.values[i]);
      draw_mark(page.scene, index, x(i), y(of.values[i]->value), mark_size(page), page.theme);
    }
  }

  void draw(const ChartPlot& plot, bool first) const {
    levels(first);
    categories();
    draw_axes(page, area);
    reference();
    for (std::size_t i = 0; i < plot.lines.size(); ++i) line(i, plot.lines[i]);
    if (first) {
      put(page, page.margin, area.y0 - page.px(36), 13 * page.scale, timeline::Font::bold, page.theme.text, what.y,
          page.width() * 0.6F);
    }
    put(page, area.x0, area.y0 - page.px(13), 13 * page.scale, timeline::Font::bold, page.theme.text, plot.name,
        area.width());
    put(page, area.x1, area.y1 + page.px(36), 13 * page.scale, timeline::Font::bold, page.theme.text, what.x,
        area.width(), timeline::Anchor::right);
  }
};

// The widest name decides, within reason.
int legend_width(const Page& page, const Chart& what) {
  const float size = 13 * page.scale;
  float widest = std::max(timeline::text_width(what.legend, timeline::Font::bold, size),
                          timeline::text_width(tr("and {} more", 4096), timeline::Font::regular, size));
  if (!what.plots.empty()) {
    for (const ChartLine& line : what.plots.front().lines) {
      widest = std::max(
          widest, timeline::text_width(line.name, timeline::Font::regular, size) + static_cast<float>(page.px(34)));
    }
  }
  if (what.reference) {
    widest = std::max(widest, timeline::text_width(what.reference_name, timeline::Font::regular, size) +
                                  static_cast<float>(page.px(34)));
  }
  return std::min(static_cast<int>(std::ceil(widest)) + page.px(4), (page.right() - page.margin) / 4);
}

void draw_legend(Page& page, const Chart& what, const Area& area) {
  const float size = 13 * page.scale;
  const int row = page.px(22), sign = page.px(24);
  int y = area.y0 + row / 2;
  const auto room = static_cast<float>(area.width());
  const auto label = [&](const std::string& text, timeline::Font font, int from) {
    put(page, area.x0 + from, y, size, font, page.theme.text, text, room - from);
    y += row;
  };
  const auto stroke = [&](timeline::Colour colour, float from, float to, float width) {
    page.scene.lines.push_back({static_cast<float>(area.x0) + from * static_cast<float>(sign), static_cast<float>(y),
                                static_cast<float>(area.x0) + to * static_cast<float>(sign), static_cast<float>(y),
                                colour, width * page.scale});
  };
  if (what.reference) {
    stroke(page.theme.strong_text, 0, 0.35F, 1.5F);
    stroke(page.theme.strong_text, 0.65F, 1, 1.5F);
    label(what.reference_name, timeline::Font::regular, page.px(32));
    y += row / 3;
  }
  if (what.legend.empty() || what.plots.empty()) return;
  label(what.legend, timeline::Font::bold, 0);
  const std::vector<ChartLine>& lines = what.plots.front().lines;
  for (std::size_t i = 0; i < lines.size(); ++i) {
    if (i + 1 < lines.size() && y + 3 * row / 2 > area.y1) {
      label(tr("and {} more", lines.size() - i), timeline::Font::regular, 0);
      return;
    }
    stroke(mark_colour(i, page.theme), 0, 1, 2);
    draw_mark(page.scene, i, static_cast<float>(area.x0) + static_cast<float>(sign) / 2, static_cast<float>(y),
              mark_size(page), page.theme);
    label(lines[i].name, timeline::Font::regular, page.px(32));
  }
}

}  // namespace

timeline::Scene chart(const Chart& what, const ChartOptions& options) {
  Page page = new_page(options.width, options.height, options.scale, options.theme);
  draw_title(page, what.caption);
  draw_key_figures(page, what.figures);

  const int bottom = draw_notes(page, what.notes, 5), head = page.px(52), labels = page.px(52);
  const int left = page.margin + page.px(58), gap = page.px(26);
  const bool named = !what.legend.empty() || what.reference.has_value();
  const int legend = named ? legend_width(page, what) : 0;
  const Area all{left, page.y + head, page.right() - (named ? legend + page.px(28) : 0), bottom - labels};
  const auto count = static_cast<int>(what.plots.size());
  const int width = count > 0 ? (all.width() - gap * (count - 1)) / count : 0;
  if (width >= page.px(50) && all.height() >= page.px(60)) {
    const LevelAxis axis = axis_of(what, std::clamp(all.height() / page.px(48), 2, 12));
    for (int i = 0; i < count; ++i) {
      const int x0 = all.x0 + i * (width + gap);
      Plotter{page, what, axis, {x0, all.y0, x0 + width, all.y1}}.draw(what.plots[static_cast<std::size_t>(i)], i == 0);
    }
    if (named) draw_legend(page, what, {all.x1 + page.px(28), all.y0, page.right(), all.y1});
  }

  timeline::draw_badge(page.scene, what.provenance, page.theme, foot_of(page), 12 * page.scale);
  return std::move(page.scene);
}

}  // namespace streamscope::draw
