#include "app/draw/marks.h"

#include <cmath>
#include <numbers>
#include <utility>

namespace streamscope::draw {
namespace {

constexpr std::size_t kShapes = 8;

struct Shape {
  int corners;   // of a polygon; 0: a dot; negative: so many strokes through the middle
  float turned;  // in parts of a full turn, from the right
  bool filled;
};
constexpr Shape kShape[kShapes] = {{0, 0, true},       {4, 0.125F, true}, {3, 0.25F, true}, {4, 0, false},
                                   {-2, 0.125F, true}, {3, 0.75F, false}, {0, 0, false},    {-2, 0, true}};

}  // namespace

// Yellow and the light blue would vanish on white paper, and wine on black.
timeline::Colour mark_colour(std::size_t line, const timeline::Theme& theme) {
  const timeline::Colour hue = timeline::stream_colour(static_cast<std::uint32_t>(line + line / kShapes));
  const bool dark = timeline::text_on(theme.background).r > 128;
  const auto shifted = [&](std::uint8_t part) {
    return static_cast<std::uint8_t>(dark ? part + (255 - part) / 4 : part * 8 / 10);
  };
  return {shifted(hue.r), shifted(hue.g), shifted(hue.b), hue.a};
}

void draw_mark(timeline::Scene& scene, std::size_t line, float x, float y, float size, const timeline::Theme& theme) {
  const Shape shape = kShape[line % kShapes];
  const timeline::Colour colour = mark_colour(line, theme);
  const auto dot = [&](float width, timeline::Colour in) { scene.lines.push_back({x, y, x, y, in, width}); };
  const float stroke = size * 0.2F;
  if (shape.corners == 0) {
    dot(size * 1.05F, colour);
    if (!shape.filled) dot(size * 1.05F - 2 * stroke, theme.background);
    return;
  }
  const auto corner = [&](float radius, int i, int of) {
    const float angle = 2 * std::numbers::pi_v<float> * (shape.turned + static_cast<float>(i) / static_cast<float>(of));
    return std::pair{x + radius * std::cos(angle), y - radius * std::sin(angle)};
  };
  if (shape.corners < 0) {
    const int ends = -2 * shape.corners;
    for (int i = 0; i < ends / 2; ++i) {
      const auto [x0, y0] = corner(size * 0.55F, i, ends);
      const auto [x1, y1] = corner(size * 0.55F, i + ends / 2, ends);
      scene.lines.push_back({x0, y0, x1, y1, colour, stroke * 1.2F});
    }
    return;
  }
  const auto outline = [&](float radius, float width, timeline::Colour in) {
    for (int i = 0; i < shape.corners; ++i) {
      const auto [x0, y0] = corner(radius, i, shape.corners);
      const auto [x1, y1] = corner(radius, i + 1, shape.corners);
      scene.lines.push_back({x0, y0, x1, y1, in, width});
    }
  };
  const float radius = size * 0.55F;
  // Rings from the outside in fill a polygon, as a picture has none.
  for (float inner = radius * 0.75F; inner > 0; inner -= stroke) {
    outline(inner, stroke * 1.4F, shape.filled ? colour : theme.background);
  }
  outline(radius, stroke, colour);
}

}  // namespace streamscope::draw
