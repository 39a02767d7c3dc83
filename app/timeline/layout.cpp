#include "app/timeline/layout.h"

#include <algorithm>
#include <cmath>

#include "app/timeline/axis.h"
#include "app/timeline/bars.h"
#include "app/timeline/headers.h"
#include "app/timeline/inside_bars.h"
#include "app/timeline/provenance.h"
#include "app/timeline/text_width.h"
#include "app/timeline/ticks.h"

namespace streamscope {
namespace {

Scene scene_of(const Trace& trace, const Tracks& tracks, const View& view, const Theme& theme,
               const LayoutOptions& options) {
  return {trace,
          tracks,
          view,
          theme,
          options,
          metrics(options),
          track_area(options),
          frame(tracks, options),
          strips(tracks, options)};
}

void draw_rows(Picture& picture, const Scene& scene) {
  const auto [top, bottom] = scene.area;
  fill(picture, 0, top, scene.frame.plot_x, bottom, scene.theme.panel);
  std::size_t in_group = 0;
  for (const Strip& strip : scene.strips) {
    if (strip.track == Strip::kNone) {
      in_group = 0;
    } else if (in_group++ % 2 == 0) {
      add_clipped(picture, {scene.frame.plot_x, strip.y0, scene.options.width, strip.y1, scene.theme.lane, Fill::solid},
                  top, bottom);
    }
  }
}

// The pinned tracks or the scrolled ones, in the rows that they may take.
Scene part_of(const Scene& whole, bool pinned) {
  Scene part = whole;
  const TrackArea scrolled = scrolled_area(whole.strips, whole.options);
  part.area = pinned ? TrackArea{whole.area.top, scrolled.top} : scrolled;
  std::erase_if(part.strips, [&](const Strip& strip) { return strip.pinned != pinned; });
  return part;
}

void draw_grid(Picture& picture, const Scene& scene, const std::vector<Tick>& marks) {
  for (const Tick& tick : marks) {
    const int x = scene.frame.plot_x + static_cast<int>(tick.x);
    fill(picture, x, scene.area.top, x + 1, scene.area.bottom, scene.theme.grid);
  }
}

}  // namespace

Picture layout(const Trace& trace, const Tracks& tracks, const View& view, const Theme& theme,
               const LayoutOptions& options) {
  Picture picture;
  picture.width = std::max(options.width, 0);
  picture.height = std::max(options.height, 0);
  picture.background = theme.background;
  const Scene scene = scene_of(trace, tracks, view, theme, options);
  const Metrics& m = scene.metrics;
  const std::vector<Tick> marks = ticks(view, scene.frame.plot_width, m.small_text * 0.575F);

  const Scene parts[] = {part_of(scene, true), part_of(scene, false)};
  for (const Scene& part : parts) draw_rows(picture, part);
  draw_grid(picture, scene, marks);
  for (const Scene& part : parts) {
    draw_bars(picture, part);
    draw_inside(picture, part);
    draw_selection(picture, part);
  }
  draw_threads(picture, scene);
  draw_axis(picture, scene, marks);
  for (const Scene& part : parts) draw_headers(picture, part);
  if (parts[1].area.top > scene.area.top)  // the scrolled tracks go under here
    fill(picture, 0, parts[1].area.top - 1, options.width, parts[1].area.top, theme.grid);
  draw_marks(picture, scene);
  draw_measure(picture, scene);
  if (span_count(trace) == 0 || tracks.tracks.empty()) {
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
    draw_badge(picture, trace.provenance, theme,
               {m.pad, top + 1, options.width - m.pad, options.height, {}, Fill::solid}, m.small_text, options.ghost);
  }
  return picture;
}

std::optional<Hit> hit(const Trace& trace, const Tracks& tracks, const View& view, const LayoutOptions& options, int x,
                       int y) {
  const Frame where = frame(tracks, options);
  if (x < where.plot_x || x >= where.plot_x + where.plot_width) return std::nullopt;
  const std::vector<Strip> all = strips(tracks, options);
  const Strip* strip = strip_at(all, options, y);
  if (strip == nullptr || strip->track == Strip::kNone) return std::nullopt;
  const Track& track = tracks.tracks[strip->track];
  const Metrics m = metrics(options);
  const auto lane = static_cast<std::size_t>((y - strip->y0) / m.row);
  if (track.kind == TrackKind::inside) {
    if (lane >= track.executing.size()) return std::nullopt;
    const auto run = under(track.executing[lane], view, x - where.plot_x);
    if (!run) return std::nullopt;
    const std::uint32_t which = track.executing[lane].span[run->longest];
    const bool waiting = tracks.inside.pieces[which].phase == Phase::waiting;
    return Hit{tracks.inside.operation, run->last - run->first + 1, waiting, false, strip->track, which};
  }
  if (m.ghost > 0 && (y - strip->y0) % m.row >= m.row - m.inset - m.ghost - 1) {
    if (lane >= track.ghosts.size()) return std::nullopt;
    const auto run = under(track.ghosts[lane], view, x - where.plot_x);
    if (!run) return std::nullopt;
    const std::uint32_t which = track.ghosts[lane].span[run->longest];
    if (which >= span_count(trace)) return std::nullopt;
    return Hit{span_at(trace, which).operation, run->last - run->first + 1, false, true, strip->track};
  }
  for (const bool waiting : {false, true}) {
    const std::vector<Lane>& lanes = waiting ? track.waiting : track.executing;
    if (lane >= lanes.size()) continue;
    const auto run = under(lanes[lane], view, x - where.plot_x);
    if (!run) continue;
    return Hit{span_at(trace, lanes[lane].span[run->longest]).operation, run->last - run->first + 1, waiting, false,
               strip->track};
  }
  return std::nullopt;
}

}  // namespace streamscope
