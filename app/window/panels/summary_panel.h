// Right: what the run in view says, where it comes from, and all that is known about the selected operation.
#pragma once

#include "app/window/panels/operation_section.h"
#include "app/window/panels/panel.h"
#include "app/window/panels/path_section.h"
#include "app/window/panels/verdict_section.h"

namespace streamscope::window {

struct SummaryView {
  VerdictView verdict;
  PathView path;
  OperationSection operation;
  OperationIndex selected = kNoOperation;  // when it was drawn last
  std::uint64_t run = 0;                   // the same
};

// `plot_width`: of the timeline, for views to go to.
void summary_panel(const Panel& panel, const Box& place, int plot_width, SummaryView& view);

}  // namespace streamscope::window
