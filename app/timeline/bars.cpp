#include "app/timeline/bars.h"

#include <algorithm>
#include <cmath>
#include <optional>

#include "app/timeline/provenance.h"
#include "app/timeline/search_highlight.h"
#include "app/timeline/text_width.h"
#include "app/timeline/whiskers.h"
#include "engine/base/quantity.h"

namespace streamscope::timeline {
namespace {

constexpr int kLeastForPattern = 4;     // pixels; what is narrower shows its ground only
constexpr float kLeastForDetail = 9.5;  // of a letter, at scale 1: smaller figures by the hundred are only noise

// What a bar says: its name, then bytes and duration as far as they fit; beside the name, or below it in a tall bar.
struct Label {
  std::string name, detail;
};
Label label(const Scene& scene, const trace::Span& span, TrackKind kind, float size, float detail_size, float width,
            bool below) {
  Label out{std::string(span_name(scene.trace, span)), {}};
  const float name_width = text_width(out.name, Font::regular, size);
  if (name_width > width) return {};
  if (detail_size < kLeastForDetail * scene.options.scale) return out;
  const float room = below ? width : width - name_width - size * 0.6F;
  const std::string how_long =
      display_duration(kind == TrackKind::host ? span.host_end - span.host_begin : span.end - span.start);
  const std::string both = span.bytes > 0 ? display_bytes(span.bytes) + "  " + how_long : how_long;
  for (const std::string& text : {both, how_long}) {
    if (text_width(text, Font::regular, detail_size) > room) continue;
    out.detail = text;
    break;
  }
  return out;
}

constexpr std::size_t kAhead = 6;  // bars; in a run of millions each is another place in memory

constexpr float kPale = 0.78F;  // what a search leaves aside

// What lies over the bars of a lane, layer by layer: a renderer draws many of a kind at once.
struct Over {
  std::vector<Rectangle> patterns, on_them;
  void put_onto(Picture& picture) {
    for (std::vector<Rectangle>* each : {&patterns, &on_them}) {
      picture.rectangles.insert(picture.rectangles.end(), each->begin(), each->end());
      each->clear();
    }
  }
};

// With `plates`: letters on a pattern want an even ground.
void draw_label(Picture& picture, const Scene& scene, const trace::Span& span, TrackKind kind, const Rectangle& bar,
                std::vector<Rectangle>* plates) {
  const float size = scene.metrics.bar_text;
  const float pad = size * 0.4F;
  const float room = static_cast<float>(bar.x1 - bar.x0) - 2 * pad;
  if (size < 7 || room < size) return;  // smaller letters are only noise
  const auto height = static_cast<float>(bar.y1 - bar.y0);
  const bool below = height >= size * 2.6F;
  const float detail_size = below ? size * 0.86F : size;
  Label text = label(scene, span, kind, size, detail_size, room, below);
  if (text.name.empty()) return;
  const Colour colour = text_on(bar.colour);
  const float x = static_cast<float>(bar.x0) + pad;
  const float middle = static_cast<float>(bar.y0 + bar.y1) / 2;
  const auto put = [&](float at_x, float at_y, float text_size, std::string&& what) {
    if (what.empty() || !fits(at_y, text_size, scene.area.top, scene.area.bottom)) return;
    if (plates != nullptr) {
      const float width = text_width(what, Font::regular, text_size), air = text_size * 0.2F;
      const Rectangle plate{std::max(bar.x0, static_cast<int>(std::floor(at_x - air))),
                            std::max(bar.y0, static_cast<int>(std::floor(at_y - text_size * 0.6F))),
                            std::min(bar.x1, static_cast<int>(std::ceil(at_x + width + air))),
                            std::min(bar.y1, static_cast<int>(std::ceil(at_y + text_size * 0.6F))),
                            bar.colour,
                            Fill::solid};
      add_clipped(*plates, plate, scene.area.top, scene.area.bottom);
    }
    picture.texts.push_back(
        {at_x, at_y, text_size, Anchor::left, Font::regular, colour, std::move(what), bar.x0, bar.x1});
  };
  if (below && !text.detail.empty()) {
    put(x, middle - size * 0.6F, size, std::move(text.name));
    put(x, middle + size * 0.6F, detail_size, std::move(text.detail));
    return;
  }
  const float after = x + text_width(text.name, Font::regular, size) + size * 0.6F;
  put(x, middle, size, std::move(text.name));
  put(after, middle, size, std::move(text.detail));
}

void draw_lane(Picture& picture, const Scene& scene, const LaneRow& row, const Lane& lane, bool waiting, bool is_pale,
               std::vector<PixelRun>& runs) {
  const auto [kind, y0, y1] = row;
  std::vector<BarAt> shown;
  Over over;
  const int plot_x = scene.frame.plot_x;
  runs.clear();
  emit(lane, scene.view, 0, scene.frame.plot_width, runs);
  std::int32_t previous_end = -1;
  for (std::size_t i = 0; i < runs.size(); ++i) {
    const PixelRun& run = runs[i];
    if (i + 2 * kAhead < runs.size()) __builtin_prefetch(&lane.span[runs[i + 2 * kAhead].longest]);
    if (i + kAhead < runs.size()) trace::expect_span(scene.trace, lane.span[runs[i + kAhead].longest]);
    const trace::Span span = trace::span_at(scene.trace, lane.span[run.longest]);
    Rectangle bar{plot_x + run.x0, y0, plot_x + run.x1, y1, {}, Fill::solid};
    if (waiting) {
      // Lower than what is carried out: nothing happens here.
      bar.y0 += (y1 - y0) / 5;
      bar.y1 -= (y1 - y0) / 5;
      bar.colour = waiting_colour(span, scene.theme);
      if (is_pale) bar.colour = mixed(bar.colour, scene.theme.background, kPale);
      bar.fill = Fill::hatch;
      add_clipped(picture, bar, scene.area.top, scene.area.bottom);
      if (span.reason == trace::WaitReason::gate) {  // told by its shape too: between two rails
        const int rail = std::max(1, scene.metrics.row / 13);
        for (const int at : {bar.y0, bar.y1 - rail})
          add_clipped(picture, {bar.x0, at, bar.x1, at + rail, bar.colour, Fill::solid}, scene.area.top,
                      scene.area.bottom);
      }
      continue;
    }
    Coat own = bar_coat(span, kind, scene.options.colour_by, scene.theme);
    if (is_pale) {
      own.ground = mixed(own.ground, scene.theme.background, kPale);
      own.ink = mixed(own.ink, scene.theme.background, kPale);
    }
    if (span.operation == scene.options.hovered) own.ground = mixed(own.ground, {255, 255, 255, 255}, 0.35F);
    bar.colour = own.ground;
    add_clipped(picture, bar, scene.area.top, scene.area.bottom);
    add_pattern(over.patterns, own, bar, scene.area.top, scene.area.bottom);
    // Where two bars touch, the second begins with a darker column: two copies in a row must not look like one.
    if (run.x0 == previous_end && run.x1 - run.x0 >= 4 && alone(run)) {
      Rectangle seam = bar;
      seam.x1 = seam.x0 + 1;
      seam.colour = mixed(bar.colour, scene.theme.background, 0.55F);
      add_clipped(over.on_them, seam, scene.area.top, scene.area.bottom);
    }
    previous_end = run.x1;
    if (!alone(run) || is_pale) continue;  // one name would stand for many
    draw_label(picture, scene, span, kind, bar, own.pattern != Fill::solid ? &over.on_them : nullptr);
    if (kind != TrackKind::host && run.x1 - run.x0 >= kLeastForWhiskers)
      shown.push_back({span, run.x1 - run.x0, y0, y1});
  }
  over.put_onto(picture);
  draw_whiskers(picture, scene, shown);
}

// Under the bars, lower than they are and paler: what the model had expected. The outline keeps its ends exact.
void draw_ghosts(Picture& picture, const Scene& scene, const LaneRow& row, const Lane& lane,
                 std::vector<PixelRun>& runs) {
  runs.clear();
  emit(lane, scene.view, 0, scene.frame.plot_width, runs);
  const int y0 = row.y1 + 1, y1 = y0 + scene.metrics.ghost;
  for (const PixelRun& run : runs) {
    const std::uint32_t which = lane.span[run.longest];
    if (which >= trace::span_count(scene.trace)) continue;
    const trace::Span span = trace::span_at(scene.trace, which);
    const bool marked = span.operation == scene.options.selected || span.operation == scene.options.hovered;
    const Colour own = bar_colour(span, row.kind, scene.options.colour_by), ground = scene.theme.background;
    const Colour edge = marked ? scene.theme.selection : mixed(own, ground, 0.15F);
    const Colour inside = mixed(own, ground, marked ? 0.2F : 0.62F);
    Rectangle ghost{scene.frame.plot_x + run.x0, y0, scene.frame.plot_x + run.x1, y1, edge, Fill::solid};
    add_clipped(picture, ghost, scene.area.top, scene.area.bottom);
    if (ghost.x1 - ghost.x0 < 4) continue;
    ++ghost.x0, --ghost.x1, ++ghost.y0, --ghost.y1;
    ghost.colour = inside;
    add_clipped(picture, ghost, scene.area.top, scene.area.bottom);
  }
}

// Cuts a line to the plot (Liang and Barsky); nothing where it lies outside.
std::optional<Line> clipped(Line line, float left, float top, float right, float bottom) {
  float begin = 0, end = 1;
  const float dx = line.x1 - line.x0, dy = line.y1 - line.y0;
  const auto cut = [&](float direction, float distance) {
    if (direction == 0) return distance >= 0;
    const float at = distance / direction;
    if (direction < 0) begin = std::max(begin, at);
    if (direction > 0) end = std::min(end, at);
    return begin <= end;
  };
  if (!cut(-dx, line.x0 - left) || !cut(dx, right - line.x0) || !cut(-dy, line.y0 - top) ||
      !cut(dy, bottom - line.y0)) {
    return std::nullopt;
  }
  const Line whole = line;
  line.x0 = whole.x0 + begin * dx;
  line.y0 = whole.y0 + begin * dy;
  line.x1 = whole.x0 + end * dx;
  line.y1 = whole.y0 + end * dy;
  return line;
}

void connect(Picture& picture, const Scene& scene, float x0, float y0, float x1, float y1, Colour colour, float width) {
  const auto line = clipped(
      {x0, y0, x1, y1, colour, width}, static_cast<float>(scene.frame.plot_x), static_cast<float>(scene.area.top),
      static_cast<float>(scene.frame.plot_x + scene.frame.plot_width), static_cast<float>(scene.area.bottom));
  if (line) picture.lines.push_back(*line);
}

// A frame of the given thickness around [x0, x1) x [y0, y1), outside it, cut at the plot's edges.
void ring(Picture& picture, const Scene& scene, const Bar& around, int distance, int thick, Colour colour) {
  const int left = scene.frame.plot_x, right = left + scene.frame.plot_width;
  const auto put = [&](std::int64_t x0, int y0, std::int64_t x1, int y1) {
    const auto inside = [&](std::int64_t x) { return static_cast<int>(std::clamp<std::int64_t>(x, left, right)); };
    add_clipped(picture, {inside(x0), y0, inside(x1), y1, colour, Fill::solid}, scene.area.top, scene.area.bottom);
  };
  const int out = distance + thick;
  put(around.x0 - out, around.y0 - out, around.x1 + out, around.y0 - distance);
  put(around.x0 - out, around.y1 + distance, around.x1 + out, around.y1 + out);
  put(around.x0 - out, around.y0 - distance, around.x0 - distance, around.y1 + distance);
  put(around.x1 + distance, around.y0 - distance, around.x1 + out, around.y1 + distance);
}

// Around the bar, so that one of a single pixel can be seen too; the gap keeps teal apart from green and blue bars.
void outline(Picture& picture, const Scene& scene, const Bar& bar) {
  ring(picture, scene, bar, 0, 1, scene.theme.background);
  ring(picture, scene, bar, 1, std::max(2, scene.metrics.row / 12), scene.theme.selection);
}

}  // namespace

std::vector<Bar> bars_of(const Scene& scene, OperationIndex operation) {
  std::vector<Bar> out;
  const std::optional<trace::Span> span = trace::find_span(scene.trace, operation);
  if (!span) return out;
  for (const Place& place : places(scene.trace, scene.tracks, operation)) {
    for (const Strip& strip : scene.strips) {
      if (strip.track != place.track) continue;
      const bool host = strip.kind == TrackKind::host;
      const Pixels columns =
          pixels(scene.view, host ? span->host_begin : span->start, host ? span->host_end : span->end);
      const LaneRow row = bar_row(scene, strip, place.lane);
      out.push_back({strip.kind, scene.frame.plot_x + columns.x0, scene.frame.plot_x + columns.x1, row.y0, row.y1});
    }
  }
  return out;
}

void fill(Picture& picture, int x0, int y0, int x1, int y1, Colour colour) {
  if (x0 < x1 && y0 < y1) picture.rectangles.push_back({x0, y0, x1, y1, colour, Fill::solid});
}

void add_clipped(std::vector<Rectangle>& to, Rectangle rectangle, int top, int bottom) {
  rectangle.y0 = std::max(rectangle.y0, top);
  rectangle.y1 = std::min(rectangle.y1, bottom);
  if (rectangle.x0 < rectangle.x1 && rectangle.y0 < rectangle.y1) to.push_back(rectangle);
}
void add_clipped(Picture& picture, const Rectangle& rectangle, int top, int bottom) {
  add_clipped(picture.rectangles, rectangle, top, bottom);
}

void add_pattern(std::vector<Rectangle>& to, const Coat& coat, const Rectangle& bar, int top, int bottom) {
  if (coat.pattern == Fill::solid || bar.x1 - bar.x0 < kLeastForPattern) return;
  Rectangle over = bar;
  over.colour = coat.ink;
  over.fill = coat.pattern;
  add_clipped(to, over, top, bottom);
}

void add_coated(Picture& picture, const Coat& coat, const Rectangle& bar, int top, int bottom) {
  Rectangle ground = bar;
  ground.colour = coat.ground;
  add_clipped(picture, ground, top, bottom);
  add_pattern(picture.rectangles, coat, bar, top, bottom);
}

bool fits(float y, float size, int top, int bottom) {
  return y - size * 0.6F >= static_cast<float>(top) && y + size * 0.6F <= static_cast<float>(bottom);
}

LaneRow bar_row(const Scene& scene, const Strip& strip, std::size_t lane) {
  const int y0 = strip.y0 + static_cast<int>(lane) * scene.metrics.row;
  const Metrics& m = scene.metrics;
  const int below = m.ghost > 0 ? m.ghost + 1 : 0;
  return {strip.kind, y0 + m.inset, y0 + m.row - m.inset - below};
}

void draw_bars(Picture& picture, const Scene& scene) {
  std::vector<PixelRun> runs;
  const Found* found = scene.options.found.get();
  const bool searched = found != nullptr;
  const FoundLanes none;
  for (const Strip& strip : scene.strips) {
    if (strip.track == Strip::kNone || strip.kind == TrackKind::inside) continue;
    const Track& track = scene.tracks.tracks[strip.track];
    const bool lit_here = searched && found->tracks.contains(key(track));
    const FoundLanes& lit = lit_here ? found->tracks.at(key(track)) : none;
    const auto [first, end] = lanes_in_sight(scene.metrics, scene.area, strip, track.executing.size());
    for (std::size_t lane = first; lane < end; ++lane) {
      const LaneRow at = bar_row(scene, strip, lane);
      if (lane < track.waiting.size()) draw_lane(picture, scene, at, track.waiting[lane], true, searched, runs);
      draw_lane(picture, scene, at, track.executing[lane], false, searched, runs);
      if (lane < lit.waiting.size()) draw_lane(picture, scene, at, lit.waiting[lane], true, false, runs);
      if (lane < lit.executing.size()) draw_lane(picture, scene, at, lit.executing[lane], false, false, runs);
      if (scene.metrics.ghost > 0 && lane < track.ghosts.size())
        draw_ghosts(picture, scene, at, track.ghosts[lane], runs);
    }
  }
}

void draw_overlaid(Picture& picture, const Scene& first, const Scene& second) {
  if (first.metrics.ghost == 0) return;
  std::vector<PixelRun> runs;
  Scene below = second;  // within the rows of this part of the first
  below.area = first.area;
  const auto draw = [&](const Strip& strip, const Track& track) {
    const auto [from, end] = lanes_in_sight(first.metrics, first.area, strip, track.executing.size());
    for (std::size_t lane = from; lane < end; ++lane)
      draw_ghosts(picture, below, bar_row(first, strip, lane), track.executing[lane], runs);
  };
  const std::vector<Track>& all = second.tracks.tracks;
  const std::vector<std::uint32_t> under = overlay(first.tracks, second.tracks).under;
  for (const Strip& strip : first.strips)
    if (strip.track != Strip::kNone && under[strip.track] != kNoPartner) draw(strip, all[under[strip.track]]);
  if (first.area.top != second.area.top) return;  // what stands alone is never pinned
  for (const Strip& strip : second.strips)
    if (strip.track != Strip::kNone) draw(strip, all[strip.track]);
}

void draw_selection(Picture& picture, const Scene& scene) {
  for (const Bar& bar : bars_of(scene, scene.options.selected)) outline(picture, scene, bar);
}

const Bar* end_of(const std::vector<Bar>& bars, FlowKind kind) {
  const auto on = [&](TrackKind track) -> const Bar* {
    const auto found = std::find_if(bars.begin(), bars.end(), [&](const Bar& bar) { return bar.kind == track; });
    return found == bars.end() ? nullptr : &*found;
  };
  if (kind == FlowKind::engine)
    if (const Bar* engine = on(TrackKind::engine)) return engine;
  if (const Bar* stream = on(TrackKind::stream)) return stream;
  return on(TrackKind::host);
}

void thread(Picture& picture, const Scene& scene, Point from, Point to, Colour ink, float width, bool dashed) {
  const float length = std::hypot(to.x - from.x, to.y - from.y);
  const float dash = std::max(4.0F, scene.metrics.text * 0.4F);
  // Far out of sight a thread may be millions of pixels long: then its dashes are not to be seen one by one anyway.
  if (!dashed || length > 20'000 || length < 2 * dash) {
    connect(picture, scene, from.x, from.y, to.x, to.y, ink, width);
  } else {
    const auto at = [&](float along) {
      return Point{from.x + (to.x - from.x) * along / length, from.y + (to.y - from.y) * along / length};
    };
    for (float along = 0; along < length; along += 2 * dash) {
      const Point a = at(along), b = at(std::min(along + dash, length));
      connect(picture, scene, a.x, a.y, b.x, b.y, ink, width);
    }
  }
  if (length < dash * 1.5F) return;
  // The head points to what came later.
  const float ux = (to.x - from.x) / length, uy = (to.y - from.y) / length, head = dash * 1.1F;
  for (const float side : {-1.0F, 1.0F})
    connect(picture, scene, to.x - head * (ux + side * uy * 0.5F), to.y - head * (uy - side * ux * 0.5F), to.x, to.y,
            ink, width);
}

void draw_threads(Picture& picture, const Scene& scene) {
  const std::vector<FlowThread> all = flows(scene.trace, scene.options.waiters, scene.options.selected);
  if (all.empty()) return;
  const float thick = std::max(1.5F, scene.metrics.text / 8);
  const auto middle = [](const Bar& bar) { return static_cast<float>(bar.y0 + bar.y1) / 2; };
  const std::vector<Bar> own = bars_of(scene, scene.options.selected);
  for (const FlowThread& flow : all) {
    if (flow.kind == FlowKind::call) {
      const auto call = std::find_if(own.begin(), own.end(), [](const Bar& b) { return b.kind == TrackKind::host; });
      const Bar* run = end_of(own, FlowKind::order);
      if (call == own.end() || run == nullptr || run->kind == TrackKind::host) continue;
      thread(picture, scene, {static_cast<float>(call->x1), static_cast<float>(call->y1)},
             {static_cast<float>(run->x0), middle(*run)}, scene.theme.selection, thick, false);
      continue;
    }
    const std::vector<Bar> other = bars_of(scene, flow.forward ? flow.to : flow.from);
    const Bar* from = end_of(flow.forward ? own : other, flow.kind);
    const Bar* to = end_of(flow.forward ? other : own, flow.kind);
    if (from == nullptr || to == nullptr) continue;
    thread(picture, scene, {static_cast<float>(from->x1), middle(*from)}, {static_cast<float>(to->x0), middle(*to)},
           flow.forward ? scene.theme.faint_text : scene.theme.strong_text, flow.forward ? thick * 0.75F : thick,
           flow.kind == FlowKind::engine);
  }
}

}  // namespace streamscope::timeline
