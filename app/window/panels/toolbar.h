// Above: run, live, stop; how it is measured and what that costs; which device; which run is shown; the picture; the
// looks.
#pragma once

#include "app/window/panels/panel.h"

namespace streamscope::window {

// Gives back the height it needs at that width.
float toolbar(const Panel& panel, const Box& place);

}  // namespace streamscope::window
