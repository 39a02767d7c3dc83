// The legend under a figure: where its swatches stand, and how they are drawn.
#pragma once

#include <vector>

#include "app/draw/page.h"
#include "app/timeline/legend.h"

namespace streamscope::draw {

struct Swatch {
  const timeline::LegendEntry* entry;
  int x, y;  // from the legend's upper left
};
struct Legend {
  std::vector<Swatch> swatches;
  std::size_t left_out = 0;
  int more_x = 0, more_y = 0;  // where it is said how many
  int height = 0;
};

// A row of swatches; what does not fit into one line goes on in the next, and after some lines how many more there are.
// The entries must outlive what is given back.
Legend place_legend(const Page& page, const std::vector<timeline::LegendEntry>& entries);

void draw_legend(Page& page, const Legend& legend);  // from the page's row on, which goes below it

}  // namespace streamscope::draw
