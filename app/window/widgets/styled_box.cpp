#include "app/window/widgets/styled_box.h"

#include "app/timeline/pattern.h"

namespace streamscope::window {

void pattern_pixels(ImDrawList& list, const Look& look, const Box& at, timeline::Fill fill, timeline::Colour ink) {
  if (fill == timeline::Fill::solid) {
    list.AddRectFilled({at.x, at.y}, {at.x + at.width, at.y + at.height}, packed(ink));
    return;
  }
  const int x0 = static_cast<int>(at.x), y0 = static_cast<int>(at.y);
  const int x1 = static_cast<int>(at.x + at.width), y1 = static_cast<int>(at.y + at.height);
  const std::int32_t grain = timeline::grain_of(look.scale);
  for (int y = y0; y < y1; ++y) {
    for (int x = x0; x < x1; ++x) {
      if (!timeline::drawn(fill, x, y, grain)) continue;
      const int from = x;
      while (x + 1 < x1 && timeline::drawn(fill, x + 1, y, grain)) ++x;
      list.AddRectFilled({static_cast<float>(from), static_cast<float>(y)},
                         {static_cast<float>(x + 1), static_cast<float>(y + 1)}, packed(ink));
    }
  }
}

void styled_box(ImDrawList& list, const Look& look, const Box& at, OperationKind kind, float rounding) {
  styled_box(list, look, at, timeline::bar_style(timeline::colour(kind), timeline::pattern_of(kind), look.theme),
             rounding);
}

void styled_box(ImDrawList& list, const Look& look, const Box& at, const timeline::BarStyle& style, float rounding) {
  list.AddRectFilled({at.x, at.y}, {at.x + at.width, at.y + at.height}, packed(style.ground),
                     look.theme.patterned ? 0 : rounding);
  if (style.pattern != timeline::Fill::solid) pattern_pixels(list, look, at, style.pattern, style.ink);
}

}  // namespace streamscope::window
