#include "app/draw/page.h"

#include <algorithm>
#include <utility>

#include "app/timeline/text_width.h"

namespace streamscope::draw {

Page new_page(int width, int height, double scale, timeline::ThemeName which) {
  const timeline::Theme& colours = timeline::theme(which);
  const auto size = static_cast<float>(std::clamp(scale, 0.25, 8.0)) * colours.text_scale;
  Page page{{}, colours, size, 0, 0};
  page.scene.width = std::max(width, 1);
  page.scene.height = std::max(height, 1);
  page.scene.background = colours.background;
  page.margin = std::min(page.px(30), page.scene.width / 10);
  page.y = page.px(22);
  return page;
}

void put(Page& page, float x, float y, float size, timeline::Font font, timeline::Colour colour,
         const std::string& text, float width, timeline::Anchor anchor) {
  std::string fitting = timeline::fitted(text, font, size, width);
  if (!fitting.empty()) page.scene.texts.push_back({x, y, size, anchor, font, colour, std::move(fitting)});
}

void put_whole(Page& page, float x, float y, float size, timeline::Font font, timeline::Colour colour,
               const std::string& text, float width) {
  const float wanted = timeline::text_width(text, font, size);
  const float smaller = wanted > width ? std::max(size * width / wanted * 0.99F, size * 0.6F) : size;
  put(page, x, y, smaller, font, colour, text, width);
}

void draw_title(Page& page, const Caption& caption) {
  const auto x = static_cast<float>(page.margin);
  const auto width = static_cast<float>(page.right() - page.margin);
  put(page, x, static_cast<float>(page.y + page.px(14)), 26 * page.scale, timeline::Font::bold, page.theme.strong_text,
      caption.title, width);
  put_whole(page, x, static_cast<float>(page.y + page.px(43)), 14 * page.scale, timeline::Font::regular,
            page.theme.faint_text, caption.subtitle, width);
  page.y += page.px(62);
}

void draw_key_figures(Page& page, const std::vector<KeyFigure>& figures) {
  if (figures.empty()) return;
  const int gap = page.px(12), height = page.px(68), count = static_cast<int>(figures.size());
  const int all = page.right() - page.margin;
  const int width = (all - gap * (count - 1)) / count;
  if (width < page.px(60)) return;
  const int bar = std::max(page.px(3), 1);
  for (int i = 0; i < count; ++i) {
    const KeyFigure& figure = figures[static_cast<std::size_t>(i)];
    const int x = page.margin + i * (all + gap) / count, end = page.margin + (i + 1) * (all + gap) / count - gap;
    page.scene.rectangles.push_back({x, page.y, end, page.y + height, page.theme.panel, timeline::Fill::solid});
    page.scene.rectangles.push_back(
        {x, page.y, x + bar, page.y + height, figure.bad ? page.theme.error : page.theme.grid, timeline::Fill::solid});
    const auto left = static_cast<float>(x + page.px(16));
    const auto room = static_cast<float>(width - page.px(24));
    const auto y = static_cast<float>(page.y);
    const timeline::Colour strong = figure.bad ? page.theme.error : page.theme.strong_text;
    put_whole(page, left, y + 13 * page.scale, 11 * page.scale, timeline::Font::regular, page.theme.faint_text,
              figure.name, room);
    put_whole(page, left, y + 33 * page.scale, 21 * page.scale, timeline::Font::bold, strong, figure.value, room);
    put_whole(page, left, y + 54 * page.scale, 11 * page.scale, timeline::Font::regular, page.theme.faint_text,
              figure.detail, room);
  }
  page.y += height + page.px(18);
}

}  // namespace streamscope::draw
