// The lower panel's tab for two runs: the runs kept at the left, how the one in view and the compared
// one differ at the right.
#pragma once

#include "app/window/panels/compare_history.h"
#include "app/window/panels/compare_table.h"

namespace streamscope::window {

class ComparePanel {
 public:
  void draw(const Panel& panel, const Box& place, TimelinePanel& timeline);

 private:
  CompareHistory history_;
  CompareTable differences_;
};

}  // namespace streamscope::window
