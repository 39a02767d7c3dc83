// Many rectangles as a texture: a timeline is some hundred bands of rows that are alike, so a colour for each column of
// each band says all. A software renderer draws that in one go, however many bars there are; as rectangles, two
// triangles each, ten thousand bars take it three times as long.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "app/timeline/picture.h"

namespace streamscope {

struct Bands {
  std::int32_t width = 0, height = 0;  // pixels
  std::vector<std::uint16_t> of_row;   // by y: its band
  std::vector<Colour> colours;         // band by band, `width` each; opaque
  std::size_t count() const { return width > 0 ? colours.size() / static_cast<std::size_t>(width) : 0; }
};

// Whether the first rectangle is a ground: solid, opaque, from (0, 0) to at most `most` pixels along each edge, and so
// at most so many bands.
bool has_ground(std::span<const Rectangle> rectangles, std::int32_t most);
// Puts into `bands`, as large as the ground, what can be drawn first and without a pattern, and gives what is to be
// drawn over it, in order. There must be a ground of at most 65535 pixels.
std::vector<Rectangle> take_bands(std::span<const Rectangle> rectangles, Bands& bands);

}  // namespace streamscope
