#include "app/timeline/draw_inside.h"

#include <algorithm>
#include <cmath>
#include <string>

#include "app/timeline/bar_style.h"
#include "app/timeline/draw_rectangle.h"
#include "app/timeline/text_width.h"
#include "engine/analysis/kernel_figures.h"

namespace streamscope::timeline {
namespace {

struct BarRow {
  InsideRow kind;
  int y0, y1;  // of the bars, air taken off
};

// The first of the texts, of which each is longer than the next, that has room.
void draw_text(Scene& scene, const LayoutContext& context, const std::vector<std::string>& texts, const Rectangle& bar,
               float size, Colour ink) {
  const float middle = static_cast<float>(bar.y0 + bar.y1) / 2;
  if (size < 7 || !fits(middle, size, context.area)) return;
  for (const std::string& text : texts) {
    const float width = text_width(text, Font::regular, size) + size * 0.5F;
    if (width > static_cast<float>(bar.x1 - bar.x0)) continue;
    if (bar.fill == Fill::hatch) {  // no text reads well on stripes
      const int spared = static_cast<int>((static_cast<float>(bar.x1 - bar.x0) - width) / 2);
      add_clipped(scene, {bar.x0 + spared, bar.y0, bar.x1 - spared, bar.y1, context.theme.background}, context.area);
    }
    scene.texts.push_back({static_cast<float>(bar.x0 + bar.x1) / 2, middle, size, Anchor::centre, Font::regular, ink,
                           text, bar.x0, bar.x1});
    return;
  }
}

// The number of the tile that is worked on, and on a stage's row what stands in the kernel behind the work.
void draw_tile(Scene& scene, const LayoutContext& context, const trace::KernelFacts* kernel, const StagePiece& piece,
               const Rectangle& bar) {
  const std::string tile = std::to_string(context.trace.stages.blocks[piece.block].stages[piece.stage].tile);
  std::vector<std::string> texts;
  if (kernel != nullptr) {
    for (const std::string& call : calls_of(*kernel, piece.phase)) texts.push_back(tile + "  " + call);
  }
  texts.push_back(tile);
  draw_text(scene, context, texts, bar, context.metrics.bar_text, text_on(bar.colour));
}

// What stands in the kernel where a tile is copied and waited for. The bars are lower than those of work.
void draw_calls(Scene& scene, const LayoutContext& context, const trace::KernelFacts* kernel, const StagePiece& piece,
                const Rectangle& bar) {
  if (kernel == nullptr) return;
  const float size = std::min(context.metrics.bar_text, static_cast<float>(bar.y1 - bar.y0) * 0.9F);
  const bool waiting = piece.phase == Phase::waiting;
  draw_text(scene, context, calls_of(*kernel, piece.phase), bar, size,
            waiting ? context.theme.strong_text : text_on(bar.colour));
}

void draw_piece(Scene& scene, const LayoutContext& context, const BarRow& row, const StagePiece& piece, Rectangle bar,
                const BarStyle& own, bool one, bool touches, const trace::KernelFacts* kernel) {
  const bool work = piece.phase == Phase::working;
  // Work is the tallest: what fills a row is what the kernel is there for.
  const int air = work ? 0 : (row.y1 - row.y0) / (piece.phase == Phase::copying ? 4 : 5);
  bar.y0 += air;
  bar.y1 -= air;
  if (piece.phase == Phase::waiting) {
    bar.fill = Fill::hatch;
    // On a multiprocessor's row waiting is nobody's in particular; on a stage's it is for this copy.
    if (row.kind != InsideRow::stage) bar.colour = context.theme.waiting;
    add_clipped(scene, bar, context.area);
  } else {
    bar.colour = own.ground;
    add_styled(scene, own, bar, context.area);
  }
  if (!one) return;
  if (!work) return draw_calls(scene, context, kernel, piece, bar);
  if (touches && bar.x1 - bar.x0 >= 4) add_clipped(scene, seam_of(bar, context.theme), context.area);
  draw_tile(scene, context, kernel, piece, bar);
}

void draw_moment(Scene& scene, const LayoutContext& context) {
  if (context.options.ring.block == kNoBlock) return;
  const std::int64_t x = column(context.view, context.options.ring.time);
  if (x < 0 || x >= context.frame.plot_width) return;
  const int at = context.frame.plot_x + static_cast<int>(x);
  const Colour ink = faded(context.theme.selection, 150);
  for (const Strip& strip : context.strips)
    if (strip.kind == TrackKind::inside && strip.track != Strip::kNone)
      add_clipped(scene, {at, strip.y0, at + 1, strip.y1, ink}, context.area);
}

}  // namespace

void draw_inside(Scene& scene, const LayoutContext& context) {
  std::vector<PixelRun> runs;
  for (const Strip& strip : context.strips) {
    if (strip.track == Strip::kNone || strip.kind != TrackKind::inside) continue;
    const Track& track = context.tracks.tracks[strip.track];
    const trace::KernelFacts* const kernel = track.inside == InsideRow::stage
                                                 ? analysis::find_kernel(context.trace, context.tracks.inside.operation)
                                                 : nullptr;
    const auto [first, end] = lanes_in_sight(context.metrics, context.area, strip, track.executing.size());
    for (std::size_t at = first; at < end; ++at) {
      const Lane& lane = track.executing[at];
      const int y0 = strip.y0 + static_cast<int>(at) * context.metrics.row;
      const BarRow row{track.inside, y0 + context.metrics.inset, y0 + context.metrics.row - context.metrics.inset};
      runs.clear();
      emit(lane, context.view, 0, context.frame.plot_width, runs);
      bool worked = false;  // the run before was of work
      std::int32_t previous_end = -1;
      for (const PixelRun& run : runs) {
        const std::uint32_t which = lane.span[run.longest];
        const StagePiece& piece = context.tracks.inside.pieces[which];
        Colour own = colour(piece.phase);
        if (which == context.options.hovered_piece) own = mixed(own, {255, 255, 255, 255}, 0.35F);
        draw_piece(scene, context, row, piece,
                   {context.frame.plot_x + run.x0, row.y0, context.frame.plot_x + run.x1, row.y1, own},
                   bar_style(own, pattern_of(piece.phase), context.theme), alone(run), worked && run.x0 == previous_end,
                   kernel);
        previous_end = run.x1;
        worked = piece.phase == Phase::working;
      }
    }
  }
  draw_moment(scene, context);
}

int draw_ring(Scene& scene, const Ring& ring, const Theme& theme, const Rectangle& within, float text_size,
              const TrackArea& rows) {
  const int box = static_cast<int>(std::lround(text_size * 2.7F)), gap = std::max(2, box / 10);
  const int height = static_cast<int>(std::lround(text_size * 2));
  const int edge = std::max(1, static_cast<int>(std::lround(text_size / 11)));
  const int y0 = within.y0 + (within.y1 - within.y0 - height) / 2 - edge, y1 = y0 + height;
  const int count = static_cast<int>(ring.slots.size());
  const int left = std::max(within.x0, within.x1 - count * (box + gap) + gap);
  for (int i = 0; i < count; ++i) {
    const RingSlot& slot = ring.slots[static_cast<std::size_t>(i)];
    const int x0 = left + i * (box + gap), x1 = x0 + box;
    if (x1 > within.x1) break;
    const bool empty = slot.state == SlotState::empty || slot.state == SlotState::unrecorded;
    const Colour own = colour(slot.state == SlotState::working ? Phase::working : Phase::copying);
    Colour ground = theme.background;
    const auto put = [&](int left_x, int upper, int right_x, int lower, Colour ink, Fill fill) {
      add_clipped(scene, {left_x, upper, right_x, lower, ink, fill}, rows);
    };
    put(x0, y0, x1, y1, empty ? theme.waiting : own, Fill::solid);
    put(x0 + edge, y0 + edge, x1 - edge, y1 - edge, ground, Fill::solid);
    if (!empty) {
      const double share = std::clamp(slot.filled, 0.0, 1.0);
      const int full = x0 + edge + static_cast<int>(std::lround(share * (box - 2 * edge)));
      put(x0 + edge, y0 + edge, full, y1 - edge, own, Fill::solid);
      put(full, y0 + edge, x1 - edge, y1 - edge, own, Fill::hatch);
      if (share > 0.5) ground = own;
    }
    const auto middle = static_cast<float>(x0 + x1) / 2, line = static_cast<float>(y0 + y1) / 2;
    std::string text = empty ? (slot.state == SlotState::unrecorded ? "?" : "") : std::to_string(slot.tile);
    if (!text.empty() && fits(line, text_size, rows))
      scene.texts.push_back({middle, line, text_size, Anchor::centre, Font::bold,
                             empty ? theme.faint_text : text_on(ground), std::move(text), x0, x1});
    const float tip = static_cast<float>(y1) + text_size * 0.25F, foot = tip + text_size * 0.4F;
    if (slot.state != SlotState::working || foot > static_cast<float>(rows.bottom) || y1 < rows.top) continue;
    const float half = text_size * 0.4F, width = std::max(1.5F, text_size / 6);
    scene.lines.push_back({middle - half, foot, middle, tip, theme.strong_text, width});
    scene.lines.push_back({middle, tip, middle + half, foot, theme.strong_text, width});
  }
  return left;
}

}  // namespace streamscope::timeline
