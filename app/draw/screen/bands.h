// Many rectangles as a texture: a timeline is some hundred bands of rows that are alike, so a colour for each column of
// each band says all. A software renderer draws that in one go, however many bars there are; as rectangles, two
// triangles each, ten thousand bars take it three times as long. Where there are few they are drawn as what they are:
// a pixel that is looked up takes twice as long as one of an even ground.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "app/timeline/picture.h"

namespace streamscope {

struct PixelRows {
  std::int32_t y0 = 0, y1 = 0;  // [y0, y1)
};

struct Bands {
  std::int32_t width = 0, height = 0;  // pixels
  std::vector<std::uint16_t> of_row;   // by y: its band
  std::vector<Colour> colours;         // band by band, `width` each; opaque where crowded, else of no meaning
  std::vector<PixelRows> crowded;      // from the top, disjoint: what is to be drawn from the bands
  std::size_t count() const { return width > 0 ? colours.size() / static_cast<std::size_t>(width) : 0; }
};

// What to draw one after the other.
struct Layers {
  std::vector<Rectangle> under;  // without patterns; hidden where rows are crowded
  Bands bands;
  std::vector<Rectangle> over;  // patterns and what lies over them
};

// Whether the first rectangle is a ground: solid, opaque, from (0, 0) to at most `most` pixels along each edge, and so
// at most so many bands.
bool has_ground(std::span<const Rectangle> rectangles, std::int32_t most);
// There must be a ground of at most 65535 pixels; the bands are as large. Rows are crowded where rectangles less wide
// than the ground, each taken for kEdges pixels wider, come to at least `percent` of its width.
Layers layers_of(std::span<const Rectangle> rectangles, int percent);
inline constexpr int kEdges = 12;

}  // namespace streamscope
