// Merged runs as they are drawn: in each column a stack of what its operations are, idle time as missing height.
#pragma once

#include <vector>

#include "app/timeline/bar_style.h"
#include "app/timeline/density.h"
#include "app/timeline/rows.h"
#include "app/timeline/scene.h"

namespace streamscope::timeline {

// Where a lane's columns lie in the picture.
struct StackPlace {
  int plot_x = 0, plot_width = 0;
  int y0 = 0, y1 = 0;
  TrackArea rows;  // nothing is drawn outside
};

// The merged runs of one lane, gathered.
class StackBuilder {
 public:
  // `pale`: how much of the background is mixed in; `lit`: what is not this class is pale, too. `full`: a column is as
  // high as the row, whatever of it is idle.
  StackBuilder(const Lane& lane, const View& view, ColourBy colour_by, const Theme& theme, const StackPlace& place,
               float pale = 0, Meaning lit = kNoMeaning, bool full = false);
  bool can(const PixelRun& run) const { return !alone(run) && !lane_.classes.empty(); }
  void add(const PixelRun& run);  // one that it can
  // Over all that the scene has so far; nothing where there was none.
  void put_onto(Scene& scene);

 private:
  const Lane& lane_;
  const View& view_;
  const std::size_t which_;
  const bool full_;
  StackPlace place_;
  Stacks stacks_;
  Density density_;
};

}  // namespace streamscope::timeline
