#include "app/draw/scatter.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>
#include <string_view>
#include <utility>

#include "app/draw/page.h"
#include "app/timeline/provenance.h"
#include "engine/base/quantity.h"
#include "engine/base/translate.h"

namespace streamscope::draw {
namespace {

constexpr double kNarrow = 0.05, kWide = 0.15;
constexpr double kMostError = 0.3;  // beyond it a point stands at the edge of its plot

timeline::Colour faded(timeline::Colour colour, double share) {
  return timeline::faded(colour, static_cast<std::uint8_t>(std::lround(255 * share)));
}

// A time axis whose length stands for a ratio; the same for both times, so that the diagonal is right.
struct LogAxis {
  double low = 0, high = 1;  // log10 of nanoseconds
  double place(double nanoseconds) const { return (std::log10(std::max(nanoseconds, 1.0)) - low) / (high - low); }
  double value(double place) const { return std::pow(10.0, low + place * (high - low)); }
};

LogAxis axis_of(const std::vector<ScatterFamily>& families) {
  double least = 1e300, most = 0;
  for (const ScatterFamily& family : families) {
    for (const ScatterPoint& point : family.points) {
      for (const Nanoseconds time : {point.measured, point.predicted}) {
        least = std::min(least, static_cast<double>(std::max<Nanoseconds>(time, 1)));
        most = std::max(most, static_cast<double>(std::max<Nanoseconds>(time, 1)));
      }
    }
  }
  if (most <= 0) return {4, 7};  // no points: 10 us to 10 ms
  LogAxis axis{std::log10(least) - 0.12, std::log10(most) + 0.12};
  const double missing = 1 - (axis.high - axis.low);
  if (missing > 0) axis = {axis.low - missing / 2, axis.high + missing / 2};
  return axis;
}

struct LogTick {
  double nanoseconds;
  bool decade;
};

std::vector<LogTick> ticks_of(const LogAxis& axis) {
  std::vector<LogTick> all;
  for (int power = static_cast<int>(std::floor(axis.low)); power <= static_cast<int>(std::ceil(axis.high)); ++power) {
    for (int digit = 1; digit < 10; ++digit) {
      const double at = digit * std::pow(10.0, power);
      if (axis.place(at) >= 0 && axis.place(at) <= 1) all.push_back({at, digit == 1});
    }
  }
  return all;
}

std::string label_of(const LogTick& tick) {
  return display_duration(static_cast<Nanoseconds>(std::llround(tick.nanoseconds)));
}

struct ScatterArea : Area {
  float x(double place) const { return static_cast<float>(x0 + place * width()); }
  float y(double place) const { return static_cast<float>(y1 - place * height()); }  // 0 is below
};

// Eight hues, each as a dot and then as a ring; a rim keeps them apart where they lie on each other.
void draw_mark(Page& page, std::size_t family, float x, float y) {
  const timeline::Colour hue = timeline::stream_colour(static_cast<std::uint32_t>(family));
  const auto dot = [&](float size, timeline::Colour colour) {
    page.scene.lines.push_back({x, y, x, y, colour, size * page.scale});
  };
  dot(9.5F, faded(page.theme.background, 0.85));
  dot(8, faded(page.theme.strong_text, 0.55));
  dot(7, hue);
  if (family / 8 % 2 == 1) dot(3, page.theme.background);
}

void draw_time_ticks(Page& page, const ScatterArea& area, const LogAxis& axis) {
  const float size = 12 * page.scale;
  for (const LogTick& tick : ticks_of(axis)) {
    const double place = axis.place(tick.nanoseconds);
    const timeline::Colour colour = faded(page.theme.grid, tick.decade ? 1 : 0.45);
    const int x = static_cast<int>(std::lround(area.x(place)));
    fill(page, x, area.y0, x + 1, area.y1, colour);
    const float middle = area.x(place), room = static_cast<float>(page.px(60));
    if (tick.decade && middle > static_cast<float>(area.x0) + room / 3 &&
        middle < static_cast<float>(area.x1) - room / 3) {
      put(page, middle, area.y1 + page.px(14), size, timeline::Font::regular, page.theme.faint_text, label_of(tick),
          room, timeline::Anchor::centre);
    }
  }
}

// Of y above the plot, in so much of its width; x is the measured time.
void draw_axis_titles(Page& page, const ScatterArea& area, const char* y, double width) {
  const float size = 13 * page.scale;
  put(page, area.x0, area.y0 - page.px(14), size, timeline::Font::bold, page.theme.text, y, width);
  put(page, area.x1, area.y1 + page.px(33), size, timeline::Font::bold, page.theme.text, tr("measured wall time"),
      area.width(), timeline::Anchor::right);
}

// Where `ratio` times the measured time lies, within the area.
void draw_ratio(Page& page, const ScatterArea& area, const LogAxis& axis, double ratio, timeline::Colour colour,
                float width) {
  const double shift = std::log10(ratio) / (axis.high - axis.low);
  const double from = std::max(0.0, -shift), to = std::min(1.0, 1 - shift);
  if (from >= to) return;
  page.scene.lines.push_back({area.x(from), area.y(from + shift), area.x(to), area.y(to + shift), colour, width});
}

// Column by column: a picture has no polygons.
void draw_band(Page& page, const ScatterArea& area, const LogAxis& axis, double share, timeline::Colour colour) {
  const double up = std::log10(1 + share) / (axis.high - axis.low),
               down = std::log10(1 - share) / (axis.high - axis.low);
  for (int x = area.x0; x < area.x1; ++x) {
    const double place = (x + 0.5 - area.x0) / area.width();
    const double low = std::clamp(place + down, 0.0, 1.0), high = std::clamp(place + up, 0.0, 1.0);
    if (low >= high) continue;
    const float middle = static_cast<float>(x) + 0.5F;
    page.scene.lines.push_back({middle, area.y(low) - 0.5F, middle, area.y(high) + 0.5F, colour, 1});
  }
}

void draw_both_times(Page& page, const ScatterArea& area, const Scatter& what, const LogAxis& axis) {
  const timeline::Theme& colours = page.theme;
  const float size = 12 * page.scale;
  draw_time_ticks(page, area, axis);
  for (const LogTick& tick : ticks_of(axis)) {
    const float y = area.y(axis.place(tick.nanoseconds));
    const int row = static_cast<int>(std::lround(y));
    fill(page, area.x0, row, area.x1, row + 1, faded(colours.grid, tick.decade ? 1 : 0.45));
    if (!tick.decade || y < static_cast<float>(area.y0 + page.px(10))) continue;
    put(page, area.x0 - page.px(8), y, size, timeline::Font::regular, colours.faint_text, label_of(tick), page.px(60),
        timeline::Anchor::right);
  }
  draw_band(page, area, axis, kWide, faded(colours.selection, 0.10));
  draw_band(page, area, axis, kNarrow, faded(colours.selection, 0.22));
  draw_ratio(page, area, axis, 1, faded(colours.strong_text, 0.75), 1.2F * page.scale);
  draw_axes(page, area);
  for (std::size_t f = 0; f < what.families.size(); ++f) {
    for (const ScatterPoint& point : what.families[f].points) {
      draw_mark(page, f, area.x(axis.place(static_cast<double>(point.measured))),
                area.y(axis.place(static_cast<double>(point.predicted))));
    }
  }
  draw_axis_titles(page, area, tr("predicted wall time"), area.width());
}

std::string error_label(double share) {
  if (share == 0) return "0";
  const std::string_view beyond = share >= kMostError ? "≥ " : share <= -kMostError ? "≤ " : "";
  return fmt::format("{}{:+.0f} %", beyond, share * 100);
}

void draw_errors(Page& page, const ScatterArea& area, const Scatter& what, const LogAxis& axis) {
  const timeline::Theme& colours = page.theme;
  const auto place = [](double error) {
    return (std::clamp(error, -kMostError, kMostError) + kMostError) / (2 * kMostError);
  };
  for (const auto& [share, strength] : {std::pair{kWide, 0.10}, {kNarrow, 0.22}}) {
    fill(page, area.x0, static_cast<int>(std::lround(area.y(place(share)))), area.x1,
         static_cast<int>(std::lround(area.y(place(-share)))), faded(colours.selection, strength));
  }
  draw_time_ticks(page, area, axis);
  for (const double share : {-kMostError, -kWide, -kNarrow, 0.0, kNarrow, kWide, kMostError}) {
    const int y = static_cast<int>(std::lround(area.y(place(share))));
    fill(page, area.x0, y, area.x1, y + 1, share == 0 ? faded(colours.strong_text, 0.75) : colours.grid);
    put(page, area.x0 - page.px(8), y, 12 * page.scale, timeline::Font::regular, colours.faint_text, error_label(share),
        page.px(62), timeline::Anchor::right);
  }
  draw_axes(page, area);
  for (std::size_t f = 0; f < what.families.size(); ++f) {
    for (const ScatterPoint& point : what.families[f].points) {
      const auto measured = static_cast<double>(std::max<Nanoseconds>(point.measured, 1));
      const double error = (static_cast<double>(point.predicted) - measured) / measured;
      draw_mark(page, f, area.x(axis.place(measured)), area.y(place(error)));
    }
  }
  draw_axis_titles(page, area, tr("error of the prediction"), area.width() * 0.6F);
}

// One row a family: its mark, its name, how many, mean error and 95th percentile; as many as the area holds. Returns
// the height it takes.
int draw_table(Page& page, const ScatterArea& area, const std::vector<ScatterFamily>& families) {
  const timeline::Theme& colours = page.theme;
  const float size = 13 * page.scale;
  const int head = page.px(24), room = (area.height() - head) / std::max(1, static_cast<int>(families.size()));
  const int row = std::clamp(room, page.px(16), page.px(21));
  const std::array<int, 3> columns{area.x0 + area.width() * 56 / 100, area.x0 + area.width() * 76 / 100, area.x1};
  const auto numbers = [&](float y, timeline::Font font, timeline::Colour colour,
                           const std::array<std::string, 3>& texts) {
    for (std::size_t i = 0; i < columns.size(); ++i) {
      put(page, columns[i], y, size, font, colour, texts[i], area.width() * 0.22F, timeline::Anchor::right);
    }
  };
  int y = area.y0;
  put(page, area.x0, y + 0.5F * size, size, timeline::Font::bold, colours.text, tr("family"), area.width() * 0.4F);
  numbers(static_cast<float>(y) + 0.5F * size, timeline::Font::bold, colours.text,
          {tr("programs"), tr("mean error"), tr("95th percentile")});
  y += head;
  fill(page, area.x0, y - page.px(4), area.x1, y - page.px(4) + 1, colours.grid);
  for (std::size_t f = 0; f < families.size(); ++f) {
    if (y + (f + 1 < families.size() ? 2 : 1) * row > area.y1) {
      put(page, area.x0, y + row / 2, size, timeline::Font::regular, colours.faint_text,
          tr("and {} more", families.size() - f), area.width() * 0.5F);
      return y + row - area.y0;
    }
    const ScatterFamily& family = families[f];
    const auto middle = static_cast<float>(y + row / 2);
    draw_mark(page, f, static_cast<float>(area.x0 + page.px(6)), middle);
    put(page, area.x0 + page.px(20), middle, size, timeline::Font::regular, colours.text, family.name,
        area.width() * 0.4F);
    numbers(middle, timeline::Font::regular, colours.text,
            {fmt::format("{}", family.points.size()), fmt::format("{:.1f} %", family.mean_error * 100),
             fmt::format("{:.1f} %", family.percentile_95 * 100)});
    y += row;
  }
  return y - area.y0;
}

}  // namespace

timeline::Scene scatter(const Scatter& what, const ChartOptions& options) {
  Page page = new_page(options.width, options.height, options.scale, options.theme);
  draw_title(page, what.caption);
  draw_key_figures(page, what.figures);

  const int bottom = draw_notes(page, what.notes, 4), labels = page.px(48), gap = page.px(46), head = page.px(28);
  const int left = page.margin + page.px(62);
  const int side = std::min(bottom - labels - page.y - head, (page.right() - left) * 54 / 100);
  if (side >= page.px(80)) {
    const LogAxis axis = axis_of(what.families);
    const ScatterArea both{{left, page.y + head, left + side, page.y + head + side}};
    draw_both_times(page, both, what, axis);
    // The errors tell more than a long table does: they keep the lower part.
    const int above = (both.y1 - page.y) * 6 / 10;
    const ScatterArea table{{both.x1 + gap, page.y + page.px(8), page.right(), page.y + above}};
    int y = page.y;
    if (table.width() >= page.px(120) && table.height() > 0) y = table.y0 + draw_table(page, table, what.families);
    const ScatterArea errors{{table.x0 + page.px(62), y + page.px(44), table.x1, both.y1}};
    if (errors.width() >= page.px(80) && errors.height() >= page.px(80)) draw_errors(page, errors, what, axis);
  }

  timeline::Rectangle left_half = foot_of(page), right_half = left_half;
  right_half.x0 = (page.margin + page.right()) / 2;
  left_half.x1 = right_half.x0 - page.px(8);
  timeline::draw_badge(page.scene, what.measured, page.theme, left_half, 12 * page.scale);
  timeline::draw_badge(page.scene, what.predicted, page.theme, right_half, 12 * page.scale);
  return std::move(page.scene);
}

}  // namespace streamscope::draw
