#include "app/timeline/draw_waits.h"

#include <algorithm>
#include <cmath>

#include "app/timeline/draw_rectangle.h"
#include "app/timeline/text_width.h"

namespace streamscope::timeline {
namespace {

constexpr float kLeastWords = 7;                   // of a letter, pixels; smaller ones are only noise
constexpr float kFaint = 0.15F, kFainter = 0.35F;  // of waiting, and of what is only queued

// Lower than what is carried out: nothing happens here.
Rectangle place_of(const LaneRow& row, int x0, int x1) {
  const int inset = (row.y1 - row.y0) / 5;
  return {x0, row.y0 + inset, x1, row.y1 - inset, {}};
}

Meaning meaning_of(const WaitPiece& piece) {
  return piece.cause == verdict::WaitCause::gate ? kGateMeaning : piece.queued ? kQueuedMeaning : kWaitingMeaning;
}

// The line along the feet of bars: its height, and the edge that keeps it apart from a bar of the same colour.
int along_height(const LaneRow& row) {
  constexpr int kLowest = 12;  // pixels; of a lower bar nothing would be left
  const int height = row.y1 - row.y0;
  return height < kLowest ? 0 : std::max(3, height / 6);
}
int along_edge(const LayoutContext& context) { return std::max(1, context.metrics.row / 26); }

// Of a piece, the columns of the plot within [x0, x1) where that line shows it.
struct ColumnsAlong {
  int from = 0, to = 0;
};
ColumnsAlong columns_along(const LayoutContext& context, const WaitPiece& piece, std::int32_t x0, std::int32_t x1) {
  if (dimmed(meaning_of(piece), context.options.lit)) return {};
  const Pixels columns = pixels(context.view, piece.from, piece.to);
  return {static_cast<int>(std::max<std::int64_t>(columns.x0, x0)),
          static_cast<int>(std::min<std::int64_t>(columns.x1, x1))};
}

void draw_piece(Scene& scene, const LayoutContext& context, const WaitPiece& piece, Rectangle at, float pale) {
  const Theme& theme = context.theme;
  if (dimmed(meaning_of(piece), context.options.lit)) pale = std::max(pale, kPale);
  at.colour = wait_colour(context.trace, context.tracks.slots, piece, context.options.colour_by, theme);
  const bool gate = piece.cause == verdict::WaitCause::gate;
  at.colour = mixed(at.colour, theme.background, std::max(pale, gate ? 0 : piece.queued ? kFainter : kFaint));
  at.fill = pattern_of(piece);
  add_clipped(scene, at, context.area);
  if (!gate) return;
  const int rail = std::max(1, context.metrics.row / 13);  // shown by its shape too: between two rails
  for (const int y : {at.y0, at.y1 - rail}) add_clipped(scene, {at.x0, y, at.x1, y + rail, at.colour}, context.area);
}

// Pieces of one operation, side by side, that one sentence fits.
struct Gap {
  const WaitPiece* first = nullptr;
  Rectangle at;
  bool one = true;  // of one piece
};

// On a ground of its own, in the middle of the gap.
void draw_words(Scene& scene, const LayoutContext& context, const Gap& gap) {
  const Rectangle& at = gap.at;
  const float size = std::min(context.metrics.bar_text * 0.86F, static_cast<float>(at.y1 - at.y0) * 0.8F);
  // With some of the pattern left on both sides.
  const float air = size * 0.35F, room = static_cast<float>(at.x1 - at.x0) - 2 * air - 3 * size;
  const float y = static_cast<float>(at.y0 + at.y1) / 2;
  if (size < kLeastWords || room < 2 * size || !fits(y, size, context.area)) return;
  for (const bool whole : {true, false}) {
    if (whole && !gap.one) continue;
    std::string words = whole ? wait_text(context.trace, *gap.first) : cause_text(context.trace, *gap.first);
    const float width = text_width(words, Font::regular, size);
    if (width > room) continue;
    const float middle = static_cast<float>(at.x0 + at.x1) / 2;
    Rectangle plate{static_cast<int>(std::floor(middle - width / 2 - air)), at.y0,
                    static_cast<int>(std::ceil(middle + width / 2 + air)), at.y1, context.theme.lane};
    add_clipped(scene, plate, context.area);
    scene.texts.push_back(
        {middle, y, size, Anchor::centre, Font::regular, context.theme.faint_text, std::move(words), at.x0, at.x1});
    return;
  }
}

}  // namespace

Fill pattern_of(const WaitPiece& piece) { return piece.queued ? Fill::dotted : Fill::hatch; }

Colour gate_colour(const Theme& theme) { return mixed(theme.waiting, colour(OperationKind::sync), 0.5F); }

Colour wait_colour(const trace::Trace& trace, const StreamSlots& slots, const WaitPiece& piece, ColourBy colour_by,
                   const Theme& theme) {
  if (piece.cause == verdict::WaitCause::gate) return gate_colour(theme);
  if (piece.by == WaitPiece::kNobody) return theme.waiting;
  return bar_colour(trace::span_at(trace, piece.by), TrackKind::stream, colour_by, slots, theme);
}

void draw_waits(Scene& scene, const LayoutContext& context, const LaneRow& row, const Lane& lane, float pale,
                std::span<const WaitPiece> over, std::vector<PixelRun>& runs) {
  const int plot_x = context.frame.plot_x;
  runs.clear();
  emit(lane, context.view, 0, context.frame.plot_width, runs);
  std::vector<Gap> gaps;
  for (const PixelRun& run : runs) {
    const WaitPiece& piece = context.tracks.waits[lane.span[run.longest]];
    const Rectangle at = place_of(row, plot_x + run.x0, plot_x + run.x1);
    draw_piece(scene, context, piece, at, pale);
    const bool covered =
        !over.empty() && piece.span != over.front().span && piece.from < over.back().to && over.front().from < piece.to;
    if (!alone(run) || pale > 0 || covered) continue;
    // An engine that one after the other has is one reason.
    if (Gap* const last = gaps.empty() ? nullptr : &gaps.back(); last != nullptr && last->at.x1 == at.x0 &&
                                                                 last->first->span == piece.span &&
                                                                 last->first->cause == piece.cause) {
      last->at.x1 = at.x1;
      last->one = false;
    } else {
      gaps.push_back({&piece, at});
    }
  }
  // Over what lies there, and under the words.
  draw_waits_over(scene, context, row, over);
  for (const Gap& gap : gaps) draw_words(scene, context, gap);
}

void draw_waits_over(Scene& scene, const LayoutContext& context, const LaneRow& row,
                     std::span<const WaitPiece> pieces) {
  const int plot_x = context.frame.plot_x, width = context.frame.plot_width;
  for (const WaitPiece& piece : pieces) {
    const Pixels columns = pixels(context.view, piece.from, piece.to);
    if (columns.x1 <= 0 || columns.x0 >= width) continue;
    Rectangle at = place_of(row, plot_x + static_cast<int>(std::max<std::int64_t>(columns.x0, 0)),
                            plot_x + static_cast<int>(std::min<std::int64_t>(columns.x1, width)));
    at.colour = context.theme.background;
    add_clipped(scene, at, context.area);
    draw_piece(scene, context, piece, at, 0);
  }
}

void draw_waits_along(Scene& scene, const LayoutContext& context, const LaneRow& row, const Lane& executing,
                      std::span<const WaitPiece> pieces, std::vector<PixelRun>& runs) {
  const int thick = along_height(row), edge = along_edge(context);
  if (pieces.empty() || thick == 0) return;
  const int plot_x = context.frame.plot_x;
  runs.clear();
  emit(executing, context.view, 0, context.frame.plot_width, runs);
  std::size_t next = 0;
  while (next < runs.size()) {
    const std::int32_t x0 = runs[next].x0;
    std::int32_t x1 = runs[next].x1;
    while (++next < runs.size() && runs[next].x0 <= x1) x1 = std::max(x1, runs[next].x1);
    for (const WaitPiece& piece : pieces) {
      const auto [from, to] = columns_along(context, piece, x0, x1);
      if (from >= to) continue;
      Rectangle at{plot_x + from, row.y1 - thick - edge, plot_x + to, row.y1, context.theme.background};
      add_clipped(scene, at, context.area);
      at.y0 = row.y1 - thick;
      at.colour = wait_colour(context.trace, context.tracks.slots, piece, context.options.colour_by, context.theme);
      at.fill = pattern_of(piece);
      add_clipped(scene, at, context.area);
    }
  }
}

int waits_foot(const LayoutContext& context, const LaneRow& row, const PixelRun& bar,
               std::span<const WaitPiece> pieces) {
  const int thick = along_height(row);
  const bool passes = thick > 0 && std::any_of(pieces.begin(), pieces.end(), [&](const WaitPiece& piece) {
                        const auto [from, to] = columns_along(context, piece, bar.x0, bar.x1);
                        return from < to;
                      });
  return passes ? thick + along_edge(context) : 0;
}

}  // namespace streamscope::timeline
