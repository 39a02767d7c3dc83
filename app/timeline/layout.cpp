#include "app/timeline/layout.h"

#include <algorithm>
#include <optional>

#include "app/timeline/axis.h"
#include "app/timeline/bars.h"
#include "app/timeline/draw_inside.h"
#include "app/timeline/draw_rectangle.h"
#include "app/timeline/flow_arrows.h"
#include "app/timeline/playhead.h"
#include "app/timeline/provenance.h"
#include "app/timeline/text_width.h"
#include "app/timeline/ticks.h"
#include "app/timeline/track_headers.h"

namespace streamscope::timeline {
namespace {

// The second run as a scene of its own: its tracks, seen so that its times come out where they are to stand.
struct Second {
  LayoutOptions options;
  View view;
  Scene scene;
  // `first`: its scrolled part.
  Second(const Scene& first, const Beside& beside)
      : options(first.options),
        view(seen_with_offset(first.view, beside.offset)),
        scene{*beside.trace,
              *beside.tracks,
              view,
              first.theme,
              options,
              first.metrics,
              first.area,
              first.frame,
              strips_beside(first.tracks, first.options),
              beside.overlaid ? std::string() : beside.name} {
    options.selected = beside.selected;
    options.hovered = beside.hovered;
    options.ring = {};
    options.waiters = beside.waiters;
    options.found.reset();
    options.hovered_header.reset();
  }
  Second(const Second&) = delete;
  Second& operator=(const Second&) = delete;
};

void draw_rows(Picture& picture, const Scene& scene, const Scene* second) {
  const auto [top, bottom] = scene.area;
  fill(picture, 0, top, scene.frame.plot_x, bottom, scene.theme.panel);
  std::vector<Strip> all = scene.strips;
  if (second != nullptr) {
    all.insert(all.end(), second->strips.begin(), second->strips.end());
    std::stable_sort(all.begin(), all.end(), [](const Strip& a, const Strip& b) { return a.y0 < b.y0; });
  }
  std::size_t in_group = 0;
  for (const Strip& strip : all) {
    if (strip.track == Strip::kNone) {
      in_group = 0;
    } else if (in_group++ % 2 == 0) {
      add_clipped(picture, {scene.frame.plot_x, strip.y0, scene.options.width, strip.y1, scene.theme.lane, Fill::solid},
                  top, bottom);
    }
  }
}

void draw_grid(Picture& picture, const Scene& scene, const std::vector<Tick>& marks) {
  for (const Tick& tick : marks) {
    const int x = scene.frame.plot_x + static_cast<int>(tick.x);
    fill(picture, x, scene.area.top, x + 1, scene.area.bottom, scene.theme.grid);
  }
}

}  // namespace

Picture layout(const trace::Trace& trace, const Tracks& tracks, const View& view, const Theme& theme,
               const LayoutOptions& options) {
  Picture picture;
  picture.width = std::max(options.width, 0);
  picture.height = std::max(options.height, 0);
  picture.background = theme.background;
  const Scene scene = scene_of(trace, tracks, view, theme, options);
  const Metrics& m = scene.metrics;
  const std::vector<Tick> marks = ticks(view, scene.frame.plot_width, m.small_text * 0.575F);

  const Scene parts[] = {part_of(scene, true), part_of(scene, false)};
  const Beside& beside = options.beside;
  std::optional<Second> second;
  if (beside.there()) second.emplace(parts[1], beside);
  draw_rows(picture, parts[0], nullptr);
  draw_rows(picture, parts[1], second ? &second->scene : nullptr);
  draw_grid(picture, scene, marks);
  for (const Scene& part : parts) {
    draw_bars(picture, part);
    draw_inside(picture, part);
    if (second && beside.overlaid) draw_overlaid(picture, part, second->scene);
    draw_selection(picture, part);
  }
  draw_flow_arrows(picture, scene);
  if (second && !beside.overlaid) {
    draw_bars(picture, second->scene);
    draw_selection(picture, second->scene);
    draw_flow_arrows(picture, second->scene);
  }
  draw_axis(picture, scene, marks);
  for (const Scene& part : parts) draw_headers(picture, part);
  if (second) draw_headers(picture, second->scene);
  if (parts[1].area.top > scene.area.top)  // the scrolled tracks go under here
    fill(picture, 0, parts[1].area.top - 1, options.width, parts[1].area.top, theme.grid);
  draw_marks(picture, scene);
  draw_measure(picture, scene);
  draw_playhead(picture, scene);
  const bool second_shows = second && !beside.tracks->tracks.empty();
  if (!second_shows && (trace::span_count(trace) == 0 || tracks.tracks.empty())) {
    picture.texts.push_back({static_cast<float>(scene.frame.plot_x) + static_cast<float>(scene.frame.plot_width) / 2,
                             static_cast<float>(scene.area.top + scene.area.bottom) / 2, m.text, Anchor::centre,
                             Font::regular, theme.faint_text, "no operation has a known time", scene.frame.plot_x,
                             options.width});
  }
  if (m.title > 0) {
    fill(picture, 0, 0, options.width, m.title, theme.panel);
    picture.texts.push_back(
        {static_cast<float>(m.pad), static_cast<float>(m.title) / 2, m.text * 1.15F, Anchor::left, Font::bold,
         theme.strong_text,
         fitted(options.title, Font::bold, m.text * 1.15F, static_cast<float>(options.width - 2 * m.pad)), 0,
         options.width});
  }
  if (m.badge > 0) {
    // Even where there is no room for tracks, what is there says where it comes from.
    const int top = std::max(picture.height - m.badge, 0);
    fill(picture, 0, top, options.width, options.height, theme.panel);
    fill(picture, 0, top, options.width, top + 1, theme.grid);
    const Rectangle within{m.pad, top + 1, options.width - m.pad, options.height, {}, Fill::solid};
    if (second)
      draw_badges(picture, trace.provenance, beside, theme, within, m.small_text);
    else
      draw_badge(picture, trace.provenance, theme, within, m.small_text, options.ghost);
  }
  return picture;
}

}  // namespace streamscope::timeline
