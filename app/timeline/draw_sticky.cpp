#include "app/timeline/draw_sticky.h"

#include <algorithm>
#include <cmath>

#include "app/timeline/draw_rectangle.h"
#include "app/timeline/text_width.h"
#include "engine/base/translate.h"

namespace streamscope::timeline {
namespace {

constexpr std::uint8_t kUntold = 26, kTold = 62;  // opacity

struct Region {
  std::int64_t failed, told, until;  // columns of the picture
};
Region region_of(const LayoutContext& context) {
  const trace::StickyError& error = *context.tracks.sticky;
  const auto x_of = [&](Nanoseconds time) { return context.frame.plot_x + column(context.view, time); };
  return {x_of(known(error.failed) ? std::min(error.failed, error.told) : error.told), x_of(error.told),
          x_of(error.until)};
}

// In a row that only heads a group: no bar is there.
void draw_words(Scene& scene, const LayoutContext& context, const std::string& words, std::int64_t x0,
                std::int64_t x1) {
  const int left = context.frame.plot_x, right = left + context.frame.plot_width;
  const auto from = static_cast<int>(std::clamp<std::int64_t>(x0, left, right));
  const auto to = static_cast<int>(std::clamp<std::int64_t>(x1, left, right));
  const float size = context.metrics.small_text, air = size * 0.4F;
  if (text_width(words, Font::regular, size) + 3 * air > static_cast<float>(to - from)) return;
  for (const Strip& strip : context.strips) {
    const float middle = static_cast<float>(strip.y0 + strip.y1) / 2;
    if (strip.track != Strip::kNone || !fits(middle, size, context.area)) continue;
    scene.texts.push_back({static_cast<float>(from) + 2 * air, middle, size, Anchor::left, Font::regular,
                           context.theme.strong_text, words, from, to});
    return;
  }
}

}  // namespace

void draw_sticky_region(Scene& scene, const LayoutContext& context) {
  if (!context.tracks.sticky) return;
  const Region region = region_of(context);
  const auto [top, bottom] = context.area;
  const Colour red = context.theme.error;
  const int edge = std::max(1, context.metrics.row / 16);
  fill_in_plot(scene, context, region.failed, top, region.told, bottom, faded(red, kUntold));
  fill_in_plot(scene, context, region.told, top, std::max(region.until, region.told + 1), bottom, faded(red, kTold));
  fill_in_plot(scene, context, region.failed, top, region.failed + 1, bottom, red);
  fill_in_plot(scene, context, region.told, top, region.told + edge, bottom, red);
}

void draw_sticky_words(Scene& scene, const LayoutContext& context) {
  if (!context.tracks.sticky) return;
  const Region region = region_of(context);
  draw_words(scene, context, tr("failed, not told yet"), region.failed, region.told);
  const std::string whole = sticky_text(*context.tracks.sticky);
  const std::string error(name(context.tracks.sticky->error));
  const float room =
      static_cast<float>(std::min<std::int64_t>(region.until, context.frame.plot_x + context.frame.plot_width) -
                         std::max<std::int64_t>(region.told, context.frame.plot_x));
  const float size = context.metrics.small_text;
  draw_words(scene, context, text_width(whole, Font::regular, size) + size < room ? whole : error, region.told,
             region.until);
}

std::string sticky_text(const trace::StickyError& error) { return tr("{} sticks", name(error.error)); }

}  // namespace streamscope::timeline
