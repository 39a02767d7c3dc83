// Of the summary: what the run's time was made of. The critical path by kind, cause and line; why engines stood idle.
#pragma once

#include "app/window/panels/panel.h"

namespace streamscope::window {

struct PathView {
  int by = 0;  // kind, cause, line
};

void path_section(const Panel& panel, const RunVerdict& of, PathView& view, int plot_width);
void idle_section(const Panel& panel, const RunVerdict& of);

}  // namespace streamscope::window
