#include "app/timeline/track_headers.h"

#include <fmt/format.h>

#include <algorithm>

#include "app/timeline/draw_inside.h"
#include "app/timeline/draw_rectangle.h"
#include "app/timeline/text_width.h"
#include "engine/base/translate.h"

namespace streamscope::timeline {
namespace {

// What of the kernel's inside is known, right of its heading; and the ring, at the right end.
void draw_detail(Scene& scene, const LayoutContext& context, const Strip& strip, float middle) {
  const Metrics& m = context.metrics;
  const int x = context.frame.plot_x + m.pad;
  int right = context.options.width - m.pad;
  std::string caption;
  const RingAt& at = context.options.ring;
  if (at.block < context.trace.stages.blocks.size()) {
    const trace::StageBlock& block = context.trace.stages.blocks[at.block];
    const Ring shown = timeline::ring(block, at.time);
    right =
        draw_ring(scene, shown, context.theme, {x, strip.y0, right, strip.y1, {}}, m.small_text, context.area) - m.pad;
    caption = ring_caption(block, shown, at.time);
  }
  const auto put = [&](float y, const std::string& words, Colour ink) {
    if (words.empty() || !fits(y, m.small_text, context.area)) return;
    scene.texts.push_back({static_cast<float>(x), y, m.small_text, Anchor::left, Font::regular, ink,
                           fitted(words, Font::regular, m.small_text, static_cast<float>(right - x)),
                           context.frame.plot_x, right});
  };
  put(caption.empty() ? middle : middle - m.small_text * 0.75F, context.tracks.inside.detail, context.theme.faint_text);
  put(middle + m.small_text * 0.75F, caption, context.theme.text);
}

// Points to what is there to open, or down to what is open.
void draw_chevron(Scene& scene, float x, float middle, float half, bool open, Colour ink) {
  const float width = std::max(1.0F, half * 0.4F);
  if (open) {
    scene.lines.push_back({x, middle - half / 2, x + half, middle + half / 2, ink, width});
    scene.lines.push_back({x + half, middle + half / 2, x + 2 * half, middle - half / 2, ink, width});
  } else {
    scene.lines.push_back({x + half / 2, middle - half, x + half * 1.5F, middle, ink, width});
    scene.lines.push_back({x + half * 1.5F, middle, x + half / 2, middle + half, ink, width});
  }
}

// A needle with a head: lit where the track is pinned, faint where it could be.
void draw_pin(Scene& scene, const LayoutContext& context, const Strip& strip, float middle) {
  const Colour ink = strip.pinned ? context.theme.selection : context.theme.faint_text;
  const float unit = static_cast<float>(context.metrics.pad) / 10;
  const float x = static_cast<float>(pin_left(context.frame, context.metrics)) + 5 * unit;
  const float thick = std::max(1.0F, 1.5F * unit);
  scene.lines.push_back({x - 3 * unit, middle - 4 * unit, x + 3 * unit, middle - 4 * unit, ink, thick});
  scene.lines.push_back({x, middle - 4 * unit, x, middle, ink, 3 * unit});
  scene.lines.push_back({x - 4 * unit, middle, x + 4 * unit, middle, ink, thick});
  scene.lines.push_back({x, middle, x, middle + 5 * unit, ink, thick});
}

std::string heading_of(const LayoutContext& context, const Strip& strip) {
  if (strip.pinned) return tr("PINNED");
  const std::string name = heading_text(context.run, group_name(context.tracks, strip.kind, strip.device));
  return strip.hidden == 0 ? name : fmt::format("{} ({})", name, strip.hidden);
}

}  // namespace

void draw_headers(Scene& scene, const LayoutContext& context) {
  const Metrics& m = context.metrics;
  const auto x = static_cast<float>(m.pad);
  const int clip = context.frame.plot_x;
  for (const Strip& strip : context.strips) {
    const bool heading = strip.track == Strip::kNone;
    const float size = heading ? m.small_text : m.text;
    // The name stands at the first lane; of a track whose first lanes are scrolled away, at the first that is in sight.
    const int height = heading ? strip.y1 - strip.y0 : m.row;
    const int y0 = std::clamp(strip.y0, std::min(context.area.top, strip.y1 - height), strip.y1 - height);
    const float middle = static_cast<float>(std::max(strip.y0, y0)) + static_cast<float>(height) / 2;
    if (!fits(middle, size, context.area)) continue;
    if (heading) {
      const float at = middle + size * 0.15F;
      const bool folds = !strip.pinned && !context.options.on_paper;
      const float sign = heading_sign(m);
      std::string words =
          fitted(heading_of(context, strip), Font::bold, size, static_cast<float>(clip) - x - (folds ? sign : 0));
      if (folds)
        draw_chevron(scene, x + text_width(words, Font::bold, size) + sign / 2, at, sign / 4, strip.hidden == 0,
                     context.theme.faint_text);
      scene.texts.push_back(
          {x, at, size, Anchor::left, Font::bold, context.theme.faint_text, std::move(words), 0, clip});
      if (strip.kind == TrackKind::inside) draw_detail(scene, context, strip, middle + size * 0.15F);
      continue;
    }
    const Track& track = context.tracks.tracks[strip.track];
    const auto indent = static_cast<float>(indent_of(track, m));
    if (strip.pinned || context.options.hovered_header == key(track)) draw_pin(scene, context, strip, middle);
    std::string name = fitted(name_at(track, strip), Font::regular, size,
                              static_cast<float>(context.frame.plot_x) - x * 1.5F - indent);
    const Colour ink = track.inside == InsideRow::stage ? context.theme.faint_text : context.theme.text;
    scene.texts.push_back({x + indent, middle, size, Anchor::left, Font::regular, ink, std::move(name), 0, clip});
    if (track.inside == InsideRow::closed || track.inside == InsideRow::open)
      draw_chevron(scene, x, middle, static_cast<float>(m.pad) * 0.4F, track.inside == InsideRow::open,
                   context.theme.faint_text);
  }
}

}  // namespace streamscope::timeline
