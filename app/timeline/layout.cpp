#include "app/timeline/layout.h"

#include <algorithm>
#include <cmath>

#include "app/timeline/bars.h"
#include "app/timeline/inside_bars.h"
#include "app/timeline/provenance.h"
#include "app/timeline/text_width.h"
#include "app/timeline/ticks.h"
#include "engine/base/quantity.h"

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

void fill(Picture& picture, int x0, int y0, int x1, int y1, Colour colour) {
  if (x0 < x1 && y0 < y1) picture.rectangles.push_back({x0, y0, x1, y1, colour, Fill::solid});
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

// What of the kernel's inside is known, beside its heading; and the ring, at the right end.
void draw_detail(Picture& picture, const Scene& scene, const Strip& strip, float middle) {
  const Metrics& m = scene.metrics;
  const int x = scene.frame.plot_x + m.pad;
  int right = scene.options.width - m.pad;
  std::string caption;
  const RingAt& at = scene.options.ring;
  if (at.block < scene.trace.stages.blocks.size()) {
    const StageBlock& block = scene.trace.stages.blocks[at.block];
    const Ring shown = ring(block, at.time);
    right = draw_ring(picture, shown, scene.theme, {x, strip.y0, right, strip.y1, {}, Fill::solid}, m.small_text,
                      scene.area.top, scene.area.bottom) -
            m.pad;
    caption = ring_caption(block, shown, at.time);
  }
  const auto put = [&](float y, const std::string& words, Colour ink) {
    if (words.empty() || !fits(y, m.small_text, scene.area.top, scene.area.bottom)) return;
    picture.texts.push_back({static_cast<float>(x), y, m.small_text, Anchor::left, Font::regular, ink,
                             fitted(words, Font::regular, m.small_text, static_cast<float>(right - x)),
                             scene.frame.plot_x, right});
  };
  put(caption.empty() ? middle : middle - m.small_text * 0.75F, scene.tracks.inside.detail, scene.theme.faint_text);
  put(middle + m.small_text * 0.75F, caption, scene.theme.text);
}

// Points to what is there to open, or down to what is open.
void draw_chevron(Picture& picture, float x, float middle, float half, bool open, Colour ink) {
  const float width = std::max(1.0F, half * 0.4F);
  if (open) {
    picture.lines.push_back({x, middle - half / 2, x + half, middle + half / 2, ink, width});
    picture.lines.push_back({x + half, middle + half / 2, x + 2 * half, middle - half / 2, ink, width});
  } else {
    picture.lines.push_back({x + half / 2, middle - half, x + half * 1.5F, middle, ink, width});
    picture.lines.push_back({x + half * 1.5F, middle, x + half / 2, middle + half, ink, width});
  }
}

void draw_headers(Picture& picture, const Scene& scene) {
  const Metrics& m = scene.metrics;
  const auto x = static_cast<float>(m.pad);
  const int clip = scene.frame.plot_x;
  for (const Strip& strip : scene.strips) {
    const bool heading = strip.track == Strip::kNone;
    const float size = heading ? m.small_text : m.text;
    // The name stands at the first lane; of a track whose first lanes are scrolled away, at the first that is in sight.
    const int height = heading ? strip.y1 - strip.y0 : m.row;
    const int y0 = std::clamp(strip.y0, std::min(scene.area.top, strip.y1 - height), strip.y1 - height);
    const float middle = static_cast<float>(std::max(strip.y0, y0)) + static_cast<float>(height) / 2;
    if (!fits(middle, size, scene.area.top, scene.area.bottom)) continue;
    if (heading) {
      picture.texts.push_back({x, middle + size * 0.15F, size, Anchor::left, Font::bold, scene.theme.faint_text,
                               std::string(group_name(scene.tracks, strip.kind)), 0, clip});
      if (strip.kind == TrackKind::inside) draw_detail(picture, scene, strip, middle + size * 0.15F);
      continue;
    }
    const Track& track = scene.tracks.tracks[strip.track];
    const auto indent = static_cast<float>(indent_of(track, m));
    std::string name =
        fitted(track.name, Font::regular, size, static_cast<float>(scene.frame.plot_x) - x * 1.5F - indent);
    const Colour ink = track.inside == InsideRow::stage ? scene.theme.faint_text : scene.theme.text;
    picture.texts.push_back({x + indent, middle, size, Anchor::left, Font::regular, ink, std::move(name), 0, clip});
    if (track.inside == InsideRow::closed || track.inside == InsideRow::open)
      draw_chevron(picture, x, middle, static_cast<float>(m.pad) * 0.4F, track.inside == InsideRow::open,
                   scene.theme.faint_text);
  }
}

// How long the measured interval is stands on a plate in the axis, so that it hides no bar.
struct Plate {
  float x0 = 0, x1 = 0;
  std::string text;
};
Plate plate_of(const Scene& scene) {
  const LayoutOptions& options = scene.options;
  if (!known(options.measure_begin) || !known(options.measure_end)) return {};
  const auto [begin, end] = std::minmax(options.measure_begin, options.measure_end);
  const auto left = static_cast<float>(scene.frame.plot_x), width = static_cast<float>(scene.frame.plot_width);
  const auto c0 = static_cast<float>(column(scene.view, begin)), c1 = static_cast<float>(column(scene.view, end));
  Plate plate;
  plate.text = display_duration(end - begin);
  const Metrics& m = scene.metrics;
  const float half = text_width(plate.text, Font::bold, m.small_text) / 2 + static_cast<float>(m.pad) / 2;
  if (c1 < 0 || c0 >= width || 2 * half > width) return {};
  // In the middle of what is in sight of the interval.
  const float middle = (std::max(c0, 0.0F) + std::min(c1, width)) / 2;
  const float at = left + std::clamp(middle, half, width - half);
  plate.x0 = std::floor(at - half);
  plate.x1 = std::ceil(at + half);
  return plate;
}

void draw_plate(Picture& picture, const Scene& scene, const Plate& plate) {
  if (plate.text.empty()) return;
  const Metrics& m = scene.metrics;
  const int x0 = static_cast<int>(plate.x0), x1 = static_cast<int>(plate.x1);
  fill(picture, x0, m.title + 2, x1, scene.area.top - 2, scene.theme.selection);
  picture.texts.push_back({(plate.x0 + plate.x1) / 2, static_cast<float>(m.title + scene.area.top) / 2, m.small_text,
                           Anchor::centre, Font::bold, text_on(scene.theme.selection), plate.text, x0, x1});
}

void draw_axis(Picture& picture, const Scene& scene, const std::vector<Tick>& marks) {
  const Plate plate = plate_of(scene);
  const Metrics& m = scene.metrics;
  const int top = m.title, bottom = scene.area.top, plot_x = scene.frame.plot_x;
  fill(picture, 0, top, scene.options.width, bottom, scene.theme.panel);
  fill(picture, 0, bottom - 1, scene.options.width, bottom, scene.theme.grid);
  fill(picture, plot_x - 1, bottom, plot_x, scene.area.bottom, scene.theme.grid);
  const float middle = static_cast<float>(top + bottom) / 2 - static_cast<float>(m.axis) * 0.06F;
  picture.texts.push_back({static_cast<float>(m.pad), middle, m.small_text, Anchor::left, Font::regular,
                           scene.theme.faint_text,
                           fitted("time", Font::regular, m.small_text, static_cast<float>(plot_x - m.pad)), 0, plot_x});
  const int right = scene.options.width;
  for (const Tick& tick : marks) {
    const int x = plot_x + static_cast<int>(tick.x);
    fill(picture, x, bottom - 1 - m.axis / 5, x + 1, bottom - 1, scene.theme.faint_text);
    // A label at the edge is moved in, never cut.
    const float half = text_width(tick.label, Font::regular, m.small_text) / 2;
    const float least = static_cast<float>(plot_x) + half + 2, most = static_cast<float>(right) - half - 2;
    if (least > most) continue;
    const float at = std::clamp(static_cast<float>(x), least, most);
    if (!plate.text.empty() && at + half > plate.x0 && at - half < plate.x1) continue;
    picture.texts.push_back(
        {at, middle, m.small_text, Anchor::centre, Font::regular, scene.theme.text, tick.label, plot_x, right});
  }
  draw_plate(picture, scene, plate);
}

void draw_measure(Picture& picture, const Scene& scene) {
  const LayoutOptions& options = scene.options;
  if (!known(options.measure_begin) || !known(options.measure_end)) return;
  const auto [begin, end] = std::minmax(options.measure_begin, options.measure_end);
  const int left = scene.frame.plot_x, right = left + scene.frame.plot_width;
  const auto inside = [&](std::int64_t x) { return static_cast<int>(std::clamp<std::int64_t>(left + x, left, right)); };
  const std::int64_t c0 = column(scene.view, begin), c1 = column(scene.view, end);
  const int x0 = inside(c0), x1 = inside(c1);
  const auto [top, bottom] = scene.area;
  Colour shade = scene.theme.selection;
  shade.a = 40;
  fill(picture, x0, top, x1, bottom, shade);
  for (const std::int64_t edge : {c0, c1}) {
    if (edge >= 0 && edge < scene.frame.plot_width) {
      fill(picture, inside(edge), top, inside(edge) + 1, bottom, scene.theme.selection);
    }
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

  draw_rows(picture, scene);
  for (const Tick& tick : marks) {
    const int x = scene.frame.plot_x + static_cast<int>(tick.x);
    fill(picture, x, scene.area.top, x + 1, scene.area.bottom, theme.grid);
  }
  draw_bars(picture, scene);
  draw_inside(picture, scene);
  draw_selection(picture, scene);
  draw_axis(picture, scene, marks);
  draw_headers(picture, scene);
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
  const TrackArea area = track_area(options);
  const Frame where = frame(tracks, options);
  if (x < where.plot_x || x >= where.plot_x + where.plot_width) return std::nullopt;
  const std::vector<Strip> all = strips(tracks, options);
  const Strip* strip = strip_at(all, area, y);
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
