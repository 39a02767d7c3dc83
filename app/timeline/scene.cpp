#include "app/timeline/scene.h"

namespace streamscope::timeline {

std::vector<Rectangle> pieces_of(const Stacks& stacks, std::size_t layer) {
  std::vector<Rectangle> out;
  const std::size_t layers = stacks.layers.size();
  const auto columns = static_cast<std::int32_t>(stacks.heights.size() / layers);
  for (std::int32_t column = 0; column < columns; ++column) {
    const std::uint16_t* const heights = stacks.heights.data() + static_cast<std::size_t>(column) * layers;
    std::int32_t below = 0;
    for (std::size_t i = 0; i < layer; ++i) below += heights[i];
    const std::int32_t y1 = std::min(stacks.y1 - below, stacks.bottom);
    const std::int32_t y0 = std::max(stacks.y1 - below - heights[layer], stacks.top), x = stacks.x0 + column;
    if (y0 >= y1) continue;
    if (!out.empty() && out.back().x1 == x && out.back().y0 == y0 && out.back().y1 == y1)
      ++out.back().x1;
    else
      out.push_back({x, y0, x + 1, y1, stacks.layers[layer].ground});
  }
  return out;
}

}  // namespace streamscope::timeline
