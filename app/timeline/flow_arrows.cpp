#include "app/timeline/flow_arrows.h"

#include <algorithm>
#include <cmath>
#include <optional>
#include <utility>

namespace streamscope::timeline {
namespace {

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

void connect(Scene& scene, const LayoutContext& context, float x0, float y0, float x1, float y1, Colour colour,
             float width) {
  const auto line = clipped(
      {x0, y0, x1, y1, colour, width}, static_cast<float>(context.frame.plot_x), static_cast<float>(context.area.top),
      static_cast<float>(context.frame.plot_x + context.frame.plot_width), static_cast<float>(context.area.bottom));
  if (line) scene.lines.push_back(*line);
}

}  // namespace

const Bar* bar_for(const std::vector<Bar>& bars, FlowKind kind) {
  const auto on = [&](TrackKind track) -> const Bar* {
    const auto found = std::find_if(bars.begin(), bars.end(), [&](const Bar& bar) { return bar.kind == track; });
    return found == bars.end() ? nullptr : &*found;
  };
  if (kind == FlowKind::engine)
    if (const Bar* engine = on(TrackKind::engine)) return engine;
  if (const Bar* stream = on(TrackKind::stream)) return stream;
  return on(TrackKind::host);
}

void draw_arrow(Scene& scene, const LayoutContext& context, Point from, Point to, Colour ink, float width,
                bool dashed) {
  const float length = std::hypot(to.x - from.x, to.y - from.y);
  const float dash = std::max(4.0F, context.metrics.text * 0.4F);
  // Far out of sight an arrow may be millions of pixels long: then its dashes are not to be seen one by one anyway.
  if (!dashed || length > 20'000 || length < 2 * dash) {
    connect(scene, context, from.x, from.y, to.x, to.y, ink, width);
  } else {
    const auto at = [&](float along) {
      return Point{from.x + (to.x - from.x) * along / length, from.y + (to.y - from.y) * along / length};
    };
    for (float along = 0; along < length; along += 2 * dash) {
      const Point a = at(along), b = at(std::min(along + dash, length));
      connect(scene, context, a.x, a.y, b.x, b.y, ink, width);
    }
  }
  if (length < dash * 1.5F) return;
  // The head points to what came later.
  const float ux = (to.x - from.x) / length, uy = (to.y - from.y) / length, head = dash * 1.1F;
  for (const float side : {-1.0F, 1.0F})
    connect(scene, context, to.x - head * (ux + side * uy * 0.5F), to.y - head * (uy - side * ux * 0.5F), to.x, to.y,
            ink, width);
}

// From one bar to the other, and never back in time: what began before the other was over (a call that waits for it, an
// operation that ran before its call returned) is met where that happened, straight below or above.
std::pair<float, float> ends_of(const Bar& from, const Bar& to) {
  const auto at = std::clamp(from.x1, to.x0, std::max(to.x0, to.x1));
  return {static_cast<float>(std::min(from.x1, at)), static_cast<float>(at)};
}

void draw_flow(Scene& scene, const LayoutContext& context, const std::vector<Bar>& from, const std::vector<Bar>& to,
               FlowKind kind, Colour ink, float width, bool dashed) {
  const Bar *const before = bar_for(from, kind), *const after = bar_for(to, kind);
  if (before == nullptr || after == nullptr) return;
  const auto [begin, end] = ends_of(*before, *after);
  const auto middle = [](const Bar& bar) { return static_cast<float>(bar.y0 + bar.y1) / 2; };
  draw_arrow(scene, context, {begin, middle(*before)}, {end, middle(*after)}, ink, width, dashed);
}

void draw_flow_arrows(Scene& scene, const LayoutContext& context) {
  std::vector<Flow> all = flows(context.trace, context.options.waiters, context.options.selected);
  for (const OperationIndex each : context.options.led_here)
    all.push_back({FlowKind::order, each, context.options.selected, false});
  for (const OperationIndex each : context.options.led_on)
    all.push_back({FlowKind::order, context.options.selected, each, true});
  if (all.empty()) return;
  const float thick = std::max(2.0F, context.metrics.text / 7);
  const std::vector<Bar> own = bars_of(context, context.options.selected);
  for (const Flow& flow : all) {
    if (flow.kind == FlowKind::call) {
      const auto call = std::find_if(own.begin(), own.end(), [](const Bar& b) { return b.kind == TrackKind::host; });
      const Bar* run = bar_for(own, FlowKind::order);
      if (call == own.end() || run == nullptr || run->kind == TrackKind::host) continue;
      const auto begin = static_cast<float>(run->x0);
      draw_arrow(scene, context, {std::min(static_cast<float>(call->x1), begin), static_cast<float>(call->y1)},
                 {begin, static_cast<float>(run->y0 + run->y1) / 2}, context.theme.selection, thick, false);
      continue;
    }
    const std::vector<Bar> other = bars_of(context, flow.forward ? flow.to : flow.from);
    draw_flow(scene, context, flow.forward ? own : other, flow.forward ? other : own, flow.kind,
              flow.forward ? context.theme.faint_text : context.theme.strong_text, thick,
              flow.kind == FlowKind::engine);
  }
}

}  // namespace streamscope::timeline
