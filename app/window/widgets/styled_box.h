// A rectangle filled as the timeline fills a bar: with a pattern where the theme is patterned.
#pragma once

#include "app/timeline/bar_style.h"
#include "app/window/widgets/box.h"
#include "app/window/widgets/style.h"

namespace streamscope::window {

// Every pixel of it that the pattern has, from the screen's corner on as in a picture.
void pattern_pixels(ImDrawList& list, const Look& look, const Box& at, timeline::Fill fill, timeline::Colour ink);
void styled_box(ImDrawList& list, const Look& look, const Box& at, const timeline::BarStyle& style, float rounding = 0);
// Corners are rounded by so many pixels where there is no pattern.
void styled_box(ImDrawList& list, const Look& look, const Box& at, OperationKind kind, float rounding = 0);

}  // namespace streamscope::window
