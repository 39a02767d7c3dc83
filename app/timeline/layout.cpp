#include "app/timeline/layout.h"

#include <algorithm>
#include <optional>

#include "app/timeline/axis.h"
#include "app/timeline/bars.h"
#include "app/timeline/draw_counters.h"
#include "app/timeline/draw_elapsed.h"
#include "app/timeline/draw_inside.h"
#include "app/timeline/draw_polls.h"
#include "app/timeline/draw_queues.h"
#include "app/timeline/draw_rectangle.h"
#include "app/timeline/draw_sticky.h"
#include "app/timeline/draw_verdict.h"
#include "app/timeline/flow_arrows.h"
#include "app/timeline/pattern.h"
#include "app/timeline/playhead.h"
#include "app/timeline/provenance.h"
#include "app/timeline/text_width.h"
#include "app/timeline/ticks.h"
#include "app/timeline/track_headers.h"
#include "app/timeline/wait_arrows.h"
#include "engine/base/translate.h"

namespace streamscope::timeline {
namespace {

// The second run as a scene of its own: its tracks, seen so that its times come out where they are to stand.
struct SecondRunContext {
  LayoutOptions options;
  View view;
  LayoutContext context;
  // `first`: its scrolled part.
  SecondRunContext(const LayoutContext& first, const ComparedRun& compared)
      : options(first.options),
        view(view_with_offset(first.view, compared.offset)),
        context{*compared.trace,
                *compared.tracks,
                view,
                first.theme,
                options,
                first.metrics,
                first.area,
                first.frame,
                strips_of_compared(first.tracks, first.options),
                compared.overlaid ? std::string() : compared.name} {
    options.selected = compared.selected;
    options.hovered = compared.hovered;
    options.ring = {};
    options.waiters = compared.waiters;
    options.highlight.reset();
    options.verdict.reset();
    options.hovered_header.reset();
  }
  SecondRunContext(const SecondRunContext&) = delete;
  SecondRunContext& operator=(const SecondRunContext&) = delete;
};

void draw_rows(Scene& scene, const LayoutContext& context, const LayoutContext* second) {
  const auto [top, bottom] = context.area;
  fill(scene, 0, top, context.frame.plot_x, bottom, context.theme.panel);
  std::vector<Strip> all = context.strips;
  if (second != nullptr) {
    all.insert(all.end(), second->strips.begin(), second->strips.end());
    std::stable_sort(all.begin(), all.end(), [](const Strip& a, const Strip& b) { return a.y0 < b.y0; });
  }
  std::size_t in_group = 0;
  for (const Strip& strip : all) {
    if (strip.track == Strip::kNone) {
      in_group = 0;
    } else if (in_group++ % 2 == 0) {
      add_clipped(scene, {context.frame.plot_x, strip.y0, context.options.width, strip.y1, context.theme.lane},
                  context.area);
    }
  }
}

void draw_grid(Scene& scene, const LayoutContext& context, const std::vector<Tick>& marks) {
  for (const Tick& tick : marks) {
    const int x = context.frame.plot_x + static_cast<int>(tick.x);
    fill(scene, x, context.area.top, x + 1, context.area.bottom, context.theme.grid);
  }
}

}  // namespace

Scene layout(const trace::Trace& trace, const Tracks& tracks, const View& view, const Theme& theme,
             const LayoutOptions& options) {
  Scene scene = blank_scene(options.width, options.height, theme.background);
  scene.grain = grain_of(options.scale);
  const LayoutContext context = context_of(trace, tracks, view, theme, options);
  const Metrics& m = context.metrics;
  const std::vector<Tick> marks = ticks(view, context.frame.plot_width, m.small_text * 0.575F);

  const LayoutContext parts[] = {part_of(context, true), part_of(context, false)};
  const ComparedRun& compared = options.compared;
  std::optional<SecondRunContext> second;
  if (compared.there()) second.emplace(parts[1], compared);
  draw_rows(scene, parts[0], nullptr);
  draw_rows(scene, parts[1], second ? &second->context : nullptr);
  for (const LayoutContext& part : parts) draw_sticky_region(scene, part);
  if (second && !compared.overlaid) draw_sticky_region(scene, second->context);
  draw_ruler_doubts(scene, context);
  draw_grid(scene, context, marks);
  for (const LayoutContext& part : parts) {
    draw_bars(scene, part);
    draw_inside(scene, part);
    if (second && compared.overlaid) draw_overlaid(scene, part, second->context);
    draw_selection(scene, part);
  }
  for (const LayoutContext& part : parts) {
    draw_polls(scene, part);
    draw_elapsed(scene, part);
  }
  draw_wait_arrows(scene, context);
  draw_flow_arrows(scene, context);
  if (second && !compared.overlaid) {
    draw_bars(scene, second->context);
    draw_selection(scene, second->context);
    draw_flow_arrows(scene, second->context);
  }
  for (const LayoutContext& part : parts) draw_queues(scene, part);
  for (const LayoutContext& part : parts) draw_sticky_words(scene, part);
  draw_verdict(scene, context);
  draw_axis(scene, context, marks);
  draw_counters(scene, context);
  for (const LayoutContext& part : parts) draw_headers(scene, part);
  if (second) draw_headers(scene, second->context);
  if (parts[1].area.top > context.area.top)  // the scrolled tracks go under here
    fill(scene, 0, parts[1].area.top - 1, options.width, parts[1].area.top, theme.grid);
  draw_marks(scene, context);
  draw_measure(scene, context);
  draw_playhead(scene, context);
  const bool second_shows = second && !compared.tracks->tracks.empty();
  if (!second_shows && (trace::span_count(trace) == 0 || tracks.tracks.empty())) {
    scene.texts.push_back({static_cast<float>(context.frame.plot_x) + static_cast<float>(context.frame.plot_width) / 2,
                           static_cast<float>(context.area.top + context.area.bottom) / 2, m.text, Anchor::centre,
                           Font::regular, theme.faint_text, tr("no operation has a known time"), context.frame.plot_x,
                           options.width});
  }
  if (m.title > 0) {
    fill(scene, 0, 0, options.width, m.title, theme.panel);
    scene.texts.push_back(
        {static_cast<float>(m.pad), static_cast<float>(m.title) / 2, m.text * 1.15F, Anchor::left, Font::bold,
         theme.strong_text,
         fitted(options.title, Font::bold, m.text * 1.15F, static_cast<float>(options.width - 2 * m.pad)), 0,
         options.width});
  }
  if (m.badge > 0) {
    // Even where there is no room for tracks, what is there says where it comes from.
    const int top = std::max(scene.height - m.badge, 0);
    fill(scene, 0, top, options.width, options.height, theme.panel);
    fill(scene, 0, top, options.width, top + 1, theme.grid);
    const Rectangle within{m.pad, top + 1, options.width - m.pad, options.height, {}};
    if (second)
      draw_badges(scene, trace.provenance, compared, theme, within, m.small_text);
    else
      draw_badge(scene, trace.provenance, theme, within, m.small_text, options.ghost);
  }
  return scene;
}

}  // namespace streamscope::timeline
