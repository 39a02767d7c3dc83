#include "app/timeline/draw_queues.h"

#include <algorithm>
#include <cmath>

#include "app/timeline/draw_rectangle.h"

namespace streamscope::timeline {
namespace {

// As much as the words above can spare.
int height_at_foot(const LaneRow& row) { return (row.y1 - row.y0) * 3 / 10; }

const QueueDepth* queue_of(const LayoutContext& context, const Track& track) {
  if (!context.options.queues || context.options.verdict == nullptr || track.kind != TrackKind::stream) return nullptr;
  const std::vector<QueueDepth>& queues = context.options.verdict->queues;
  const auto found = std::ranges::find(queues, track.id, &QueueDepth::stream);
  return found != queues.end() ? &*found : nullptr;
}

void draw_queue(Scene& scene, const LayoutContext& context, const LaneRow& row, const QueueDepth& queue,
                std::uint32_t deepest) {
  const int thick = std::max(1, static_cast<int>(std::lround(context.options.scale)));
  const int plot_x = context.frame.plot_x, foot = row.y1 - thick, height = std::max(1, height_at_foot(row) - thick);
  const Colour ink = faded(context.theme.strong_text, 170);
  const auto y_of = [&](std::uint32_t depth) {
    const double part = static_cast<double>(depth) / static_cast<double>(deepest);
    return foot - static_cast<int>(std::lround(part * height));
  };
  int from = 0, y = foot;
  // Columns that are alike are one rectangle; where they change, a step joins them.
  const auto put = [&](int to) {
    if (y < foot) fill_in_plot(scene, context, plot_x + from, y, plot_x + to, y + thick, ink);
    from = to;
  };
  for (int x = 0; x < context.frame.plot_width; ++x) {
    const Nanoseconds begin = time_at(context.view, x), end = std::max(time_at(context.view, x + 1), begin + 1);
    const int here = y_of(depth_in(queue, begin, end));
    if (here == y) continue;
    put(x);
    const int top = std::min(y, here) + thick, bottom = std::max(y, here) + (here > y ? 0 : thick);
    fill_in_plot(scene, context, plot_x + x, top, plot_x + x + thick, bottom, ink);
    y = here;
  }
  put(context.frame.plot_width);
}

}  // namespace

void draw_queues(Scene& scene, const LayoutContext& context) {
  if (!context.options.queues || context.options.verdict == nullptr) return;
  const std::vector<QueueDepth>& queues = context.options.verdict->queues;
  std::uint32_t deepest = 0;
  for (const QueueDepth& each : queues) deepest = std::max(deepest, each.deepest);
  for (const Strip& strip : context.strips) {
    if (strip.track == Strip::kNone || strip.kind != TrackKind::stream) continue;
    if (const QueueDepth* const queue = queue_of(context, context.tracks.tracks[strip.track]))
      draw_queue(scene, context, bar_row(context, strip, 0), *queue, deepest);
  }
}

int queue_foot(const LayoutContext& context, const Track& track, std::size_t lane, const LaneRow& row) {
  return lane == 0 && queue_of(context, track) != nullptr ? height_at_foot(row) : 0;
}

}  // namespace streamscope::timeline
