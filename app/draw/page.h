// A page in the making: what all figures have, title and key figures from the top down, notes and badge at the foot.
#pragma once

#include <cmath>
#include <string>
#include <vector>

#include "app/draw/caption.h"
#include "app/timeline/scene.h"
#include "app/timeline/theme.h"

namespace streamscope::draw {

struct Page {
  timeline::Scene scene;
  const timeline::Theme& theme;
  float scale;
  int margin;
  int y;  // where the next thing goes

  int px(float size) const { return static_cast<int>(std::lround(size * scale)); }
  int right() const { return scene.width - margin; }
  int width() const { return right() - margin; }
};

// The pixels [x0, x1) x [y0, y1).
struct Area {
  int x0, y0, x1, y1;
  int width() const { return x1 - x0; }
  int height() const { return y1 - y0; }
};

// A page of any size, 1 by 1 at the least; `scale` is kept within reason.
Page new_page(int width, int height, double scale, timeline::ThemeName theme);

// The pixels [x0, x1) x [y0, y1).
inline void fill(Page& page, int x0, int y0, int x1, int y1, timeline::Colour colour) {
  page.scene.rectangles.push_back({x0, y0, x1, y1, colour, timeline::Fill::solid});
}
// As much of the text as fits into the width. Places are whole pixels or parts of them.
void put(Page& page, double x, double y, float size, timeline::Font font, timeline::Colour colour,
         const std::string& text, double width, timeline::Anchor anchor = timeline::Anchor::left);
// A number that is cut short is a wrong number: it is set smaller first.
void put_whole(Page& page, double x, double y, float size, timeline::Font font, timeline::Colour colour,
               const std::string& text, double width);

void draw_title(Page& page, const Caption& caption);
// Cards, in rows; and how tall they are with what is below them.
int height_of_key_figures(const Page& page, const std::vector<KeyFigure>& figures);
void draw_key_figures(Page& page, const std::vector<KeyFigure>& figures);
// The axes of a plot: below it and at its left.
void draw_axes(Page& page, const Area& plot);

// Where the badge goes, at the foot.
timeline::Rectangle foot_of(const Page& page);
// So many of the notes above the foot; gives back the row that they begin below.
int draw_notes(Page& page, const std::vector<std::string>& notes, std::size_t most);

}  // namespace streamscope::draw
