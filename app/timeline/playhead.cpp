#include "app/timeline/playhead.h"

#include <algorithm>
#include <cmath>
#include <map>

#include "app/timeline/bars.h"
#include "app/timeline/draw_rectangle.h"
#include "app/timeline/flow_arrows.h"
#include "app/timeline/pattern.h"
#include "app/timeline/text_width.h"
#include "engine/base/quantity.h"

namespace streamscope::timeline {
namespace {

constexpr std::size_t kMostArrows = 16;  // more are a thicket

struct Running {
  std::vector<Bar> bars;
  std::map<int, std::int64_t> by_row;  // where the bar of the lane whose bars begin at that row begins
};

Running running(const LayoutContext& context, const Instant& instant) {
  Running out;
  const auto add = [&](OperationIndex operation, bool call) {
    for (const Bar& bar : bars_of(context, operation)) {
      if ((bar.kind == TrackKind::host) != call) continue;
      const auto [at, first] = out.by_row.emplace(bar.y0, bar.x0);
      if (first) out.bars.push_back(bar);
    }
  };
  for (const HostNow& host : instant.threads)
    if (host.call) add(host.call->operation, true);
  for (const StreamNow& stream : instant.streams)
    for (const OperationStatus& each : stream.queue)
      if (each.state == OperationState::running) add(each.operation, false);
  for (const EngineNow& engine : instant.engines)  // of work without a stream
    for (const OperationStatus& each : engine.running) add(each.operation, false);
  return out;
}

// Lane by lane, so that what is running keeps its colours.
void dim_the_past(Scene& scene, const LayoutContext& context, const Running& now, int x) {
  const Colour dim = faded(context.theme.background, 120);
  for (const Strip& strip : context.strips) {
    if (strip.track == Strip::kNone || strip.kind == TrackKind::inside) continue;
    const std::size_t lanes = context.tracks.tracks[strip.track].executing.size();
    const auto [first, end] = lanes_in_sight(context.metrics, context.area, strip, lanes);
    for (std::size_t lane = first; lane < end; ++lane) {
      const LaneRow row = bar_row(context, strip, lane);
      const auto at = now.by_row.find(row.y0);
      const std::int64_t to = at == now.by_row.end() ? x : std::min<std::int64_t>(x, at->second);
      fill_in_plot(scene, context, context.frame.plot_x, row.y0, to, row.y1, dim);
    }
  }
}

void draw_waits(Scene& scene, const LayoutContext& context, const Instant& instant) {
  const float thick = std::max(2.0F, context.metrics.text / 7);
  const auto middle = [](const Bar& bar) { return static_cast<float>(bar.y0 + bar.y1) / 2; };
  std::size_t drawn = 0;
  for (const Wait& wait : instant.waits) {
    // What the stream's order says is to be seen in its row already, and a host's wait in its own.
    const bool plain = wait.reason == trace::WaitReason::stream || wait.reason == trace::WaitReason::host;
    if (wait.on == kNoOperation || wait.on == wait.operation || plain) continue;
    const FlowKind kind = wait.reason == trace::WaitReason::engine ? FlowKind::engine : FlowKind::order;
    const std::vector<Bar> cause = bars_of(context, wait.on), waiter = bars_of(context, wait.operation);
    const Bar *from = bar_for(cause, kind), *to = bar_for(waiter, kind);
    if (from == nullptr || to == nullptr) continue;
    draw_arrow(scene, context, {static_cast<float>(from->x1), middle(*from)}, {static_cast<float>(to->x0), middle(*to)},
               context.theme.strong_text, thick, kind == FlowKind::engine);
    if (++drawn == kMostArrows) return;
  }
}

}  // namespace

void draw_playhead(Scene& scene, const LayoutContext& context) {
  if (!known(context.options.playhead)) return;
  const std::int64_t at = column(context.view, context.options.playhead);
  if (at < 0 || at >= context.frame.plot_width) return;
  const Metrics& m = context.metrics;
  const int x = context.frame.plot_x + static_cast<int>(at), right = context.frame.plot_x + context.frame.plot_width;
  const int wide = std::max(2, m.pad / 5);
  // On a bar of any colour it stands apart by its seams.
  fill(scene, x - wide / 2 - 1, context.area.top, x + (wide + 1) / 2 + 1, context.area.bottom,
       faded(context.theme.background, 170));
  fill(scene, x - wide / 2, m.title + 2, x + (wide + 1) / 2, context.area.bottom, context.theme.playhead);
  const std::string words = display_duration(context.options.playhead);
  const float half = text_width(words, Font::bold, m.small_text) / 2 + static_cast<float>(m.pad) / 2;
  if (2 * half > static_cast<float>(context.frame.plot_width)) return;
  const float middle = std::clamp(static_cast<float>(x), static_cast<float>(context.frame.plot_x) + half,
                                  static_cast<float>(right) - half);
  const int x0 = static_cast<int>(std::floor(middle - half)), x1 = static_cast<int>(std::ceil(middle + half));
  fill(scene, x0, m.title + 2, x1, context.area.top - 2, context.theme.playhead);
  scene.texts.push_back({middle, static_cast<float>(m.title + context.area.top) / 2, m.small_text, Anchor::centre,
                         Font::bold, text_on(context.theme.playhead), words, x0, x1});
}

Scene playhead_scene(const trace::Trace& trace, const Tracks& tracks, const View& view, const Theme& theme,
                     const LayoutOptions& options, const Instant* instant) {
  Scene scene = blank_scene(options.width, options.height, {0, 0, 0, 0});
  scene.grain = grain_of(options.scale);
  if (!known(options.playhead)) return scene;
  const LayoutContext context = context_of(trace, tracks, view, theme, options);
  if (instant != nullptr) {
    const std::int64_t at = std::clamp<std::int64_t>(column(view, options.playhead), 0, context.frame.plot_width);
    for (const bool pinned : {true, false}) {
      const LayoutContext part = part_of(context, pinned);
      const Running now = running(part, *instant);
      dim_the_past(scene, part, now, context.frame.plot_x + static_cast<int>(at));
      draw_finished(scene, part, options.playhead);
      for (const Bar& bar : now.bars)
        draw_frame(scene, part, bar, 0, std::max(1, part.metrics.row / 16), theme.playhead);
    }
    draw_waits(scene, context, *instant);
  }
  draw_playhead(scene, context);
  return scene;
}

}  // namespace streamscope::timeline
