#include "app/timeline/draw_rectangle.h"

#include <algorithm>

namespace streamscope::timeline {
namespace {

constexpr int kLeastForPattern = 4;  // pixels; what is narrower shows its ground only

}  // namespace

void fill(Scene& scene, int x0, int y0, int x1, int y1, Colour colour) {
  if (x0 < x1 && y0 < y1) scene.rectangles.push_back({x0, y0, x1, y1, colour, Fill::solid});
}

void add_clipped(std::vector<Rectangle>& to, Rectangle rectangle, int top, int bottom) {
  rectangle.y0 = std::max(rectangle.y0, top);
  rectangle.y1 = std::min(rectangle.y1, bottom);
  if (rectangle.x0 < rectangle.x1 && rectangle.y0 < rectangle.y1) to.push_back(rectangle);
}
void add_clipped(Scene& scene, const Rectangle& rectangle, int top, int bottom) {
  add_clipped(scene.rectangles, rectangle, top, bottom);
}

void add_pattern(std::vector<Rectangle>& to, const BarStyle& style, const Rectangle& bar, int top, int bottom) {
  if (style.pattern == Fill::solid || bar.x1 - bar.x0 < kLeastForPattern) return;
  Rectangle over = bar;
  over.colour = style.ink;
  over.fill = style.pattern;
  add_clipped(to, over, top, bottom);
}

void add_styled(Scene& scene, const BarStyle& style, const Rectangle& bar, int top, int bottom) {
  Rectangle ground = bar;
  ground.colour = style.ground;
  add_clipped(scene, ground, top, bottom);
  add_pattern(scene.rectangles, style, bar, top, bottom);
}

bool fits(float y, float size, int top, int bottom) {
  return y - size * 0.6F >= static_cast<float>(top) && y + size * 0.6F <= static_cast<float>(bottom);
}

}  // namespace streamscope::timeline
