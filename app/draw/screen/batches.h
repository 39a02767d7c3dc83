// Rectangles as the graphics driver takes them: four corners each, in batches of one painting each.
//
// A software renderer takes many times as long for a pixel that may be left out by a pattern as for one that is simply
// set, and longer for one that is blended; so what needs less is drawn with less. Each kind of painting can also draw
// what a lesser one can: small rectangles go with their neighbours, for a call costs as much as some hundred pixels.
// Stacks have a piece of their own for each column, so they are pixels already when they come to the driver.
#pragma once

#include <cstdint>
#include <vector>

#include "app/timeline/scene.h"

namespace streamscope::screen {

enum class Painting : std::uint8_t { opaque, blended, patterned, image };

// As rectangles.vert reads it.
struct Corner {
  std::uint16_t x, y;
  timeline::Colour colour;
  timeline::Fill fill;
  std::uint8_t unused[3];
};
// Of a corner with Painting::image, red and green are kRowBase + the rows from its place in the picture to that in
// Batches::image, low byte first.
inline constexpr std::int32_t kRowBase = 32768;

static_assert(sizeof(Corner) == 12);

struct Batch {
  Painting painting = Painting::opaque;
  std::size_t first = 0, count = 0;  // rectangles, each four corners
};

struct Batches {
  std::vector<Corner> corners;  // left and right of the upper edge, then of the lower one
  std::vector<Batch> batches;   // in the scene's order, none left out
  // The pixels of all stacks, one below the other, columns as in the picture; what they leave free is clear.
  std::vector<timeline::Colour> image;
  std::int32_t image_width = 0;
  std::int32_t grain = 1;  // the scene's
  std::size_t size() const { return corners.size() / 4; }
};

// Of the rectangles and stacks. What lies left of or above the first pixel, or past 65535, is cut off, stacks by the
// picture.
Batches batches(const timeline::Scene& scene);

}  // namespace streamscope::screen
