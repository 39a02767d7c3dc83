#include "app/timeline/ring.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <tuple>

#include "app/timeline/inside_bars.h"
#include "engine/base/quantity.h"

namespace streamscope::timeline {
namespace {

// Nanoseconds from the block's run to that time; 0 while it ran, and where no time is asked for.
Nanoseconds distance(const trace::StageBlock& block, Nanoseconds time) {
  if (!known(time)) return 0;
  if (known(block.begin) && time < block.begin) return block.begin - time;
  if (known(block.end) && time > block.end) return time - block.end;
  return 0;
}

}  // namespace

Ring ring(const trace::StageBlock& block, Nanoseconds at) {
  Ring out;
  const std::uint32_t places = std::max(block.places, 1U);
  out.places.resize(places);
  // Of more tiles than it told only the newest are known.
  const bool whole = block.stages.size() >= block.tiles;
  if (!whole && (!known(block.end) || at < block.end))
    for (RingPlace& place : out.places) place.state = PlaceState::untold;
  for (const trace::Stage& stage : block.stages) {
    RingPlace& place = out.places[stage.tile % places];
    if (!known(stage.load_issued) || at < stage.load_issued) continue;
    if (at >= stage.compute_over) {
      place = {};
    } else if (at >= stage.wait_over) {
      place = {PlaceState::working, stage.tile, 1};
    } else {
      const auto since = static_cast<double>(at - stage.load_issued);
      place = {PlaceState::filling, stage.tile, since / static_cast<double>(stage.wait_over - stage.load_issued)};
    }
  }
  return out;
}

std::string ring_caption(const trace::StageBlock& block, const Ring& ring, Nanoseconds at) {
  std::string text = fmt::format("block {} on SM {}", block.block, block.multiprocessor);
  if (known(block.begin) && at < block.begin) return text + ": it has not begun";
  if (known(block.end) && at >= block.end) return text + ": it is over";
  // Counted from its begin, for a run's time would hide the nanoseconds.
  if (known(block.begin)) text += fmt::format(", {} after it began", display_duration(at - block.begin));
  const auto working = std::find_if(ring.places.begin(), ring.places.end(),
                                    [](const RingPlace& place) { return place.state == PlaceState::working; });
  const auto under_way = std::count_if(ring.places.begin(), ring.places.end(),
                                       [](const RingPlace& place) { return place.state == PlaceState::filling; });
  const bool untold = std::any_of(ring.places.begin(), ring.places.end(),
                                  [](const RingPlace& place) { return place.state == PlaceState::untold; });
  if (working != ring.places.end())
    text += fmt::format(": works on tile {}", working->tile);
  else
    text += untold ? ": not told" : ": works on none";
  if (under_way > 0) text += fmt::format(", {} cop{} under way", under_way, under_way == 1 ? "y" : "ies");
  return text;
}

std::uint32_t block_at(const trace::Trace& trace, const Opening& opening, Nanoseconds time) {
  const std::vector<trace::StageBlock>& all = trace.stages.blocks;
  const auto key = [&](std::uint32_t at) {
    return std::tuple(!opening.multiprocessors.contains(all[at].multiprocessor), distance(all[at], time),
                      all[at].multiprocessor, all[at].block);
  };
  std::uint32_t best = RingAt::kNoBlock;
  for (std::uint32_t i = 0; i < all.size(); ++i) {
    if (all[i].operation != opening.operation || all[i].stages.empty()) continue;
    if (best == RingAt::kNoBlock || key(i) < key(best)) best = i;
  }
  return best;
}

int draw_ring(Picture& picture, const Ring& ring, const Theme& theme, const Rectangle& within, float text_size, int top,
              int bottom) {
  const int box = static_cast<int>(std::lround(text_size * 2.7F)), gap = std::max(2, box / 10);
  const int height = static_cast<int>(std::lround(text_size * 2));
  const int edge = std::max(1, static_cast<int>(std::lround(text_size / 11)));
  const int y0 = within.y0 + (within.y1 - within.y0 - height) / 2 - edge, y1 = y0 + height;
  const int count = static_cast<int>(ring.places.size());
  const int left = std::max(within.x0, within.x1 - count * (box + gap) + gap);
  for (int i = 0; i < count; ++i) {
    const RingPlace& place = ring.places[static_cast<std::size_t>(i)];
    const int x0 = left + i * (box + gap), x1 = x0 + box;
    if (x1 > within.x1) break;
    const bool empty = place.state == PlaceState::empty || place.state == PlaceState::untold;
    const Colour own = colour(place.state == PlaceState::working ? Phase::working : Phase::copying);
    Colour ground = theme.background;
    const auto put = [&](int left_x, int upper, int right_x, int lower, Colour ink, Fill fill) {
      add_clipped(picture, {left_x, upper, right_x, lower, ink, fill}, top, bottom);
    };
    put(x0, y0, x1, y1, empty ? theme.waiting : own, Fill::solid);
    put(x0 + edge, y0 + edge, x1 - edge, y1 - edge, ground, Fill::solid);
    if (!empty) {
      const double share = std::clamp(place.filled, 0.0, 1.0);
      const int full = x0 + edge + static_cast<int>(std::lround(share * (box - 2 * edge)));
      put(x0 + edge, y0 + edge, full, y1 - edge, own, Fill::solid);
      put(full, y0 + edge, x1 - edge, y1 - edge, own, Fill::hatch);
      if (share > 0.5) ground = own;
    }
    const auto middle = static_cast<float>(x0 + x1) / 2, line = static_cast<float>(y0 + y1) / 2;
    std::string text = empty ? (place.state == PlaceState::untold ? "?" : "") : std::to_string(place.tile);
    if (!text.empty() && fits(line, text_size, top, bottom))
      picture.texts.push_back({middle, line, text_size, Anchor::centre, Font::bold,
                               empty ? theme.faint_text : text_on(ground), std::move(text), x0, x1});
    const float tip = static_cast<float>(y1) + text_size * 0.25F, foot = tip + text_size * 0.4F;
    if (place.state != PlaceState::working || foot > static_cast<float>(bottom) || y1 < top) continue;
    const float half = text_size * 0.4F, width = std::max(1.5F, text_size / 6);
    picture.lines.push_back({middle - half, foot, middle, tip, theme.strong_text, width});
    picture.lines.push_back({middle, tip, middle + half, foot, theme.strong_text, width});
  }
  return left;
}

}  // namespace streamscope::timeline
