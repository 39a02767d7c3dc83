// What the layout yields: rectangles, stacks of them, texts and lines in pixels. The screen, the PNG, the SVG and the
// PDF all draw this.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "engine/base/id.h"

namespace streamscope::timeline {

struct Colour {
  std::uint8_t r = 0, g = 0, b = 0, a = 255;
  friend bool operator==(Colour, Colour) = default;
};

// hatch: waiting, dotted: queued, in every theme. The others tell kinds apart in print; pattern.h says which pixels
// each draws.
enum class Fill : std::uint8_t { solid, hatch, rising, falling, crossed, level, vertical, grid, dots, dotted };
inline constexpr std::size_t kFills = 10;

// Of a hatched rectangle the pixels with (x + y) % kHatchPeriod < kHatchWidth are drawn.
inline constexpr std::int32_t kHatchPeriod = 6;
inline constexpr std::int32_t kHatchWidth = 2;

// Covers the pixels [x0, x1) x [y0, y1).
struct Rectangle {
  std::int32_t x0 = 0, y0 = 0, x1 = 0, y1 = 0;
  Colour colour;
  Fill fill = Fill::solid;
};

enum class Anchor : std::uint8_t { left, centre, right };
enum class Font : std::uint8_t { regular, bold, mono };

struct Text {
  float x = 0, y = 0;  // y is the middle of the line
  float size = 13;     // pixels
  Anchor anchor = Anchor::left;
  Font font = Font::regular;
  Colour colour;
  std::string text;
  std::int32_t clip_x0 = 0, clip_x1 = 1 << 30;  // nothing is drawn outside these columns
};

struct Line {
  float x0 = 0, y0 = 0, x1 = 0, y1 = 0;
  Colour colour;
  float width = 1;
};

// Columns that each stand for many operations: pieces one on the other, from the lower edge up, as high as their
// shares. Column k covers the pixels [x0 + k, x0 + k + 1), of rows [y0, y1) those within [top, bottom).
struct Stacks {
  struct Layer {
    Colour ground;
    Fill pattern = Fill::solid;  // over it, in the ink; solid: none
    Colour ink;
  };
  std::int32_t x0 = 0, y0 = 0, y1 = 0, top = 0, bottom = 0;
  std::vector<Layer> layers;           // from below
  std::vector<std::uint16_t> heights;  // pixels; [column][layer], at most y1 - y0 in a column
  std::size_t before = 0;              // of Scene::rectangles, those from this one on lie over it
};
// The rectangles of one layer, as wide as columns are alike; their colour is the ground's.
std::vector<Rectangle> pieces_of(const Stacks& stacks, std::size_t layer);

struct Scene {
  std::int32_t width = 0, height = 0;
  Colour background;
  std::vector<Rectangle> rectangles;  // drawn first, in order
  std::vector<Stacks> stacks;         // between them; by `before`
  std::vector<Line> lines;            // then these
  std::vector<Text> texts;            // then these
  std::int32_t grain = 1;             // the picture's pixels to one of a pattern, along each side
};
// Calls `rectangle` and `stacks` with each of the scene in the order in which they are drawn.
template <class OfRectangle, class OfStacks>
void in_order(const Scene& scene, OfRectangle rectangle, OfStacks stacks) {
  std::size_t next = 0;
  for (std::size_t i = 0; i <= scene.rectangles.size(); ++i) {
    for (; next < scene.stacks.size() && scene.stacks[next].before <= i; ++next) stacks(scene.stacks[next]);
    if (i < scene.rectangles.size()) rectangle(scene.rectangles[i]);
  }
}
inline Scene blank_scene(std::int32_t width, std::int32_t height, Colour background) {
  return {std::max(width, 0), std::max(height, 0), background, {}, {}, {}, {}, 1};
}

}  // namespace streamscope::timeline
