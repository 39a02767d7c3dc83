#include "app/draw/screen/batches.h"

#include <algorithm>
#include <limits>

#include "app/timeline/pattern.h"

namespace streamscope::screen {
namespace {

// Pixels that take a software renderer as long as one more call.
constexpr std::int64_t kCall = 1000;

Painting painting_of(const timeline::Rectangle& rectangle) {
  if (rectangle.fill != timeline::Fill::solid) return Painting::patterned;
  return rectangle.colour.a == 255 ? Painting::opaque : Painting::blended;
}

// The last two become one where that spares more than the dearer painting costs.
void merge_small(std::vector<Batch>& batches, std::vector<std::int64_t>& pixels) {
  while (batches.size() > 1) {
    Batch& before = batches[batches.size() - 2];
    const Batch& last = batches.back();
    if (before.painting == Painting::image || last.painting == Painting::image) return;
    const std::int64_t dearer = before.painting == last.painting  ? 0
                                : before.painting < last.painting ? pixels[pixels.size() - 2]
                                                                  : pixels.back();
    if (dearer > kCall) return;
    before.painting = std::max(before.painting, last.painting);
    before.count += last.count;
    pixels[pixels.size() - 2] += pixels.back();
    batches.pop_back();
    pixels.pop_back();
  }
}

// The stacks' pixels, appended to the image; gives back in which of its rows they begin.
std::int32_t rasterize(const timeline::Stacks& stacks, std::int32_t y0, std::int32_t y1, Batches& out) {
  const auto width = static_cast<std::size_t>(out.image_width);
  const std::size_t begin = out.image.size();
  out.image.resize(begin + width * static_cast<std::size_t>(y1 - y0), {0, 0, 0, 0});
  const std::size_t layers = stacks.layers.size();
  const auto columns = static_cast<std::int32_t>(stacks.heights.size() / layers);
  for (std::int32_t column = std::max(0, -stacks.x0); column < columns; ++column) {
    if (stacks.x0 + column >= out.image_width) break;
    const std::uint16_t* const heights = stacks.heights.data() + static_cast<std::size_t>(column) * layers;
    timeline::Colour* const at = out.image.data() + begin + static_cast<std::size_t>(stacks.x0 + column);
    std::int32_t below = stacks.y1;
    for (std::size_t i = 0; i < layers; ++i) {
      const std::int32_t top = below - heights[i];
      const timeline::Stacks::Layer& layer = stacks.layers[i];
      const bool plain = layer.pattern == timeline::Fill::solid;
      for (std::int32_t y = std::max(top, y0); y < std::min(below, y1); ++y)
        at[static_cast<std::size_t>(y - y0) * width] =
            plain || !timeline::drawn(layer.pattern, stacks.x0 + column, y, out.grain) ? layer.ground : layer.ink;
      below = top;
    }
  }
  return static_cast<std::int32_t>(begin / width);
}

}  // namespace

Batches batches(const timeline::Scene& scene) {
  const std::int32_t kMost = std::numeric_limits<std::uint16_t>::max();
  const auto cut = [kMost](std::int32_t value) { return static_cast<std::uint16_t>(std::clamp(value, 0, kMost)); };
  Batches out;
  out.corners.reserve(4 * (scene.rectangles.size() + scene.stacks.size()));
  out.grain = scene.grain;
  out.image_width = scene.stacks.empty() ? 0 : scene.width;
  std::vector<std::int64_t> pixels;  // of each batch
  const auto put = [&](const timeline::Rectangle& r, Painting painting) {
    const std::uint16_t x0 = cut(r.x0), x1 = cut(r.x1), y0 = cut(r.y0), y1 = cut(r.y1);
    if (x0 >= x1 || y0 >= y1) return;
    if (out.batches.empty() || out.batches.back().painting != painting) {
      merge_small(out.batches, pixels);
      out.batches.push_back({painting, out.size(), 0});
      pixels.push_back(0);
    }
    ++out.batches.back().count;
    pixels.back() += std::int64_t{x1 - x0} * (y1 - y0);
    for (const std::uint16_t y : {y0, y1})
      for (const std::uint16_t x : {x0, x1}) out.corners.push_back({x, y, r.colour, r.fill, {}});
  };
  timeline::in_order(
      scene, [&](const timeline::Rectangle& r) { put(r, painting_of(r)); },
      [&](const timeline::Stacks& stacks) {
        const std::int32_t y0 = std::max({stacks.y0, stacks.top, 0});
        const std::int32_t y1 = std::min({stacks.y1, stacks.bottom, scene.height});
        if (y0 >= y1 || out.image_width <= 0) return;
        const std::int32_t down = kRowBase + rasterize(stacks, y0, y1, out) - y0;
        const auto columns = static_cast<std::int32_t>(stacks.heights.size() / stacks.layers.size());
        put({stacks.x0,
             y0,
             std::min(stacks.x0 + columns, scene.width),
             y1,
             {static_cast<std::uint8_t>(down), static_cast<std::uint8_t>(down >> 8), 0}},
            Painting::image);
      });
  merge_small(out.batches, pixels);
  return out;
}

}  // namespace streamscope::screen
