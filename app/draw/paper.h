// A picture on paper: the one list of rectangles, texts and lines, drawn with Cairo. Needs no display.
#pragma once

#include <filesystem>

#include "app/draw/caption.h"
#include "app/timeline/picture.h"
#include "engine/base/result.h"

namespace streamscope {

// `scale` multiplies the size in pixels: 2 for a sharp print. "-" is stdout.
Result<void> write_png(const Picture& picture, double scale, const std::filesystem::path& path);
// One page, as large on paper as the PNG at 96 pixels to the inch. The same picture and imprint: the same bytes.
Result<void> write_pdf(const Picture& picture, double scale, const Imprint& imprint, const std::filesystem::path& path);

}  // namespace streamscope
