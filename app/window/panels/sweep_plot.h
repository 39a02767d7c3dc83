// A sweep's results: of one axis a line with whiskers, of two a heat map or a line for each value of the second. The
// best is outlined, a click on a point shows its run.
#pragma once

#include "app/window/panels/panel.h"

namespace streamscope::window {

void sweep_plot(const Panel& panel);  // in what is left of the window; there must be points

}  // namespace streamscope::window
