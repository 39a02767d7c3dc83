// The marks of a chart's lines: eight shapes and eight hues, which turn together for eight lines and apart beyond.
#pragma once

#include <cstddef>

#include "app/timeline/scene.h"
#include "app/timeline/theme.h"

namespace streamscope::draw {

timeline::Colour mark_colour(std::size_t line, const timeline::Theme& theme);
// `size` is about the width in pixels.
void draw_mark(timeline::Scene& scene, std::size_t line, float x, float y, float size, const timeline::Theme& theme);

}  // namespace streamscope::draw
