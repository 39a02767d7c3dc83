// How wide a text is, without a font: by a table of Roboto's letters, the widest of the weights in which it is drawn,
// with `size` the em on screen and on paper. Whoever draws clips all the same: another font may stand in for Roboto.
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
