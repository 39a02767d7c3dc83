#include "app/draw/legend_lines.h"

#include <algorithm>
#include <cmath>
#include <string>

#include "app/timeline/text_width.h"
#include "engine/base/translate.h"

namespace streamscope::draw {
namespace {

constexpr int kMostLegendLines = 4;

void draw_swatch(Page& page, const timeline::LegendEntry& entry, int x, int y) {
  const int swatch = page.px(20), top = y + page.px(5);
  timeline::Rectangle shape{x, top, x + swatch, top + page.px(13), entry.colour, entry.fill};
  if (entry.ghost) shape.y0 += page.px(4), shape.y1 -= page.px(3);
  if (entry.line) shape.y0 += page.px(5), shape.y1 = shape.y0 + std::max(page.px(entry.thin ? 1 : 3), 1);
  page.scene.rectangles.push_back(shape);
  if (entry.over != timeline::Fill::solid) {
    shape.colour = entry.ink;
    shape.fill = entry.over;
    page.scene.rectangles.push_back(shape);
  }
  if (entry.ghost) {
    const int edge = std::max(1, page.px(1));
    page.scene.rectangles.push_back({shape.x0 + edge, shape.y0 + edge, shape.x1 - edge, shape.y1 - edge,
                                     timeline::mixed(entry.colour, page.theme.background, 0.55F)});
  }
}

}  // namespace

Legend place_legend(const Page& page, const std::vector<timeline::LegendEntry>& entries) {
  const float size = 13 * page.scale;
  const int line = page.px(24), gap = page.px(20), room = page.width();
  const int more =
      static_cast<int>(std::ceil(timeline::text_width(tr("and {} more", "00000"), timeline::Font::regular, size)));
  Legend out;
  int x = 0, y = 0;
  for (std::size_t i = 0; i < entries.size(); ++i) {
    const int width =
        page.px(28) +
        static_cast<int>(std::ceil(timeline::text_width(entries[i].label, timeline::Font::regular, size)));
    const bool last_line = y == (kMostLegendLines - 1) * line, last = i + 1 == entries.size();
    if (x > 0 && x + width + (last_line && !last ? gap + more : 0) > room) {
      if (last_line) {
        out.left_out = entries.size() - i;
        out.more_x = x;
        break;
      }
      x = 0;
      y += line;
    }
    out.swatches.push_back({&entries[i], x, y});
    x += width + gap;
  }
  out.more_y = y;
  out.height = entries.empty() ? 0 : y + line;
  return out;
}

void draw_legend(Page& page, const Legend& legend) {
  const float size = 13 * page.scale;
  const auto words = [&](int x, int y, timeline::Colour ink, const std::string& text) {
    put(page, x, y + 11.5F * page.scale, size, timeline::Font::regular, ink, text, page.right() - x);
  };
  for (const Swatch& swatch : legend.swatches) {
    const int x = page.margin + swatch.x, y = page.y + swatch.y;
    draw_swatch(page, *swatch.entry, x, y);
    words(x + page.px(28), y, page.theme.text, swatch.entry->label);
  }
  if (legend.left_out > 0)
    words(page.margin + legend.more_x, page.y + legend.more_y, page.theme.faint_text,
          tr("and {} more", legend.left_out));
  page.y += legend.height;
}

}  // namespace streamscope::draw
