// Of the summary: what the run's time was made of. The critical path by kind, cause and line; why engines stood idle;
// why the selected operation waited.
#pragma once

#include <memory>
#include <vector>

#include "app/window/panels/panel.h"

namespace streamscope::window {

struct PathView {
  int by = 0;  // kind, cause, line
};

void path_section(const Panel& panel, PathView& view, int plot_width);
void idle_section(const Panel& panel);

// What held the selected operation, slice by slice.
class WaitSlices {
 public:
  // Whether there are any: then they say more than the trace's own reason.
  bool follow(const State& state);
  void draw(const Panel& panel) const;

 private:
  std::shared_ptr<const RunVerdict> of_;
  OperationIndex operation_ = kNoOperation;
  std::vector<verdict::Slice> slices_;
};

}  // namespace streamscope::window
