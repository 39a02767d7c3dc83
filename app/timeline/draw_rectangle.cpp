#include "app/timeline/draw_rectangle.h"

#include <algorithm>

namespace streamscope::timeline {
namespace {

constexpr int kLeastForPattern = 4;  // pixels; what is narrower shows its ground only

}  // namespace

void fill(Scene& scene, int x0, int y0, int x1, int y1, Colour colour) {
  if (x0 < x1 && y0 < y1) scene.rectangles.push_back({x0, y0, x1, y1, colour});
}

void add_clipped(std::vector<Rectangle>& to, Rectangle rectangle, const TrackArea& rows) {
  rectangle.y0 = std::max(rectangle.y0, rows.top);
  rectangle.y1 = std::min(rectangle.y1, rows.bottom);
  if (rectangle.x0 < rectangle.x1 && rectangle.y0 < rectangle.y1) to.push_back(rectangle);
}
void add_clipped(Scene& scene, const Rectangle& rectangle, const TrackArea& rows) {
  add_clipped(scene.rectangles, rectangle, rows);
}

void fill_in_plot(Scene& scene, const LayoutContext& context, std::int64_t x0, int y0, std::int64_t x1, int y1,
                  Colour colour) {
  const int left = context.frame.plot_x, right = left + context.frame.plot_width;
  const auto inside = [&](std::int64_t x) { return static_cast<int>(std::clamp<std::int64_t>(x, left, right)); };
  add_clipped(scene, {inside(x0), y0, inside(x1), y1, colour}, context.area);
}

void draw_frame(Scene& scene, const LayoutContext& context, const Bar& around, int distance, int thick, Colour colour) {
  const auto& [kind, x0, x1, y0, y1] = around;
  const int out = distance + thick;
  fill_in_plot(scene, context, x0 - out, y0 - out, x1 + out, y0 - distance, colour);
  fill_in_plot(scene, context, x0 - out, y1 + distance, x1 + out, y1 + out, colour);
  fill_in_plot(scene, context, x0 - out, y0 - distance, x0 - distance, y1 + distance, colour);
  fill_in_plot(scene, context, x1 + distance, y0 - distance, x1 + out, y1 + distance, colour);
}

void add_pattern(std::vector<Rectangle>& to, const BarStyle& style, const Rectangle& bar, const TrackArea& rows) {
  if (style.pattern == Fill::solid || bar.x1 - bar.x0 < kLeastForPattern) return;
  Rectangle over = bar;
  over.colour = style.ink;
  over.fill = style.pattern;
  add_clipped(to, over, rows);
}

void add_styled(Scene& scene, const BarStyle& style, const Rectangle& bar, const TrackArea& rows) {
  Rectangle ground = bar;
  ground.colour = style.ground;
  add_clipped(scene, ground, rows);
  add_pattern(scene.rectangles, style, bar, rows);
}

Rectangle seam_of(const Rectangle& bar, const Theme& theme) {
  return {bar.x0, bar.y0, bar.x0 + 1, bar.y1, mixed(bar.colour, theme.background, 0.55F), bar.fill};
}

bool fits(float y, float size, const TrackArea& rows) {
  return y - size * 0.6F >= static_cast<float>(rows.top) && y + size * 0.6F <= static_cast<float>(rows.bottom);
}

}  // namespace streamscope::timeline
