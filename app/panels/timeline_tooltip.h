// What is known of the bar under the mouse.
#pragma once

#include "app/panels/panel.h"

namespace streamscope {

void operation_tooltip(const Panel& panel, const Run& run, const Span& span, const Hit& hit);
// Of a bar of an opened kernel.
void piece_tooltip(const Panel& panel, const Trace& trace, const StagePiece& piece, std::uint32_t how_many);

}  // namespace streamscope
