#include "app/timeline/wait_arrows.h"

#include <algorithm>

#include "app/timeline/flow_arrows.h"
#include "app/timeline/text_width.h"
#include "engine/analysis/wait_cause.h"
#include "engine/base/translate.h"

namespace streamscope::timeline {
namespace {

// Who waited, of those that a bar stands for alone.
std::vector<trace::Span> waiters_in_sight(const LayoutContext& context) {
  std::vector<trace::Span> out;
  std::vector<PixelRun> runs;
  for (const Strip& strip : context.strips) {
    if (strip.track == Strip::kNone || strip.kind != TrackKind::stream) continue;
    const std::vector<Lane>& lanes = context.tracks.tracks[strip.track].executing;
    const LaneRange range = lanes_in_sight(context.metrics, context.area, strip, lanes.size());
    for (std::size_t lane = range.first; lane < range.end; ++lane) {
      runs.clear();
      emit(lanes[lane], context.view, 0, context.frame.plot_width, runs);
      for (const PixelRun& run : runs) {
        if (!alone(run)) continue;
        const trace::Span span = trace::span_at(context.trace, lanes[lane].span[run.first]);
        if (span.waits_for != kNoOperation) out.push_back(span);
      }
    }
  }
  return out;
}

// On a plate of its own in the plot's corner.
void say_how_many(Scene& scene, const LayoutContext& context, std::size_t count) {
  const float size = context.metrics.small_text, air = size * 0.5F;
  const std::string words = tr("{} waits in sight: zoom in to see their arrows", count);
  const float width = text_width(words, Font::regular, size);
  const int left = context.frame.plot_x, right = left + static_cast<int>(width + 2 * air),
            bottom = context.area.top + static_cast<int>(size + 2 * air);
  scene.rectangles.push_back({left, context.area.top, right, bottom, context.theme.panel});
  scene.texts.push_back({static_cast<float>(left) + air, static_cast<float>(context.area.top) + air + size / 2, size,
                         Anchor::left, Font::regular, context.theme.text, words, left, right});
}

}  // namespace

void draw_wait_arrows(Scene& scene, const LayoutContext& context) {
  if (!context.options.all_waits) return;
  const std::vector<trace::Span> all = waiters_in_sight(context);
  if (all.size() > kMostArrows) return say_how_many(scene, context, all.size());
  const float width = std::max(1.5F, context.metrics.text / 9);
  for (const trace::Span& span : all) {
    if (span.operation == context.options.selected) continue;  // it has them anyway
    // From row to row of the streams: on an engine's own row the one touches the other.
    draw_flow(scene, context, bars_of(context, analysis::wait_cause(context.trace, span).operation),
              bars_of(context, span.operation), FlowKind::order, context.theme.strong_text, width,
              span.reason == trace::WaitReason::engine);
  }
}

}  // namespace streamscope::timeline
