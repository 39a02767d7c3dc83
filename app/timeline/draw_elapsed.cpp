#include "app/timeline/draw_elapsed.h"

#include <fmt/format.h>

#include <algorithm>

#include "app/timeline/draw_rectangle.h"
#include "app/timeline/flow_arrows.h"
#include "app/timeline/text_width.h"

namespace streamscope::timeline {
namespace {

void draw_bracket(Scene& scene, const LayoutContext& context, const trace::Span& span, const Bar& from, const Bar& to) {
  const int thick = std::max(1, context.metrics.row / 20), foot = 3 * thick;
  const std::int64_t x0 = std::min(from.x1, to.x1), x1 = std::max(from.x1, to.x1);
  const Colour ink = context.theme.strong_text;
  fill_in_plot(scene, context, x0, to.y1 - thick, x1, to.y1, ink);
  fill_in_plot(scene, context, x0, to.y1 - foot, x0 + thick, to.y1, ink);
  fill_in_plot(scene, context, x1 - thick, to.y1 - foot, x1, to.y1, ink);

  const std::int64_t left = context.frame.plot_x, right = left + context.frame.plot_width;
  const auto seen0 = static_cast<int>(std::clamp(x0, left, right)),
             seen1 = static_cast<int>(std::clamp(x1, left, right));
  const float size = context.metrics.small_text, middle = static_cast<float>(to.y1) - size * 0.7F;
  std::string text = answer_text(span);
  const float width = text_width(text, Font::regular, size) + size * 0.6F;
  if (width > static_cast<float>(seen1 - seen0) || !fits(middle, size, context.area)) return;
  // On a plate of its own, for bars may lie under it.
  const int centre = (seen0 + seen1) / 2, half = static_cast<int>(width / 2);
  add_clipped(
      scene,
      {centre - half, static_cast<int>(middle - size * 0.6F), centre + half, to.y1 - thick, context.theme.background},
      context.area);
  scene.texts.push_back(
      {static_cast<float>(centre), middle, size, Anchor::centre, Font::regular, ink, std::move(text), seen0, seen1});
}

}  // namespace

std::string answer_text(const trace::Span& span) {
  if (known(span.elapsed)) return fmt::format("{:.3f} ms", static_cast<double>(span.elapsed) / 1e6);
  return std::string(name(span.result));
}

void draw_elapsed(Scene& scene, const LayoutContext& context) {
  for (const std::uint32_t index : context.tracks.elapsed) {
    const trace::Span span = trace::span_at(context.trace, index);
    const std::vector<Bar> first = bars_of(context, span.elapsed_from), second = bars_of(context, span.elapsed_to);
    const Bar* const from = bar_for(first, FlowKind::order);
    const Bar* const to = bar_for(second, FlowKind::order);
    if (from != nullptr && to != nullptr) draw_bracket(scene, context, span, *from, *to);
  }
}

}  // namespace streamscope::timeline
