#include "app/timeline/counters.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "app/timeline/draw_rectangle.h"
#include "app/timeline/text_width.h"

namespace streamscope::timeline {
namespace {

int counter_height(const LayoutOptions& options) {
  return std::max(8, static_cast<int>(std::lround(30 * std::clamp(options.scale, 0.25F, 8.0F))));
}

}  // namespace

CounterRow counter_row(std::string name, std::vector<Nanoseconds> times, std::vector<double> values) {
  CounterRow out{std::move(name), std::move(times), std::move(values)};
  for (double& each : out.values) {
    if (!std::isfinite(each)) each = 0;
    out.least = std::min(out.least, each);
    out.most = std::max(out.most, each);
  }
  return out;
}

std::size_t counters_shown(const LayoutOptions& options) {
  if (options.counters == nullptr) return 0;
  return std::min(options.counters->size(), static_cast<std::size_t>(std::max(0, options.height / 3)) /
                                                static_cast<std::size_t>(counter_height(options)));
}

int counters_height(const LayoutOptions& options) {
  return static_cast<int>(counters_shown(options)) * counter_height(options);
}

std::optional<double> value_in(const CounterRow& row, Nanoseconds from, Nanoseconds to) {
  const auto first = std::lower_bound(row.times.begin(), row.times.end(), from);
  const auto end = std::lower_bound(first, row.times.end(), to);
  std::optional<double> out;
  if (first != row.times.begin()) out = row.values[static_cast<std::size_t>(first - row.times.begin()) - 1];
  for (auto at = first; at != end; ++at) {
    const double value = row.values[static_cast<std::size_t>(at - row.times.begin())];
    out = out ? std::max(*out, value) : value;
  }
  return out;
}

void draw_counters(Scene& scene, const LayoutContext& context) {
  const LayoutOptions& options = context.options;
  const std::size_t count = counters_shown(options);
  if (count == 0) return;
  const Metrics& m = context.metrics;
  const Theme& theme = context.theme;
  const int height = counter_height(options), plot_x = context.frame.plot_x;
  const int top = track_area(options).bottom;
  fill(scene, 0, top, options.width, top + static_cast<int>(count) * height, theme.panel);
  fill(scene, 0, top, options.width, top + 1, theme.grid);
  for (std::size_t i = 0; i < count; ++i) {
    const CounterRow& row = (*options.counters)[i];
    const int y0 = top + static_cast<int>(i) * height + 3, y1 = y0 + height - 5;
    fill(scene, plot_x, y0 - 1, options.width, y1 + 1, theme.lane);
    const double range = row.most > row.least ? row.most - row.least : 1;
    const auto y_of = [&](double value) {
      return y1 - static_cast<int>(std::lround((value - row.least) / range * (y1 - y0)));
    };
    const int zero = y_of(0);
    // Columns that are alike are one rectangle.
    int from = 0;
    std::optional<int> at;
    const auto put = [&](int to) {
      if (at && from < to)
        fill(scene, plot_x + from, std::min(*at, zero - 1), plot_x + to, std::max(*at, zero), theme.faint_text);
      from = to;
    };
    for (int x = 0; x < context.frame.plot_width; ++x) {
      const Nanoseconds begin = time_at(context.view, x), end = std::max(time_at(context.view, x + 1), begin + 1);
      const auto value = value_in(row, begin, end);
      const std::optional<int> here = value ? std::optional(y_of(*value)) : std::nullopt;
      if (here != at) put(x);
      at = here;
    }
    put(context.frame.plot_width);
    const float middle = static_cast<float>(y0 + y1) / 2;
    const auto room = static_cast<float>(plot_x - 2 * m.pad);
    scene.texts.push_back({static_cast<float>(m.pad), middle, m.small_text, Anchor::left, Font::regular, theme.text,
                           fitted(row.name, Font::regular, m.small_text, room), 0, plot_x});
    // What its full height stands for.
    const std::string most = fmt::format("{:.4g}", row.most);
    const float width = text_width(most, Font::regular, m.small_text);
    const int right = options.width - m.pad;
    fill(scene, right - static_cast<int>(width) - 4, y0, right + 4, y0 + static_cast<int>(m.small_text * 1.2F),
         theme.lane);
    scene.texts.push_back({static_cast<float>(right), static_cast<float>(y0) + m.small_text * 0.6F, m.small_text,
                           Anchor::right, Font::regular, theme.text, most, plot_x, options.width});
  }
}

}  // namespace streamscope::timeline
