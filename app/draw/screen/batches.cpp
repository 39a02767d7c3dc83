#include "app/draw/screen/batches.h"

#include <algorithm>
#include <limits>

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

}  // namespace

Batches batches(std::span<const timeline::Rectangle> rectangles) {
  const std::int32_t kMost = std::numeric_limits<std::uint16_t>::max();
  const auto cut = [kMost](std::int32_t value) { return static_cast<std::uint16_t>(std::clamp(value, 0, kMost)); };
  Batches out;
  out.corners.reserve(4 * rectangles.size());
  std::vector<std::int64_t> pixels;  // of each batch
  for (const timeline::Rectangle& r : rectangles) {
    const std::uint16_t x0 = cut(r.x0), x1 = cut(r.x1), y0 = cut(r.y0), y1 = cut(r.y1);
    if (x0 >= x1 || y0 >= y1) continue;
    const Painting painting = painting_of(r);
    if (out.batches.empty() || out.batches.back().painting != painting) {
      merge_small(out.batches, pixels);
      out.batches.push_back({painting, out.size(), 0});
      pixels.push_back(0);
    }
    ++out.batches.back().count;
    pixels.back() += std::int64_t{x1 - x0} * (y1 - y0);
    for (const std::uint16_t y : {y0, y1})
      for (const std::uint16_t x : {x0, x1}) out.corners.push_back({x, y, r.colour, r.fill, {}});
  }
  merge_small(out.batches, pixels);
  return out;
}

}  // namespace streamscope::screen
