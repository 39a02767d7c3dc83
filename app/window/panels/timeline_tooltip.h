// What is known of the bar under the mouse.
#pragma once

#include "app/window/panels/panel.h"

namespace streamscope {

// Of an operation of the run in view or of the one beside it, with what differs between the two.
void operation_tooltip(const Panel& panel, const Hit& hit);
// Of a bar of an opened kernel.
void piece_tooltip(const Panel& panel, const Trace& trace, const StagePiece& piece, std::uint32_t how_many);

}  // namespace streamscope
