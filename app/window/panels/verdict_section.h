// Of the summary: why the run took so long, what would help, and what came of it where it was tried.
#pragma once

#include "app/window/panels/panel.h"

namespace streamscope::window {

struct VerdictView {
  float head = 0;          // of what stands above the causes,
  float height = 0;        // and of all, as it was drawn last: kept free while the next one is made
  std::uint64_t last = 0;  // the run that was of
};

void verdict_section(const Panel& panel, VerdictView& view, int plot_width);

// Lights operations on the timeline, selects the first, and shows the whole run where that one is out of sight.
void show_operations(const Panel& panel, const std::vector<OperationIndex>& operations, int plot_width);
void show_line(const Panel& panel, std::uint32_t line, const std::vector<OperationIndex>& operations, int plot_width);

}  // namespace streamscope::window
