#include "app/timeline/draw_counters.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <optional>

#include "app/timeline/counters.h"
#include "app/timeline/draw_rectangle.h"
#include "app/timeline/text_width.h"

namespace streamscope::timeline {

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
