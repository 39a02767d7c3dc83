// Draws what operations did before they were carried out (waits.h), in their stream's row: queued dotted, waiting
// hatched, in the colour of what held them, and in words where these fit.
#pragma once

#include <span>
#include <vector>

#include "app/timeline/layout_context.h"
#include "app/timeline/waits.h"

namespace streamscope::timeline {

Fill pattern_of(const WaitPiece& piece);
// What it is drawn in: the colour of the operation that it is for, of the gate, else of no operation.
Colour wait_colour(const trace::Trace& trace, const StreamSlots& slots, const WaitPiece& piece, ColourBy colour_by,
                   const Theme& theme);
// What the gate held back is not the program's own waiting.
Colour gate_colour(const Theme& theme);

// A lane whose spans are indices into Tracks::waits. `pale`: how much, 0..1. `over`: what is drawn over it then.
void draw_waits(Scene& scene, const LayoutContext& context, const LaneRow& row, const Lane& lane, float pale,
                std::span<const WaitPiece> over, std::vector<PixelRun>& runs);
// Those of the selected operation, from its issue to its start; to be drawn before the lane's bars, which hide them
// where the row is not empty.
void draw_waits_over(Scene& scene, const LayoutContext& context, const LaneRow& row, std::span<const WaitPiece> pieces);
// And there a thin line of them along the foot of the bars; to be drawn after these. `executing`: the lane's.
void draw_waits_along(Scene& scene, const LayoutContext& context, const LaneRow& row, const Lane& executing,
                      std::span<const WaitPiece> pieces, std::vector<PixelRun>& runs);
// How much of the foot of a bar, drawn in these columns, that line takes; 0 where it does not pass there.
int waits_foot(const LayoutContext& context, const LaneRow& row, const PixelRun& bar,
               std::span<const WaitPiece> pieces);

}  // namespace streamscope::timeline
