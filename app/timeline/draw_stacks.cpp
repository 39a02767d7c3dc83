#include "app/timeline/draw_stacks.h"

#include <algorithm>
#include <numeric>
#include <utility>

namespace streamscope::timeline {

StackBuilder::StackBuilder(const Lane& lane, const View& view, ColourBy colour_by, const Theme& theme,
                           const StackPlace& place, float pale, Meaning lit, bool full)
    : lane_(lane), view_(view), which_(number(colour_by)), full_(full), place_(place) {
  stacks_ = {place.plot_x, place.y0, place.y1, place.rows.top, place.rows.bottom, {}, {}, 0};
  for (const std::uint8_t each : lane.sums[which_].classes) {
    const BarStyle own = style_of_class(each, colour_by, theme);
    const float mix = dimmed(each, lit) ? std::max(pale, kPale) : pale;
    stacks_.layers.push_back(
        {mixed(own.ground, theme.background, mix), own.pattern, mixed(own.ink, theme.background, mix)});
  }
}

void StackBuilder::add(const PixelRun& run) {
  const std::size_t layers = stacks_.layers.size();
  const int height = place_.y1 - place_.y0;
  stacks_.heights.resize(static_cast<std::size_t>(place_.plot_width) * layers);
  density(lane_, which_, view_, run.x0, run.x1, density_);
  for (std::size_t column = 0; column < density_.present.size(); ++column) {
    const std::span busy = std::span(density_.busy).subspan(column * layers, layers);
    const std::span heights =
        std::span(stacks_.heights).subspan((static_cast<std::size_t>(run.x0) + column) * layers, layers);
    const std::uint16_t present = density_.present[column];
    if (present == 0) {  // of times that lie beyond all that is drawn
      const ClassSums& sums = lane_.sums[which_];
      heights[sums.place[class_of(lane_.classes[run.longest], which_)]] = static_cast<std::uint16_t>(height);
      continue;
    }
    const std::int64_t whole = full_ ? std::accumulate(busy.begin(), busy.end(), std::int64_t{0}) : view_.scale;
    share_out(busy, present, whole, height, heights);
  }
}

void StackBuilder::put_onto(Scene& scene) {
  if (stacks_.heights.empty()) return;
  stacks_.before = scene.rectangles.size();
  scene.stacks.push_back(std::move(stacks_));
}

}  // namespace streamscope::timeline
