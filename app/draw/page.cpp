#include "app/draw/page.h"

#include <algorithm>
#include <utility>

#include "app/timeline/pattern.h"
#include "app/timeline/text_width.h"

namespace streamscope::draw {

Page new_page(int width, int height, double scale, timeline::ThemeName which) {
  const timeline::Theme& colours = timeline::theme(which);
  const auto size = static_cast<float>(std::clamp(scale, 0.25, 8.0)) * colours.text_scale;
  Page page{{}, colours, size, 0, 0};
  page.scene = timeline::blank_scene(std::max(width, 1), std::max(height, 1), colours.background);
  page.scene.grain = timeline::grain_of(size);
  page.margin = std::min(page.px(30), page.scene.width / 10);
  page.y = page.px(22);
  return page;
}

void put(Page& page, double x, double y, float size, timeline::Font font, timeline::Colour colour,
         const std::string& text, double width, timeline::Anchor anchor) {
  std::string fitting = timeline::fitted(text, font, size, static_cast<float>(width));
  if (fitting.empty()) return;
  page.scene.texts.push_back(
      {static_cast<float>(x), static_cast<float>(y), size, anchor, font, colour, std::move(fitting)});
}

void put_whole(Page& page, double x, double y, float size, timeline::Font font, timeline::Colour colour,
               const std::string& text, double width) {
  const float wanted = timeline::text_width(text, font, size), room = static_cast<float>(width);
  const float smaller = wanted > room ? std::max(size * room / wanted * 0.99F, size * 0.6F) : size;
  put(page, x, y, smaller, font, colour, text, room);
}

void draw_title(Page& page, const Caption& caption) {
  put(page, page.margin, page.y + page.px(14), 26 * page.scale, timeline::Font::bold, page.theme.strong_text,
      caption.title, page.width());
  // On two lines where it would be small on one.
  const float size = 14 * page.scale, small = 11 * page.scale, room = static_cast<float>(page.width());
  std::vector<std::string> lines{caption.subtitle};
  if (timeline::text_width(caption.subtitle, timeline::Font::regular, small) > room)
    lines = timeline::wrapped(caption.subtitle, timeline::Font::regular, small, room, 2);
  for (std::size_t i = 0; i < lines.size(); ++i)
    put_whole(page, page.margin,
              page.y + page.px(lines.size() == 1 ? 43
                               : i == 0          ? 37
                                                 : 52),
              lines.size() == 1 ? size : small, timeline::Font::regular, page.theme.faint_text, lines[i], page.width());
  page.y += page.px(62);
}

namespace {

// Below a key figure: on two lines where one would be too small to read.
void put_detail(Page& page, int x, int y, const std::string& text, int width) {
  const float size = 11 * page.scale, small = 10 * page.scale, room = static_cast<float>(width);
  const auto put_line = [&](double middle, const std::string& line) {
    put_whole(page, x, y + middle * page.scale, line == text ? size : small, timeline::Font::regular,
              page.theme.faint_text, line, width);
  };
  std::vector<std::string> lines{text};
  if (timeline::text_width(text, timeline::Font::regular, small) > room)
    lines = timeline::wrapped(text, timeline::Font::regular, small, room, 2);
  if (lines.size() < 2) return put_line(54, text);
  put_line(50, lines[0]);
  put_line(61, lines[1]);
}

constexpr int kCardHeight = 68, kCardGap = 12;
constexpr float kNameSize = 11, kValueSize = 21;

struct Cards {
  int rows = 0, columns = 1, width = 0;
};
// As few rows as hold all numbers whole; none where there are none, or the page is too narrow for one.
Cards cards_of(const Page& page, const std::vector<KeyFigure>& figures) {
  constexpr int kMostRows = 3;
  constexpr float kSmallest = 0.62F;  // of the usual size: put_whole() makes it no smaller
  const auto fits = [&](int width) {
    const auto room = static_cast<float>(width - page.px(24));
    return std::ranges::all_of(figures, [&](const KeyFigure& one) {
      using timeline::Font;
      return timeline::text_width(one.value, Font::bold, kValueSize * page.scale * kSmallest) <= room &&
             timeline::text_width(one.name, Font::regular, kNameSize * page.scale * kSmallest) <= room;
    });
  };
  Cards cards;
  const int count = static_cast<int>(figures.size());
  do {
    ++cards.rows;
    cards.columns = std::max(1, (count + cards.rows - 1) / cards.rows);
    cards.width = (page.width() - page.px(kCardGap) * (cards.columns - 1)) / cards.columns;
  } while (cards.rows < kMostRows && cards.columns > 1 && !fits(cards.width));
  if (count == 0 || cards.width < page.px(60)) cards.rows = 0;
  return cards;
}

}  // namespace

int height_of_key_figures(const Page& page, const std::vector<KeyFigure>& figures) {
  const Cards cards = cards_of(page, figures);
  return cards.rows * (page.px(kCardHeight) + page.px(kCardGap)) + (cards.rows > 0 ? page.px(6) : 0);
}

void draw_key_figures(Page& page, const std::vector<KeyFigure>& figures) {
  const Cards cards = cards_of(page, figures);
  const int gap = page.px(kCardGap), height = page.px(kCardHeight), all = page.width();
  const int bar = std::max(page.px(3), 1), room = cards.width - page.px(24);
  for (int i = 0; cards.rows > 0 && i < static_cast<int>(figures.size()); ++i) {
    const KeyFigure& figure = figures[static_cast<std::size_t>(i)];
    const int column = i % cards.columns, y = page.y + i / cards.columns * (height + gap);
    const int x = page.margin + column * (all + gap) / cards.columns,
              end = page.margin + (column + 1) * (all + gap) / cards.columns - gap;
    fill(page, x, y, end, y + height, page.theme.panel);
    fill(page, x, y, x + bar, y + height, figure.bad ? page.theme.error : page.theme.grid);
    const int left = x + page.px(16);
    const timeline::Colour strong = figure.bad ? page.theme.error : page.theme.strong_text;
    put_whole(page, left, y + 13 * page.scale, kNameSize * page.scale, timeline::Font::regular, page.theme.faint_text,
              figure.name, room);
    put_whole(page, left, y + 33 * page.scale, kValueSize * page.scale, timeline::Font::bold, strong, figure.value,
              room);
    put_detail(page, left, y, figure.detail, room);
  }
  page.y += height_of_key_figures(page, figures);
}

void draw_axes(Page& page, const Area& plot) {
  fill(page, plot.x0, plot.y1, plot.x1, plot.y1 + 1, page.theme.faint_text);
  fill(page, plot.x0 - 1, plot.y0, plot.x0, plot.y1 + 1, page.theme.faint_text);
}

timeline::Rectangle foot_of(const Page& page) {
  const int height = page.scene.height;
  return {page.margin, std::max(height - page.px(34), 0), page.right(), height - page.px(4), {}};
}

int draw_notes(Page& page, const std::vector<std::string>& notes, std::size_t most) {
  const int line = page.px(19), count = static_cast<int>(std::min(notes.size(), most));
  const int top = page.scene.height - page.px(34) - page.px(12) - count * line;
  for (int i = 0; i < count; ++i)
    put(page, page.margin, top + page.px(6) + i * line + line / 2, 12 * page.scale, timeline::Font::regular,
        page.theme.faint_text, notes[static_cast<std::size_t>(i)], page.width());
  return top;
}

}  // namespace streamscope::draw
