#include "app/timeline/draw_polls.h"

#include <algorithm>
#include <limits>

#include "app/timeline/draw_rectangle.h"

namespace streamscope::timeline {
namespace {

constexpr int kApart = 3;  // columns: closer marks would be one

}  // namespace

int poll_foot(const LaneRow& row) { return (row.y1 - row.y0) / 4; }

void draw_polls(Scene& scene, const LayoutContext& context) {
  const auto& answers = context.trace.answers.polls;
  for (auto first = answers.begin(); first != answers.end();) {
    const OperationIndex poll = first->operation;
    const auto last = std::find_if(first, answers.end(), [&](const auto& one) { return one.operation != poll; });
    const std::vector<Bar> bars = bars_of(context, poll);
    const auto bar = std::find_if(bars.begin(), bars.end(), [](const Bar& one) { return one.kind == TrackKind::host; });
    if (bar != bars.end()) {
      const int thick = std::max(1, context.metrics.row / 20), top = bar->y1 - poll_foot({bar->kind, bar->y0, bar->y1});
      std::int64_t before = std::numeric_limits<std::int64_t>::min() / 2;
      for (auto at = first; at != last; ++at) {
        const std::int64_t x = context.frame.plot_x + column(context.view, at->at);
        if (x - before < kApart && at + 1 != last) continue;
        before = x;
        if (known(at->worked_until)) {
          const std::int64_t over = context.frame.plot_x + column(context.view, at->worked_until);
          fill_in_plot(scene, context, x, top, over, bar->y1, colour(OperationKind::work));
        }
        fill_in_plot(scene, context, x, top, x + thick, bar->y1, context.theme.strong_text);
      }
    }
    first = last;
  }
}

}  // namespace streamscope::timeline
