#include "app/timeline/bars.h"

#include <algorithm>
#include <cmath>
#include <optional>
#include <span>

#include "app/timeline/bar_style.h"
#include "app/timeline/draw_elapsed.h"
#include "app/timeline/draw_polls.h"
#include "app/timeline/draw_queues.h"
#include "app/timeline/draw_rectangle.h"
#include "app/timeline/draw_stacks.h"
#include "app/timeline/draw_waits.h"
#include "app/timeline/search_highlight.h"
#include "app/timeline/span_text.h"
#include "app/timeline/text_width.h"
#include "app/timeline/whiskers.h"
#include "engine/base/quantity.h"
#include "engine/trace/call_result.h"

namespace streamscope::timeline {
namespace {

constexpr float kLeastForDetail = 9.5;  // of a letter, at scale 1: smaller figures by the hundred are only noise

constexpr std::size_t kFewCharacters = 2, kEllipsisBytes = 3;

// What a bar says: its name, or as much of it as fits, then bytes and duration as far as they fit: right of the name,
// or below it in a tall bar.
struct Label {
  std::string name, detail;
  float pad = 0;  // before the name
};
Label label(const LayoutContext& context, const trace::Span& span, TrackKind kind, float size, float detail_size,
            float bar, bool below) {
  const std::string_view name =
      kind == TrackKind::host ? call_text(context.trace, span) : span_name(context.trace, span);
  // A name comes closer to the bar's ends rather than be cut, and still closer rather than be dropped.
  const float usual = size * 0.4F, least = size * 0.15F, left_over = (bar - text_width(name, Font::regular, size)) / 2;
  const auto padded = [&](float pad) { return Label{fitted(name, Font::regular, size, bar - 2 * pad), {}, pad}; };
  Label out = padded(left_over < least ? usual : std::min(left_over, usual));
  if (left_over < least && out.name.size() < kFewCharacters + kEllipsisBytes) out = padded(least);
  const float width = bar - 2 * out.pad;
  if (out.name != name) {
    if (out.name.size() < kFewCharacters + kEllipsisBytes) return {};  // nothing can be guessed of it
    if (!below) return out;
  }
  const float name_width = text_width(out.name, Font::regular, size);
  if (detail_size < kLeastForDetail * context.options.scale) return out;
  const float room = below ? width : width - name_width - size * 0.6F;
  const std::string how_long =
      display_duration(kind == TrackKind::host ? span.host_end - span.host_begin : span.end - span.start);
  const bool answers = trace::has_result(span) && !(kind == TrackKind::host && trace::is_status(span));
  const auto* const capture = trace::capture_info_of(context.trace.answers, span.operation);
  const std::string both = capture != nullptr ? std::string(name_of(capture->status))
                           : answers          ? answer_text(span)
                           : span.bytes > 0   ? display_bytes(span.bytes) + "  " + how_long
                                              : how_long;
  for (const std::string& text : {both, how_long}) {
    if (text_width(text, Font::regular, detail_size) > room) continue;
    out.detail = text;
    break;
  }
  return out;
}

constexpr std::size_t kAhead = 6;  // bars; in a run of millions each is another place in memory

const SearchHighlight* highlight_of(const LayoutOptions& options) {
  if (options.highlight != nullptr) return options.highlight.get();
  return options.pale_off_path && options.verdict != nullptr ? &options.verdict->on_path : nullptr;
}

// Of a bar: the pixels at its foot where words would lie under something. `along`: draw_waits_along's; `queue`:
// queue_foot.
int foot_of(const LayoutContext& context, const trace::Span& span, const LaneRow& row, const PixelRun& run,
            std::span<const WaitPiece> along, int queue) {
  const int polled = row.kind == TrackKind::host && span.kind == OperationKind::poll ? poll_foot(row) : 0;
  return std::max({polled, queue, waits_foot(context, row, run, along)});
}

// What lies over the bars of a lane, layer by layer: a renderer draws many of a kind at once.
struct LaneOverlay {
  std::vector<Rectangle> patterns, on_them;
  void put_onto(Scene& scene) {
    for (std::vector<Rectangle>* each : {&patterns, &on_them}) {
      scene.rectangles.insert(scene.rectangles.end(), each->begin(), each->end());
      each->clear();
    }
  }
};

// With `over`: the bar has a pattern, which is paler where the words stand. `foot`: pixels of the bar that these leave
// to what is drawn there.
void draw_label(Scene& scene, const LayoutContext& context, const trace::Span& span, TrackKind kind, Rectangle bar,
                int foot, std::vector<Rectangle>* over) {
  const float size = context.metrics.bar_text;
  const auto width = static_cast<float>(bar.x1 - bar.x0);
  if (size < 7 || width < size * 1.5F) return;  // smaller letters are only noise
  bar.y1 -= foot;
  const auto height = static_cast<float>(bar.y1 - bar.y0);
  const bool below = height >= size * (foot > 0 ? 2.2F : 2.6F);
  const float detail_size = below ? size * 0.86F : size;
  Label text = label(context, span, kind, size, detail_size, width, below);
  if (text.name.empty()) return;
  const Colour colour = text_on(bar.colour);
  const float x = static_cast<float>(bar.x0) + text.pad;
  const float middle = static_cast<float>(bar.y0 + bar.y1) / 2;
  constexpr std::uint8_t kPaler = 160;
  float end = x;
  const auto put = [&](float at_x, float at_y, float text_size, std::string&& what) {
    if (!what.empty()) end = std::max(end, at_x + text_width(what, Font::regular, text_size) + text.pad);
    if (what.empty() || !fits(at_y, text_size, context.area)) return;
    scene.texts.push_back(
        {at_x, at_y, text_size, Anchor::left, Font::regular, colour, std::move(what), bar.x0, bar.x1});
  };
  if (below && !text.detail.empty()) {
    put(x, middle - size * 0.6F, size, std::move(text.name));
    put(x, middle + size * 0.6F, detail_size, std::move(text.detail));
  } else {
    const float after = x + text_width(text.name, Font::regular, size) + size * 0.6F;
    put(x, middle, size, std::move(text.name));
    put(after, middle, size, std::move(text.detail));
  }
  if (over == nullptr) return;
  const int to = std::min(bar.x1, static_cast<int>(std::ceil(end)));
  add_clipped(*over, {bar.x0 + 1, bar.y0, to, bar.y1, faded(bar.colour, kPaler)}, context.area);
}

StackPlace place_of_stacks(const LayoutContext& context, int y0, int y1) {
  return {context.frame.plot_x, context.frame.plot_width, y0, y1, context.area};
}

enum class Emphasis : std::uint8_t { plain, pale, found };

void draw_lane(Scene& scene, const LayoutContext& context, const LaneRow& row, const Lane& lane, Emphasis emphasis,
               std::span<const WaitPiece> along, int queue, std::vector<PixelRun>& runs) {
  const auto [kind, y0, y1] = row;
  const bool is_pale = emphasis == Emphasis::pale;
  const ColourBy by = context.options.colour_by;
  std::vector<BarAt> shown;
  LaneOverlay overlay;
  StackBuilder stacks(lane, context.view, by, context.theme, place_of_stacks(context, y0, y1), is_pale ? kPale : 0,
                      context.options.lit, emphasis == Emphasis::found);
  const int plot_x = context.frame.plot_x;
  runs.clear();
  emit(lane, context.view, 0, context.frame.plot_width, runs);
  std::int32_t previous_end = -1;
  for (std::size_t i = 0; i < runs.size(); ++i) {
    const PixelRun& run = runs[i];
    if (i + 2 * kAhead < runs.size()) __builtin_prefetch(&lane.span[runs[i + 2 * kAhead].longest]);
    if (i + kAhead < runs.size() && alone(runs[i + kAhead]))
      trace::prefetch_span(context.trace, lane.span[runs[i + kAhead].longest]);
    if (stacks.can(run)) {  // one name would stand for many
      stacks.add(run);
      continue;
    }
    const trace::Span span = trace::span_at(context.trace, lane.span[run.longest]);
    Rectangle bar{plot_x + run.x0, y0, plot_x + run.x1, y1, {}};
    const std::uint8_t meaning = class_of(lane.classes[run.longest], number(by));
    BarStyle own = style_of_class(meaning, by, context.theme);
    const bool is_dim = is_pale || dimmed(meaning, context.options.lit);
    if (is_dim) {
      own.ground = mixed(own.ground, context.theme.background, kPale);
      own.ink = mixed(own.ink, context.theme.background, kPale);
    }
    if (span.operation == context.options.hovered) own.ground = mixed(own.ground, {255, 255, 255, 255}, 0.35F);
    bar.colour = own.ground;
    add_clipped(scene, bar, context.area);
    add_pattern(overlay.patterns, own, bar, context.area);
    // Where two bars touch, the second begins with a darker column: two copies in a row must not look like one.
    if (run.x0 == previous_end && run.x1 - run.x0 >= 4)
      add_clipped(overlay.on_them, seam_of(bar, context.theme), context.area);
    previous_end = run.x1;
    if (is_dim) continue;
    draw_label(scene, context, span, kind, bar, foot_of(context, span, row, run, along, queue),
               own.pattern != Fill::solid ? &overlay.on_them : nullptr);
    if (kind != TrackKind::host && run.x1 - run.x0 >= kLeastForWhiskers)
      shown.push_back({span, run.x1 - run.x0, y0, y1});
  }
  overlay.put_onto(scene);
  draw_whiskers(scene, context, shown);
  stacks.put_onto(scene);
}

// Under the bars, lower than they are and paler: what the model had expected. The outline keeps its ends exact.
void draw_ghosts(Scene& scene, const LayoutContext& context, const LaneRow& row, const Lane& lane,
                 std::vector<PixelRun>& runs) {
  runs.clear();
  emit(lane, context.view, 0, context.frame.plot_width, runs);
  const int y0 = row.y1 + 1, y1 = y0 + context.metrics.ghost;
  const ColourBy by = context.options.colour_by;
  StackBuilder stacks(lane, context.view, by, context.theme, place_of_stacks(context, y0, y1), 0.5F,
                      context.options.lit);
  for (const PixelRun& run : runs) {
    if (stacks.can(run)) {
      stacks.add(run);
      continue;
    }
    const std::uint32_t which = lane.span[run.longest];
    if (which >= trace::span_count(context.trace)) continue;
    const trace::Span span = trace::span_at(context.trace, which);
    const bool marked = span.operation == context.options.selected || span.operation == context.options.hovered;
    const Colour own = colour_of_class(class_of(lane.classes[run.longest], number(by)), by, context.theme);
    const Colour ground = context.theme.background;
    const Colour edge = marked ? context.theme.selection : mixed(own, ground, 0.15F);
    const Colour inside = mixed(own, ground, marked ? 0.2F : 0.62F);
    Rectangle ghost{context.frame.plot_x + run.x0, y0, context.frame.plot_x + run.x1, y1, edge};
    add_clipped(scene, ghost, context.area);
    if (ghost.x1 - ghost.x0 < 4) continue;
    ++ghost.x0, --ghost.x1, ++ghost.y0, --ghost.y1;
    ghost.colour = inside;
    add_clipped(scene, ghost, context.area);
  }
  stacks.put_onto(scene);
}

// Around the bar, so that one of a single pixel can be seen too; the gap keeps teal apart from green and blue bars.
void outline(Scene& scene, const LayoutContext& context, const Bar& bar) {
  draw_frame(scene, context, bar, 0, 1, context.theme.background);
  draw_frame(scene, context, bar, 1, std::max(2, context.metrics.row / 12), context.theme.selection);
}

// What the selected operation did before its start, where this lane of its stream shows it.
std::span<const WaitPiece> selected_waits(const LayoutContext& context, const Track& track, std::size_t lane) {
  if (track.kind != TrackKind::stream) return {};
  const auto found = trace::find_index(context.trace, context.options.selected);
  if (!found) return {};
  const auto index = static_cast<std::uint32_t>(*found);
  if (lane_of(track, trace::span_at(context.trace, index), index) != lane) return {};
  return pieces_of(context.tracks.waits, index);
}

}  // namespace

void draw_bars(Scene& scene, const LayoutContext& context) {
  std::vector<PixelRun> runs;
  const SearchHighlight* highlight = highlight_of(context.options);
  const bool searched = highlight != nullptr;
  const HighlightedLanes none;
  const std::size_t stacks_before = scene.stacks.size();
  struct Chosen {
    LaneRow row;
    const Lane* executing;
    std::span<const WaitPiece> waits;
  };
  std::vector<Chosen> chosen;
  for (const Strip& strip : context.strips) {
    if (strip.track == Strip::kNone || strip.kind == TrackKind::inside) continue;
    const Track& track = context.tracks.tracks[strip.track];
    const bool has_matches = searched && highlight->tracks.contains(key(track));
    const HighlightedLanes& matches = has_matches ? highlight->tracks.at(key(track)) : none;
    const auto [first, end] = lanes_in_sight(context.metrics, context.area, strip, track.executing.size());
    for (std::size_t lane = first; lane < end; ++lane) {
      const LaneRow at = bar_row(context, strip, lane);
      const std::span<const WaitPiece> over = selected_waits(context, track, lane);
      if (lane < track.waiting.size())
        draw_waits(scene, context, at, track.waiting[lane], searched ? kPale : 0, over, runs);
      if (lane < matches.waiting.size()) draw_waits(scene, context, at, matches.waiting[lane], 0, over, runs);
      if (lane >= std::max(track.waiting.size(), matches.waiting.size())) draw_waits_over(scene, context, at, over);
      if (!over.empty()) chosen.push_back({at, &track.executing[lane], over});
      const int queue = queue_foot(context, track, lane, at);
      draw_lane(scene, context, at, track.executing[lane], searched ? Emphasis::pale : Emphasis::plain, over, queue,
                runs);
      if (lane < matches.executing.size())
        draw_lane(scene, context, at, matches.executing[lane], Emphasis::found, over, queue, runs);
      if (context.metrics.ghost > 0 && lane < track.ghosts.size())
        draw_ghosts(scene, context, at, track.ghosts[lane], runs);
    }
  }
  // What is drawn in one go is drawn faster; only what a search found has to lie on what is pale.
  if (!searched)
    for (std::size_t i = stacks_before; i < scene.stacks.size(); ++i) scene.stacks[i].before = scene.rectangles.size();
  for (const Chosen& each : chosen) draw_waits_along(scene, context, each.row, *each.executing, each.waits, runs);
}

void draw_finished(Scene& scene, const LayoutContext& context, Nanoseconds until) {
  constexpr float kFinished = 0.35F;
  std::vector<PixelRun> runs;
  LaneOverlay overlay;
  const ColourBy by = context.options.colour_by;
  const int plot_x = context.frame.plot_x;
  for (const Strip& strip : context.strips) {
    if (strip.track == Strip::kNone || strip.kind == TrackKind::inside) continue;
    const Track& track = context.tracks.tracks[strip.track];
    const auto [first, end] = lanes_in_sight(context.metrics, context.area, strip, track.executing.size());
    for (std::size_t l = first; l < end; ++l) {
      const Lane& lane = track.executing[l];
      const LaneRow row = bar_row(context, strip, l);
      const std::span<const WaitPiece> along = selected_waits(context, track, l);
      const int queue = queue_foot(context, track, l, row);
      runs.clear();
      emit(lane, context.view, 0, context.frame.plot_width, runs);
      for (const PixelRun& run : runs) {
        if (!alone(run) || lane.end(run.first) > until) continue;
        BarStyle own = style_of_class(class_of(lane.classes[run.first], number(by)), by, context.theme);
        own.ground = mixed(own.ground, context.theme.background, kFinished);
        own.ink = mixed(own.ink, context.theme.background, kFinished);
        const Rectangle bar{plot_x + run.x0, row.y0, plot_x + run.x1, row.y1, own.ground};
        add_clipped(scene, bar, context.area);
        add_pattern(overlay.patterns, own, bar, context.area);
        const trace::Span span = trace::span_at(context.trace, lane.span[run.first]);
        draw_label(scene, context, span, row.kind, bar, foot_of(context, span, row, run, along, queue),
                   own.pattern != Fill::solid ? &overlay.on_them : nullptr);
      }
      overlay.put_onto(scene);
    }
  }
}

void draw_overlaid(Scene& scene, const LayoutContext& first, const LayoutContext& second) {
  if (first.metrics.ghost == 0) return;
  std::vector<PixelRun> runs;
  LayoutContext below = second;  // within the rows of this part of the first
  below.area = first.area;
  const auto draw = [&](const Strip& strip, const Track& track) {
    const auto [from, end] = lanes_in_sight(first.metrics, first.area, strip, track.executing.size());
    for (std::size_t lane = from; lane < end; ++lane)
      draw_ghosts(scene, below, bar_row(first, strip, lane), track.executing[lane], runs);
  };
  const std::vector<Track>& all = second.tracks.tracks;
  const std::vector<std::uint32_t> under = overlay(first.tracks, second.tracks).under;
  for (const Strip& strip : first.strips)
    if (strip.track != Strip::kNone && under[strip.track] != kNoPartner) draw(strip, all[under[strip.track]]);
  if (first.area.top != second.area.top) return;  // what stands alone is never pinned
  for (const Strip& strip : second.strips)
    if (strip.track != Strip::kNone) draw(strip, all[strip.track]);
}

void draw_selection(Scene& scene, const LayoutContext& context) {
  for (const Bar& bar : bars_of(context, context.options.selected)) outline(scene, context, bar);
}

}  // namespace streamscope::timeline
