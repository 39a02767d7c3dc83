#include "app/timeline/inside_bars.h"

#include <algorithm>
#include <string>

#include "app/timeline/text_width.h"

namespace streamscope::timeline {
namespace {

struct BarRow {
  InsideRow kind;
  int y0, y1;  // of the bars, air taken off
};

// The number of the tile that is worked on.
void draw_tile(Picture& picture, const Scene& scene, const StagePiece& piece, const Rectangle& bar) {
  const float size = scene.metrics.bar_text;
  const float middle = static_cast<float>(bar.y0 + bar.y1) / 2;
  if (size < 7 || !fits(middle, size, scene.area.top, scene.area.bottom)) return;
  const std::uint32_t tile = scene.trace.stages.blocks[piece.block].stages[piece.stage].tile;
  std::string text = std::to_string(tile);
  if (text_width(text, Font::regular, size) + size * 0.5F > static_cast<float>(bar.x1 - bar.x0)) return;
  picture.texts.push_back({static_cast<float>(bar.x0 + bar.x1) / 2, middle, size, Anchor::centre, Font::regular,
                           text_on(bar.colour), std::move(text), bar.x0, bar.x1});
}

void draw_piece(Picture& picture, const Scene& scene, const BarRow& row, const StagePiece& piece, Rectangle bar,
                const Coat& own, bool one, bool touches) {
  const bool work = piece.phase == Phase::working;
  // Work is the tallest: what fills a row is what the kernel is there for.
  const int air = work ? 0 : (row.y1 - row.y0) / (piece.phase == Phase::copying ? 4 : 5);
  bar.y0 += air;
  bar.y1 -= air;
  if (piece.phase == Phase::waiting) {
    bar.fill = Fill::hatch;
    // On a multiprocessor's row waiting is nobody's in particular; on a stage's it is for this copy.
    if (row.kind != InsideRow::stage) bar.colour = scene.theme.waiting;
    add_clipped(picture, bar, scene.area.top, scene.area.bottom);
  } else {
    bar.colour = own.ground;
    add_coated(picture, own, bar, scene.area.top, scene.area.bottom);
  }
  if (!work || !one) return;
  if (touches && bar.x1 - bar.x0 >= 4) {
    Rectangle seam = bar;
    seam.x1 = seam.x0 + 1;
    seam.colour = mixed(bar.colour, scene.theme.background, 0.55F);
    add_clipped(picture, seam, scene.area.top, scene.area.bottom);
  }
  draw_tile(picture, scene, piece, bar);
}

void draw_moment(Picture& picture, const Scene& scene) {
  if (scene.options.ring.block == RingAt::kNoBlock) return;
  const std::int64_t x = column(scene.view, scene.options.ring.time);
  if (x < 0 || x >= scene.frame.plot_width) return;
  const int at = scene.frame.plot_x + static_cast<int>(x);
  Colour ink = scene.theme.selection;
  ink.a = 150;
  for (const Strip& strip : scene.strips)
    if (strip.kind == TrackKind::inside && strip.track != Strip::kNone)
      add_clipped(picture, {at, strip.y0, at + 1, strip.y1, ink, Fill::solid}, scene.area.top, scene.area.bottom);
}

}  // namespace

Colour colour(Phase phase) {
  return phase == Phase::working ? colour(OperationKind::kernel) : colour(OperationKind::d2d);
}

Fill pattern_of(Phase phase) {
  return pattern_of(phase == Phase::working ? OperationKind::kernel : OperationKind::d2d);
}

void draw_inside(Picture& picture, const Scene& scene) {
  std::vector<PixelRun> runs;
  for (const Strip& strip : scene.strips) {
    if (strip.track == Strip::kNone || strip.kind != TrackKind::inside) continue;
    const Track& track = scene.tracks.tracks[strip.track];
    const auto [first, end] = lanes_in_sight(scene.metrics, scene.area, strip, track.executing.size());
    for (std::size_t at = first; at < end; ++at) {
      const Lane& lane = track.executing[at];
      const int y0 = strip.y0 + static_cast<int>(at) * scene.metrics.row;
      const BarRow row{track.inside, y0 + scene.metrics.inset, y0 + scene.metrics.row - scene.metrics.inset};
      runs.clear();
      emit(lane, scene.view, 0, scene.frame.plot_width, runs);
      bool worked = false;  // the run before was of work
      std::int32_t previous_end = -1;
      for (const PixelRun& run : runs) {
        const std::uint32_t which = lane.span[run.longest];
        const StagePiece& piece = scene.tracks.inside.pieces[which];
        Colour own = colour(piece.phase);
        if (which == scene.options.hovered_piece) own = mixed(own, {255, 255, 255, 255}, 0.35F);
        draw_piece(picture, scene, row, piece,
                   {scene.frame.plot_x + run.x0, row.y0, scene.frame.plot_x + run.x1, row.y1, own, Fill::solid},
                   coat(own, pattern_of(piece.phase), scene.theme), alone(run), worked && run.x0 == previous_end);
        previous_end = run.x1;
        worked = piece.phase == Phase::working;
      }
    }
  }
  draw_moment(picture, scene);
}

}  // namespace streamscope::timeline
