#include "app/timeline/draw_elapsed.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <map>
#include <optional>
#include <string>
#include <utility>

#include "app/timeline/draw_rectangle.h"
#include "app/timeline/flow_arrows.h"
#include "app/timeline/text_width.h"

namespace streamscope::timeline {
namespace {

// Columns of a row that texts stand in, apart from each other and in order.
class TakenColumns {
 public:
  // Of what the scene has in these rows, with some air around each.
  TakenColumns(const Scene& scene, float top, float bottom) {
    for (const Text& one : scene.texts) {
      if (one.y + one.size * 0.5F <= top || one.y - one.size * 0.5F >= bottom) continue;
      const float width = text_width(one.text, one.font, one.size);
      const float left = one.x - (one.anchor == Anchor::left ? 0 : one.anchor == Anchor::centre ? width / 2 : width);
      const float air = one.size * 0.6F;
      take(static_cast<int>(std::max(left, static_cast<float>(one.clip_x0)) - air),
           static_cast<int>(std::ceil(std::min(left + width, static_cast<float>(one.clip_x1)) + air)));
    }
  }
  bool free(int x0, int x1) const {
    const auto behind = ends_.upper_bound(x0);  // the first that ends behind x0
    return behind == ends_.end() || behind->second >= x1;
  }
  // The middle of a text of twice `half`, at least `low` and at most `high`: where it is free, as near to the middle of
  // the two as may be; there where nothing is.
  int place_for(int half, int low, int high) const {
    const int middle = (low + high) / 2;
    std::optional<int> best;
    const auto offer = [&](int at) {
      if (at < low || at > high || !free(at - half, at + half)) return;
      if (!best || std::abs(at - middle) < std::abs(*best - middle)) best = at;
    };
    for (const int at : {middle, low, high}) offer(at);
    for (const auto& [end, begin] : ends_) offer(begin - half), offer(end + half);
    return best.value_or(middle);
  }
  void take(int x0, int x1) {
    if (x0 >= x1) return;
    for (auto at = ends_.lower_bound(x0); at != ends_.end() && at->second <= x1; at = ends_.erase(at)) {
      x0 = std::min(x0, at->second);
      x1 = std::max(x1, at->first);
    }
    ends_.emplace(x1, x0);
  }

 private:
  std::map<int, int> ends_;  // begin, by end
};
using TakenByRow = std::map<int, TakenColumns>;  // by the row's lower edge

void draw_bracket(Scene& scene, const LayoutContext& context, const trace::Span& span, const Bar& from, const Bar& to,
                  TakenByRow& taken_by_row) {
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
  // On a plate of its own, for bars may lie under it; where the bars' own texts leave room, if anywhere.
  const int half = static_cast<int>(width / 2);
  const float top = middle - size * 0.6F;
  TakenColumns& taken = taken_by_row.try_emplace(to.y1, scene, top, static_cast<float>(to.y1 - thick)).first->second;
  const int centre = taken.place_for(half, seen0 + half, seen1 - half);
  taken.take(centre - half, centre + half);
  add_clipped(scene, {centre - half, static_cast<int>(top), centre + half, to.y1 - thick, context.theme.background},
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
  TakenByRow taken;
  for (const std::uint32_t index : context.tracks.elapsed) {
    const trace::Span span = trace::span_at(context.trace, index);
    const std::vector<Bar> first = bars_of(context, span.elapsed_from), second = bars_of(context, span.elapsed_to);
    const Bar* const from = bar_for(first, FlowKind::order);
    const Bar* const to = bar_for(second, FlowKind::order);
    if (from != nullptr && to != nullptr) draw_bracket(scene, context, span, *from, *to, taken);
  }
}

}  // namespace streamscope::timeline
