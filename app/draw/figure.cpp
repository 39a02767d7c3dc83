#include "app/draw/figure.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <string>
#include <utility>
#include <vector>

#include "app/draw/caption.h"
#include "app/draw/excerpt.h"
#include "app/draw/page.h"
#include "app/timeline/bars.h"
#include "app/timeline/provenance.h"
#include "app/timeline/text_width.h"

namespace streamscope {
namespace {

void append(Picture& to, const Picture& from, int dx, int dy) {
  for (Rectangle r : from.rectangles) {
    r.x0 += dx, r.x1 += dx, r.y0 += dy, r.y1 += dy;
    to.rectangles.push_back(r);
  }
  const auto fx = static_cast<float>(dx), fy = static_cast<float>(dy);
  for (Line line : from.lines) {
    line.x0 += fx, line.x1 += fx, line.y0 += fy, line.y1 += fy;
    to.lines.push_back(line);
  }
  for (Text text : from.texts) {
    text.x += fx, text.y += fy;
    text.clip_x0 += dx;
    text.clip_x1 = std::min(text.clip_x1, from.width) + dx;
    to.texts.push_back(std::move(text));
  }
}

// A row of swatches; what does not fit into one line goes on in the next.
int draw_legend(Page& page, const std::vector<LegendEntry>& entries, bool really) {
  const float size = 13 * page.scale;
  const int swatch = page.px(20), line = page.px(24);
  int x = page.margin, y = page.y;
  for (const LegendEntry& entry : entries) {
    const int width = swatch + page.px(8) + static_cast<int>(std::ceil(text_width(entry.label, Font::regular, size)));
    if (x > page.margin && x + width > page.right()) {
      x = page.margin;
      y += line;
    }
    if (really) {
      const int top = y + page.px(5);
      Rectangle shape{x, top, x + swatch, top + page.px(13), entry.colour, entry.fill};
      if (entry.ghost) shape.y0 += page.px(4), shape.y1 -= page.px(3);
      page.picture.rectangles.push_back(shape);
      if (entry.over != Fill::solid) {
        shape.colour = entry.ink;
        shape.fill = entry.over;
        page.picture.rectangles.push_back(shape);
      }
      if (entry.ghost) {
        const int edge = std::max(1, page.px(1));
        page.picture.rectangles.push_back({shape.x0 + edge, shape.y0 + edge, shape.x1 - edge, shape.y1 - edge,
                                           mixed(entry.colour, page.theme.background, 0.55F), Fill::solid});
      }
      put(page, static_cast<float>(x + swatch + page.px(8)), static_cast<float>(y) + 11.5F * page.scale, size,
          Font::regular, page.theme.text, entry.label, static_cast<float>(page.right() - x));
    }
    x += width + page.px(20);
  }
  return y + line - page.y;
}

// Notes take room from the timeline: a few of them are shown, and how many more there are.
std::vector<std::string> notes_shown(const std::vector<std::string>& all) {
  constexpr std::size_t kMost = 4;
  if (all.size() <= kMost) return all;
  std::vector<std::string> out(all.begin(), all.begin() + kMost - 1);
  out.push_back(fmt::format("and {} more notes, in the run's JSON", all.size() - out.size()));
  return out;
}

}  // namespace

Picture figure(const Run& run, const FigureOptions& options) {
  Page page = new_page(options.width, options.height, options.scale, options.theme);
  const Theme& colours = page.theme;
  const float scale = page.scale;

  draw_title(page, caption(run));
  draw_key_figures(page, key_figures(run));

  const std::vector<std::string> notes = notes_shown(run.notes);
  const bool ghosts = options.ghosts && run.prediction.has_value() && !run.trace.spans.empty();
  Tracks all = ghosts ? tracks(run.trace, run.prediction->trace) : tracks(run.trace);
  add_inside(all, run.trace, options.opening);
  const Nanoseconds begin = all.begin, end = all.end;
  std::vector<LegendEntry> meanings = legend(run.trace, all, colours, options.colour_by);
  const std::string ghost = ghosts ? run.prediction->trace.provenance.profile : std::string();
  if (ghosts) meanings.push_back(ghost_entry(ghost, colours));
  const int note_height = page.px(20);
  const int footer = page.px(34);
  const int below =
      page.px(10) + draw_legend(page, meanings, false) + static_cast<int>(notes.size()) * note_height + footer;

  LayoutOptions timeline;
  timeline.width = page.right() - page.margin;
  timeline.scale = scale;
  timeline.colour_by = options.colour_by;
  timeline.badge = false;
  timeline.ghost = ghost;
  const Excerpt shown =
      excerpt(std::move(all), timeline, {page.picture.height - page.y - below, note_height, page.px(14), page.px(72)});
  timeline.row_height = shown.row_height;
  timeline.height = shown.height;
  const Frame where = frame(shown.tracks, timeline);
  View view = options.view.value_or(fit(begin, end, where.plot_width));
  if (shown.tracks.inside.operation != kNoOperation && !options.view)
    view = view_of_inside(run.trace, options.opening, view, where.plot_width);
  append(page.picture, layout(run.trace, shown.tracks, view, colours, timeline), page.margin, page.y);
  page.y += timeline.height;
  page.picture.rectangles.push_back({page.margin, page.y, page.right(), page.y + 1, colours.grid, Fill::solid});

  const auto left = static_cast<float>(page.margin);
  const auto width = static_cast<float>(page.right() - page.margin);
  if (!shown.left_out.empty()) {
    put(page, left, static_cast<float>(page.y) + 12 * scale, 13 * scale, Font::bold, colours.text, shown.left_out,
        width);
    page.y += note_height;
  }
  page.y += page.px(10);
  page.y += draw_legend(page, meanings, true);
  for (const std::string& note : notes) {
    put(page, left, static_cast<float>(page.y) + 10 * scale, 12 * scale, Font::regular, colours.faint_text, note,
        width);
    page.y += note_height;
  }
  draw_badge(page.picture, run.trace.provenance, colours,
             {page.margin,
              std::max(page.picture.height - footer, 0),
              page.right(),
              page.picture.height - page.px(4),
              {},
              Fill::solid},
             12 * scale, ghost);
  return std::move(page.picture);
}

}  // namespace streamscope
