// What is told of the bar under the mouse: three lines; the rest is in the summary of what is selected.
#pragma once

#include "app/timeline/hit.h"
#include "app/window/panels/panel.h"

namespace streamscope::window {

// The row that the bar lies in, on the screen: tooltips stand below it or above, so that the bar and its neighbours
// stay in sight, and over what stands below the timeline only where there is no other room.
struct RowAt {
  float top = 0, bottom = 0, plot_bottom = 0;
};
// Of an operation of the run in view or of the compared one, with what differs between the two; or of all in a column.
void operation_tooltip(const Panel& panel, const RowAt& row, const timeline::Hit& hit);
// Where the runs in view come from, in full.
void provenance_tooltip(const State& state);
// Of a bar of an opened kernel.
void piece_tooltip(const Panel& panel, const RowAt& row, const trace::Trace& trace, const timeline::StagePiece& piece,
                   std::uint32_t how_many);

}  // namespace streamscope::window
