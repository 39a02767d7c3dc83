// What is known of the bar under the mouse.
#pragma once

#include "app/timeline/hit.h"
#include "app/window/panels/panel.h"

namespace streamscope::window {

// Of an operation of the run in view or of the compared one, with what differs between the two.
void operation_tooltip(const Panel& panel, const timeline::Hit& hit);
// Of a bar of an opened kernel.
void piece_tooltip(const Panel& panel, const trace::Trace& trace, const timeline::StagePiece& piece,
                   std::uint32_t how_many);

}  // namespace streamscope::window
