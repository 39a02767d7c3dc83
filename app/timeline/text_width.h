// How wide a text is, without a font: an estimate that is rather too wide, so that what fits here fits on screen and
// on paper, whichever font stands in for Roboto there. Whoever draws clips all the same.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "app/timeline/scene.h"

namespace streamscope::timeline {

float text_width(std::string_view text, Font font, float size);
// The text, or as much of its beginning as fits with an ellipsis; empty where not even that fits.
std::string fitted(std::string_view text, Font font, float size, float width);
// In at most so many lines, broken between words or where the text has a line end; what is left over ends the last one
// with an ellipsis.
std::vector<std::string> wrapped(std::string_view text, Font font, float size, float width, std::size_t lines);

}  // namespace streamscope::timeline
